/**
 * Limits the memory of all bodies from callers without a key. When it is full, Parley rejects the body that
 * has been arriving longest, so that slow senders can't block others.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '../../core/errors.ts'

export type BodyBudget = {
  /**
   * Collects the whole body of `request`, at most `limitBytes`; it counts until `reply` was sent. Refuses
   * with `payload_too_large`, or with `service_unavailable` if there is no room.
   */
  collect(request: IncomingMessage, reply: ServerResponse, limitBytes: number): Promise<Buffer>
  /** Collects the first `limitBytes` of a body of any length, and discards the rest. */
  collectBeginning(request: IncomingMessage, reply: ServerResponse, limitBytes: number): Promise<Beginning>
}

/** The first bytes of a body. `isWhole`: they are the whole body. */
export type Beginning = { bytes: Buffer; isWhole: boolean }

const RETRY_SECONDS = 2

const budgetRefusal = (): Refusal =>
  new Refusal('service_unavailable', 'The server is reading too many request bodies. Try again shortly.', {
    retryAfterSeconds: RETRY_SECONDS,
  })
const tooLarge = (limitBytes: number): Refusal =>
  new Refusal(
    'payload_too_large',
    `The body is larger than ${limitBytes / 1024} KB. Send less in one request.`,
  )
const disconnectRefusal = (): Refusal =>
  new Refusal('invalid', 'The body ended before its announced length. Send it again.', { issues: [] })

/**
 * A body that is arriving, in a growing buffer: separate pieces of a few bytes would use many times their
 * size.
 */
type Arriving = { bytes: Buffer; length: number; evict(): void }

/** Creates a budget of `maxBytes` for all bodies together. */
export function bodyBudget(maxBytes: number): BodyBudget {
  let heldBytes = 0
  /** Ordered by start. */
  const arriving = new Set<Arriving>()

  /** Reserves `more` bytes; refuses the oldest bodies if needed. Returns false if there is no room. */
  const reserve = (more: number, requester: Arriving): boolean => {
    while (heldBytes + more > maxBytes) {
      const [slowest] = arriving
      if (!slowest || slowest === requester) return false
      slowest.evict()
    }
    heldBytes += more
    return true
  }
  const release = (body: Arriving): void => {
    heldBytes -= body.bytes.length
    body.bytes = NOTHING
    arriving.delete(body)
  }
  /** Makes room for `needed` bytes in the body's buffer. It doubles the buffer, up to the expected length. */
  const grow = (body: Arriving, needed: number, maxAt: number): boolean => {
    if (needed <= body.bytes.length) return true
    const size = Math.min(maxAt, Math.max(needed, 2 * body.bytes.length))
    if (!reserve(size - body.bytes.length, body)) return false
    const larger = Buffer.allocUnsafeSlow(size)
    body.bytes.copy(larger, 0, 0, body.length)
    body.bytes = larger
    return true
  }

  /** Collects the body up to `limitBytes`. */
  const collectBeginning: BodyBudget['collectBeginning'] = (request, reply, limitBytes) => {
    const expected = Math.min(limitBytes, Number(request.headers['content-length'] ?? limitBytes))
    return new Promise((resolve, reject) => {
      const stop = (refusal: Refusal): void => {
        quit()
        release(body)
        // Read the rest anyway: the caller reads the answer only after it has sent everything.
        request.resume()
        reject(refusal)
      }
      const body: Arriving = { bytes: NOTHING, length: 0, evict: () => stop(budgetRefusal()) }
      const onData = (piece: Buffer): void => {
        const length = Math.min(body.length + piece.length, limitBytes)
        if (!grow(body, length, expected)) {
          stop(budgetRefusal())
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
      const onBroken = (): void => stop(disconnectRefusal())
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
      // A body with a declared length over the limit isn't read.
      if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
      const { bytes, isWhole } = await collectBeginning(request, reply, limitBytes)
      if (!isWhole) throw tooLarge(limitBytes)
      return bytes
    },
  }
}

const NOTHING = Buffer.alloc(0)
