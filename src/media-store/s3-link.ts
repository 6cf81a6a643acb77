import { createHash, createHmac } from 'node:crypto'
import type { S3Address } from './s3-address.ts'

/** The current keys of the store's client. */
export type S3Credentials = {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string | undefined
}

export type S3LinkRequest = {
  address: S3Address
  credentials: S3Credentials
  /** Including its prefix. */
  key: string
  seconds: number
  /** The headers of the response: `response-content-type` and similar. */
  response: Record<string, string>
  now: Date
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

// Stricter than encodeURIComponent: the signature requires all other characters to be encoded.
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Returns the location of an object: the bucket in the host name, or in the path. */
export function placeOf(address: S3Address): { origin: string; host: string; base: string } {
  const { bucket, region, endpoint, pathStyle } = address
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  const base = url.pathname.replace(/\/+$/, '')
  const host = pathStyle ? url.host : `${bucket}.${url.host}`
  return { origin: `${url.protocol}//${host}`, host, base: pathStyle ? `${base}/${encoded(bucket)}` : base }
}

/**
 * Returns a link to an object that is authorized by itself for `seconds` (AWS Signature Version 4 in the
 * query).
 */
export function presignedLink({ address, credentials, key, seconds, response, now }: S3LinkRequest): string {
  const { origin, host, base } = placeOf(address)
  const path = `${base}/${key.split('/').map(encoded).join('/')}`
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const day = stamp.slice(0, 8)
  const scope = `${day}/${address.region}/s3/aws4_request`
  const query = Object.entries({
    ...response,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${credentials.accessKeyId}/${scope}`,
    'X-Amz-Date': stamp,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': 'host',
    ...(credentials.sessionToken === undefined ? {} : { 'X-Amz-Security-Token': credentials.sessionToken }),
  })
    .map(([name, value]): [string, string] => [encoded(name), encoded(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const canonical = ['GET', path, query, `host:${host}\n`, 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const hashed = createHash('sha256').update(canonical).digest('hex')
  const signing = ['AWS4-HMAC-SHA256', stamp, scope, hashed].join('\n')
  const secret = [day, address.region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${credentials.secretAccessKey}`,
  )
  return `${origin}${path}?${query}&X-Amz-Signature=${hmac(secret, signing).toString('hex')}`
}
