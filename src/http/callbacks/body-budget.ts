/**
 * Bodies that are collected from callers without a key: how much memory all of them may hold together. When it is used up
 * the body that has been arriving for longest gives way, so that whoever sends slowly on purpose keeps nobody out.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '../../core/errors.ts'

export type BodyBudget = {
  /**
   * The whole body of `request`, at most `limitBytes`; it counts until `reply` has gone out. Refuses with
   * `payload_too_large`, or with `service_unavailable` when there is no room.
   */
  collect(request: IncomingMessage, reply: ServerResponse, limitBytes: number): Promise<Buffer>
}

const RETRY_SECONDS = 2

const noRoom = (): Refusal =>
  new Refusal('service_unavailable', 'The server is reading too many request bodies. Try again shortly.', {
    retryAfterSeconds: RETRY_SECONDS,
  })
const tooLarge = (limitBytes: number): Refusal =>
  new Refusal(
    'payload_too_large',
    `The body is larger than ${limitBytes / 1024} KB. Send less in one request.`,
  )
const brokenOff = (): Refusal =>
  new Refusal('invalid', 'The body ended before its announced length. Send it again.', { issues: [] })

/** A body that is arriving, in a buffer that grows: pieces of a few bytes kept apart would cost many times their size. */
type Arriving = { bytes: Buffer; length: number; giveWay(): void }

/** Lets bodies hold at most `maxBytes` together. */
export function bodyBudget(maxBytes: number): BodyBudget {
  let heldBytes = 0
  /** In the order in which they began. */
  const arriving = new Set<Arriving>()

  /** Whether `more` bytes have room; the slowest make it. */
  const reserve = (more: number, asking: Arriving): boolean => {
    while (heldBytes + more > maxBytes) {
      const [slowest] = arriving
      if (!slowest || slowest === asking) return false
      slowest.giveWay()
    }
    heldBytes += more
    return true
  }
  const release = (body: Arriving): void => {
    heldBytes -= body.bytes.length
    body.bytes = NOTHING
    arriving.delete(body)
  }
  /** Room for `needed` bytes in the body's buffer, twice as much as it had if it may become that long. */
  const grow = (body: Arriving, needed: number, maxAt: number): boolean => {
    if (needed <= body.bytes.length) return true
    const size = Math.min(maxAt, Math.max(needed, 2 * body.bytes.length))
    if (!reserve(size - body.bytes.length, body)) return false
    const larger = Buffer.allocUnsafeSlow(size)
    body.bytes.copy(larger, 0, 0, body.length)
    body.bytes = larger
    return true
  }

  return {
    collect(request, reply, limitBytes) {
      const declared = Number(request.headers['content-length'] ?? limitBytes)
      if (declared > limitBytes) return Promise.reject(tooLarge(limitBytes))
      return new Promise((resolve, reject) => {
        const stop = (refusal: Refusal): void => {
          quit()
          release(body)
          // What nobody wants is read all the same: the caller listens when it has sent everything.
          request.resume()
          reject(refusal)
        }
        const body: Arriving = { bytes: NOTHING, length: 0, giveWay: () => stop(noRoom()) }
        const onData = (piece: Buffer): void => {
          const length = body.length + piece.length
          if (length > limitBytes) stop(tooLarge(limitBytes))
          else if (grow(body, length, declared)) {
            piece.copy(body.bytes, body.length)
            body.length = length
          } else stop(noRoom())
        }
        const onEnd = (): void => {
          quit()
          arriving.delete(body)
          resolve(body.bytes.subarray(0, body.length))
        }
        const onBroken = (): void => stop(brokenOff())
        const quit = (): void => {
          request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
        }
        arriving.add(body)
        reply.once('close', () => release(body))
        request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
      })
    },
  }
}

const NOTHING = Buffer.alloc(0)
