import { setTimeout as wait } from 'node:timers/promises'
import { PutObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import type { StoredBytes } from './port.ts'

/** The client does not repeat what it sent as a stream; the bytes can be opened again, so it is done here. */
const WAITS_MS = [200, 1_000]

/** Puts bytes as one object. */
export async function putObject(
  client: S3Client,
  at: { Bucket: string; Key: string },
  bytes: StoredBytes,
  closing: AbortSignal,
): Promise<void> {
  for (const waitMs of [...WAITS_MS, undefined]) {
    const fault = await putOnce(client, at, bytes, closing).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (fault === undefined) return
    if (waitMs === undefined || closing.aborted || !mayPass(fault.error)) throw fault.error
    await wait(waitMs)
  }
}

// A fault of the store itself, or none that it reported: whatever else is wrong is as wrong the next time.
const mayPass = (error: unknown): boolean =>
  !(error instanceof BrokenSource) &&
  (!(error instanceof S3ServiceException) || (error.$metadata.httpStatusCode ?? 500) >= 500)

class BrokenSource extends Error {}

/** A source that breaks off takes its request with it: the client would wait for the rest for ever. */
async function putOnce(
  client: S3Client,
  at: { Bucket: string; Key: string },
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
        ...at,
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
