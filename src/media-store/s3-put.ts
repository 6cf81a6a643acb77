import { setTimeout as wait } from 'node:timers/promises'
import { PutObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import type { StoredBytes } from './port.ts'

/** The client does not retry streams; our bytes can be opened again, so we retry here. */
const WAITS_MS = [200, 1_000]

/** Stores bytes as one object. */
export async function putObject(
  client: S3Client,
  location: { Bucket: string; Key: string },
  bytes: StoredBytes,
  closing: AbortSignal,
): Promise<void> {
  for (const waitMs of [...WAITS_MS, undefined]) {
    const fault = await putOnce(client, location, bytes, closing).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (fault === undefined) return
    if (waitMs === undefined || closing.aborted || !isRetryable(fault.error)) throw fault.error
    await wait(waitMs)
  }
}

// A server error, or no answer, may be temporary; other errors would repeat.
const isRetryable = (error: unknown): boolean =>
  !(error instanceof BrokenSource) &&
  (!(error instanceof S3ServiceException) || (error.$metadata.httpStatusCode ?? 500) >= 500)

class BrokenSource extends Error {}

/** If the source fails the request is aborted: the client would wait forever for the rest. */
async function putOnce(
  client: S3Client,
  location: { Bucket: string; Key: string },
  bytes: StoredBytes,
  closing: AbortSignal,
): Promise<void> {
  const source = bytes.stream()
  const abort = new AbortController()
  let broken: Error | undefined
  source.on('error', (error) => {
    broken = new BrokenSource('the bytes to store broke off', { cause: error })
    abort.abort()
  })
  try {
    await client.send(
      new PutObjectCommand({
        ...location,
        Body: source,
        ContentLength: bytes.sizeBytes,
        ContentType: bytes.mimeType,
      }),
      { abortSignal: AbortSignal.any([abort.signal, closing]) },
    )
  } catch (error) {
    throw broken ?? error
  } finally {
    source.destroy()
  }
}
