/**
 * What a connection may cost before anybody is known to be behind it: how many there are, how long they may take, how
 * long a head they send. Whatever is no request at all is answered in the shape of our errors and hung up on.
 */
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Server, Socket } from 'node:net'
import { Refusal } from '../core/errors.ts'
import { STATUS_CODES } from '../core/node-http.ts'
import { bodyOf } from './answer.ts'
import { SECURITY_HEADERS } from './answer-headers.ts'

export type ConnectionLimits = {
  /** Connections at once; further ones are hung up on. */
  maxConnections: number
  /** From the first byte (or the connection) to the end of a request's headers. */
  headersMs: number
  /** The same to the end of its body. */
  requestMs: number
  /** How long neither side may say anything, while an answer is made or a reader does not read. */
  silenceMs: number
  /** How long a connection without a request under way is kept. */
  idleMs: number
  /** How often lateness is looked for. */
  lookMs: number
  /** What the bodies of callers without a key may hold of memory, all together. */
  heldBodyBytes: number
}

/** Descriptors that connections leave to the database, the outside and files. */
const KEPT_DESCRIPTORS = 128
const MAX_CONNECTIONS = 10_000
const CONNECTIONS_LEAST = 32
/** The address and the headers of a request, together. */
export const HEAD_BYTES = 16 * 1024
const HELD_BODY_BYTES = 128 * 1024 * 1024

/** How many files and sockets this process may have open; undefined where the system does not say. */
function maxDescriptors(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}

export const connectionLimits = (): ConnectionLimits => ({
  maxConnections: Math.max(
    CONNECTIONS_LEAST,
    Math.min(MAX_CONNECTIONS, (maxDescriptors() ?? Number.POSITIVE_INFINITY) - KEPT_DESCRIPTORS),
  ),
  headersMs: 20_000,
  requestMs: 60_000,
  silenceMs: 180_000,
  idleMs: 72_000,
  lookMs: 5_000,
  heldBodyBytes: HELD_BODY_BYTES,
})

/** The limits in the words of Fastify and Node. */
export const serverOptionsOf = (limits: ConnectionLimits) => ({
  requestTimeout: limits.requestMs,
  connectionTimeout: limits.silenceMs,
  keepAliveTimeout: limits.idleMs,
  http: {
    headersTimeout: limits.headersMs,
    connectionsCheckingInterval: limits.lookMs,
    maxHeaderSize: HEAD_BYTES,
    // Node would answer it without a body.
    requireHostHeader: false,
    // A peer that vanished without a word is found out.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  },
  clientErrorHandler: refuseUnreadable,
})

/** Sets how many connections there may be, and says now and then how many had no place. */
export function boundConnections(
  server: Server,
  { maxConnections, lookMs }: ConnectionLimits,
  say: (turnedAway: number) => void,
): void {
  server.maxConnections = maxConnections
  let turnedAway = 0
  server.on('drop', () => {
    turnedAway++
    if (turnedAway > 1) return
    setTimeout(() => {
      say(turnedAway)
      turnedAway = 0
    }, lookMs).unref()
  })
}

/** How many hosts the request names: of several, two readers may each see another (RFC 9112 section 3.2). */
export function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts
}

const STATUS_OF: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, `The address and headers are larger than ${HEAD_BYTES / 1024} KB. Send fewer.`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive. Send it again.'],
}

/** Connections whose request was answered before all of it had come: whoever never sends the rest hears nothing more. */
const answeredEarly = new WeakSet<Socket>()

export function noteAnsweredEarly(request: IncomingMessage): void {
  const { socket } = request
  answeredEarly.add(socket)
  request.once('end', () => answeredEarly.delete(socket))
}

/** Answers what Node could not read as a request, and hangs up: where it ends, nobody knows. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (!socket.writable || answeredEarly.has(socket)) {
    socket.destroy()
    return
  }
  const [status, why] = STATUS_OF[error.code ?? ''] ?? [400, "This isn't a valid HTTP request."]
  const body = JSON.stringify(bodyOf(new Refusal('invalid', why, { issues: [] })))
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('\r\n')}\r\n\r\n${body}`)
  // Whoever does not read the answer is not waited for.
  socket.setTimeout(1_000, () => socket.destroy())
}
