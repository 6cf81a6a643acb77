import type { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { Clock } from '../core/clock.ts'
import { SECOND_MS } from '../core/clock.ts'
import { checkedKey, type MediaStore } from './port.ts'
import type { S3Address } from './s3-address.ts'
import { presignedLink } from './s3-link.ts'
import { putObject } from './s3-put.ts'

const CONNECT_MS = 5 * SECOND_MS
const SILENCE_MS = 30 * SECOND_MS

/** Stores files in a bucket of an S3-compatible store. */
export function createS3Store(address: S3Address, clock: Clock): MediaStore {
  const client = new S3Client({
    region: address.region,
    forcePathStyle: address.pathStyle,
    // Stores other than AWS do not support checksum trailers or chunked signatures.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would warn about every stream that it cannot retry.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
    ...(address.endpoint === undefined ? {} : { endpoint: address.endpoint }),
    ...(address.keyId === undefined || address.secret === undefined
      ? {}
      : { credentials: { accessKeyId: address.keyId, secretAccessKey: address.secret } }),
  })
  const closing = new AbortController()
  const options = { abortSignal: closing.signal }
  const locationOf = (key: string) => ({ Bucket: address.bucket, Key: address.prefix + checkedKey(key) })
  return {
    put: async (key, bytes) => putObject(client, locationOf(key), bytes, closing.signal),
    async open(key, range) {
      try {
        const answer = await client.send(
          new GetObjectCommand({
            ...locationOf(key),
            ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
          }),
          options,
        )
        return answer.Body as Readable | undefined
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    async delete(key) {
      try {
        await client.send(new DeleteObjectCommand(locationOf(key)), options)
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    },
    link: async (file) =>
      presignedLink({
        address,
        credentials: await client.config.credentials(),
        key: address.prefix + checkedKey(file.key),
        seconds: file.seconds,
        response: {
          'response-content-type': file.contentType,
          'response-content-disposition': file.disposition,
          'response-cache-control': 'private, no-store',
        },
        now: clock.now(),
      }),
    async check() {
      await client.send(new HeadBucketCommand({ Bucket: address.bucket }), options)
    },
    close: async () => {
      closing.abort()
      client.destroy()
    },
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound')
