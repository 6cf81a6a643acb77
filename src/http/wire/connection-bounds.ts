/**
 * Limits the cost of a connection before its caller is authenticated: the number of connections, the
 * duration, and the size of the head. Data that isn't HTTP gets an error in our format, then the connection
 * is closed.
 */
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Server, Socket } from 'node:net'
import { Refusal } from '../../core/errors.ts'
import { STATUS_CODES } from '../../core/node-http.ts'
import { bodyOf } from './answer.ts'
import { SECURITY_HEADERS } from './answer-headers.ts'

export type ConnectionLimits = {
  /** Maximum of open connections; further connections are closed. */
  maxConnections: number
  /** From the first byte (or the connection) to the end of the request's headers. */
  headersMs: number
  /** From the same moment to the end of the request's body. */
  requestMs: number
  /** The time for which both sides may be silent, while a response is prepared or the client doesn't read. */
  silenceMs: number
  /** The time for which a connection without a request stays open. */
  idleMs: number
  /** The interval of the server's checks for late connections. */
  lookMs: number
  /** Memory limit for the bodies of all callers without a key together. */
  heldBodyBytes: number
}

/** File descriptors kept free for the database, outgoing calls, and files. */
const KEPT_DESCRIPTORS = 128
const MAX_CONNECTIONS = 10_000
const CONNECTIONS_LEAST = 32
/** Maximum size of a request's address and headers together. */
export const HEAD_BYTES = 16 * 1024
const HELD_BODY_BYTES = 128 * 1024 * 1024

/**
 * Returns how many files and sockets this process may have open; undefined if the system doesn't report it.
 */
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

/** Converts the limits to options of Fastify and Node. */
export const serverOptionsOf = (limits: ConnectionLimits, siteUrl: string) => ({
  requestTimeout: limits.requestMs,
  connectionTimeout: limits.silenceMs,
  keepAliveTimeout: limits.idleMs,
  http: {
    headersTimeout: limits.headersMs,
    connectionsCheckingInterval: limits.lookMs,
    maxHeaderSize: HEAD_BYTES,
    // Node's own response has no body, so we check the header ourselves.
    requireHostHeader: false,
    // Detects peers that vanished without closing the connection.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  },
  clientErrorHandler: (error: Error & { code?: string }, socket: Socket) =>
    refuseUnreadable(error, socket, siteUrl),
})

/** Limits the number of connections, and reports refused connections at most once per `lookMs`. */
export function boundConnections(
  server: Server,
  { maxConnections, lookMs }: ConnectionLimits,
  report: (count: number) => void,
): void {
  server.maxConnections = maxConnections
  let refusedCount = 0
  server.on('drop', () => {
    refusedCount++
    if (refusedCount > 1) return
    setTimeout(() => {
      report(refusedCount)
      refusedCount = 0
    }, lookMs).unref()
  })
}

/**
 * Counts the Host headers of a request: with several, a proxy and this server could choose different ones
 * (RFC 9112 section 3.2).
 */
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

/**
 * Connections whose request was answered before all of it arrived. If the rest never arrives, the client gets
 * no second answer.
 */
const answeredEarly = new WeakSet<Socket>()

export function markAnsweredEarly(request: IncomingMessage): void {
  const { socket } = request
  answeredEarly.add(socket)
  request.once('end', () => answeredEarly.delete(socket))
}

/**
 * Answers data that Node can't parse as a request, and closes the connection: the end of the request is
 * unknown.
 */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket, siteUrl: string): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (!socket.writable || answeredEarly.has(socket)) {
    socket.destroy()
    return
  }
  const [status, message] = STATUS_OF[error.code ?? ''] ?? [400, "This isn't a valid HTTP request."]
  const body = JSON.stringify(bodyOf(new Refusal('invalid', message, { issues: [] }), siteUrl))
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('\r\n')}\r\n\r\n${body}`)
  // Don't wait for clients that don't read the response.
  socket.setTimeout(1_000, () => socket.destroy())
}
