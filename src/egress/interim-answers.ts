/**
 * Skips the interim answers that a server may send before its answer (RFC 9110, 15.2): undici treats a `100
 * Continue` as a broken answer.
 */
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'

const INTERIM = Buffer.from('HTTP/1.1 1')
/** The bytes after this status are no longer HTTP, and Parley never requests it. */
const SWITCHED = Buffer.from('HTTP/1.1 101')
const END_OF_HEADERS = '\r\n\r\n'
/** An interim answer with endless headers is buffered up to this size; then undici rejects it. */
const MAX_HELD_BYTES = 16 * 1024

/** Returns whether the bytes start with the text, or are the start of it. */
const mayBegin = (bytes: Buffer, text: Buffer): boolean => {
  const compared = Math.min(bytes.length, text.length)
  return bytes.compare(text, 0, compared, 0, compared) === 0
}

/** Returns the bytes after all interim answers. `more`: they may be the start of another interim answer. */
function skipInterim(bytes: Buffer): { rest: Buffer; more: boolean } {
  for (let rest = bytes; ; ) {
    if (!mayBegin(rest, INTERIM)) return { rest, more: false }
    if (rest.length >= SWITCHED.length && mayBegin(rest, SWITCHED)) return { rest, more: false }
    const end = rest.indexOf(END_OF_HEADERS)
    if (end < 0) return { rest, more: rest.length <= MAX_HELD_BYTES }
    rest = rest.subarray(end + END_OF_HEADERS.length)
  }
}

/**
 * The socket carries one call at a time, so the first bytes read after a write are the start of an answer.
 */
function readBehindInterim(socket: Socket | TLSSocket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  let atBeginning = false
  let held: Buffer | undefined

  const readBeginning = (): Buffer | null => {
    for (;;) {
      const chunk = read()
      if (chunk === null) return null
      const { rest, more } = skipInterim(held ? Buffer.concat([held, chunk]) : chunk)
      held = more ? rest : undefined
      if (more) continue
      atBeginning = false
      return rest
    }
  }

  Object.assign(socket, {
    write: (...args: unknown[]) => {
      atBeginning = true
      return write(...args)
    },
    // Node itself reads zero bytes to fetch more.
    read: (size?: number) => (atBeginning && size === undefined ? readBeginning() : read(size)),
  })
}

/** Wraps a connector so that its connections skip interim answers. */
export const passOverInterim =
  (connector: buildConnector.connector): buildConnector.connector =>
  (connectOptions, callback) =>
    connector(connectOptions, (...result) => {
      const [, socket] = result
      if (socket) readBehindInterim(socket)
      callback(...result)
    })
