/**
 * Passes over the interim answers that a server may send unasked before its own (RFC 9110, 15.2): undici takes a `100 Continue` for
 * a broken answer.
 */
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'

const INTERIM = Buffer.from('HTTP/1.1 1')
/** What follows it is no HTTP any more, and was not asked for. */
const SWITCHED = Buffer.from('HTTP/1.1 101')
const END_OF_HEADERS = '\r\n\r\n'
/** Of one whose headers do not end, no more than this is held back; undici then refuses it. */
const MAX_HELD_BYTES = 16 * 1024

/** Whether the bytes begin with the text, or are the beginning of it. */
const mayBegin = (bytes: Buffer, text: Buffer): boolean => {
  const compared = Math.min(bytes.length, text.length)
  return bytes.compare(text, 0, compared, 0, compared) === 0
}

/** The beginning of an answer behind all interim ones; `more`: it may itself be the beginning of one. */
function behindInterim(bytes: Buffer): { rest: Buffer; more: boolean } {
  for (let rest = bytes; ; ) {
    if (!mayBegin(rest, INTERIM)) return { rest, more: false }
    if (rest.length >= SWITCHED.length && mayBegin(rest, SWITCHED)) return { rest, more: false }
    const end = rest.indexOf(END_OF_HEADERS)
    if (end < 0) return { rest, more: rest.length <= MAX_HELD_BYTES }
    rest = rest.subarray(end + END_OF_HEADERS.length)
  }
}

/** The socket carries one call at a time: what is read first after something was written is the beginning of an answer. */
function readBehindInterim(socket: Socket | TLSSocket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean
  let atBeginning = false
  let held: Buffer | undefined

  const readBeginning = (): Buffer | null => {
    for (;;) {
      const chunk = read()
      if (chunk === null) return null
      const { rest, more } = behindInterim(held ? Buffer.concat([held, chunk]) : chunk)
      held = more ? rest : undefined
      if (more) continue
      atBeginning = false
      return rest
    }
  }

  Object.assign(socket, {
    write: (...given: unknown[]) => {
      atBeginning = true
      return write(...given)
    },
    // Node itself asks for zero bytes, to have more fetched.
    read: (size?: number) => (atBeginning && size === undefined ? readBeginning() : read(size)),
  })
}

/** The same connector; of what its connections read, interim answers are left out. */
export const passOverInterim =
  (connector: buildConnector.connector): buildConnector.connector =>
  (wanted, callback) =>
    connector(wanted, (...made) => {
      const [, socket] = made
      if (socket) readBehindInterim(socket)
      callback(...made)
    })
