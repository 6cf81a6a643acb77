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
  /** The same for a body of any length, of which the first `limitBytes` are collected and the rest is read past. */
  collectBeginning(request: IncomingMessage, reply: ServerResponse, limitBytes: number): Promise<Beginning>
}

/** The first bytes of a body. `isWhole`: they are all of it. */
export type Beginning = { bytes: Buffer; isWhole: boolean }

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

  /** The body up to `limitBytes`, and whether that is all of it. */
  const collectBeginning: BodyBudget['collectBeginning'] = (request, reply, limitBytes) => {
    const expected = Math.min(limitBytes, Number(request.headers['content-length'] ?? limitBytes))
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
        const length = Math.min(body.length + piece.length, limitBytes)
        if (!grow(body, length, expected)) {
          stop(noRoom())
          return
        }
        const isOver = body.length + piece.length > limitBytes
        piece.copy(body.bytes, body.length)
        body.length = length
        if (isOver) settle(false)
      }
      const onEnd = (): void => settle(true)
      const settle = (isWhole: boolean): void => {
        quit()
        arriving.delete(body)
        if (!isWhole) request.resume()
        resolve({ bytes: body.bytes.subarray(0, body.length), isWhole })
      }
      const onBroken = (): void => stop(brokenOff())
      const quit = (): void => {
        request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
      }
      arriving.add(body)
      reply.once('close', () => release(body))
      request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
    })
  }

  return {
    collectBeginning,
    async collect(request, reply, limitBytes) {
      // One that says that it is too large is not read at all.
      if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
      const { bytes, isWhole } = await collectBeginning(request, reply, limitBytes)
      if (!isWhole) throw tooLarge(limitBytes)
      return bytes
    },
  }
}

const NOTHING = Buffer.alloc(0)
