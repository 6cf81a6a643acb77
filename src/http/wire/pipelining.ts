/**
 * Limits the requests that one connection may have in flight (docs/decisions/rate-limits.md "Pipelined
 * requests"). Node emits all requests of a packet, and each uses memory until its answer is read.
 */
import type { RequestListener, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'

/** The answer to this request closes its connection; later requests are dropped. */
export const MAX_UNDER_WAY = 32
/** After this many dropped requests, the connection is destroyed immediately. */
export const MAX_LEFT_ASIDE = 96

type Load = { underWay: number; leftAside: number; isFull: boolean }

/** Limits the requests in flight on each connection of the server. */
export function boundPipelining(server: Server): void {
  const [handle] = server.listeners('request') as [RequestListener]
  const loads = new WeakMap<Socket, Load>()
  const loadOf = (socket: Socket): Load => {
    const existing = loads.get(socket)
    if (existing) return existing
    const load = { underWay: 0, leftAside: 0, isFull: false }
    loads.set(socket, load)
    return load
  }
  const isAdmitted = (socket: Socket, response: ServerResponse): boolean => {
    const load = loadOf(socket)
    if (load.isFull) {
      if (++load.leftAside > MAX_LEFT_ASIDE) socket.destroy()
      return false
    }
    load.isFull = ++load.underWay === MAX_UNDER_WAY
    response.shouldKeepAlive &&= !load.isFull
    response.once('close', () => load.underWay--)
    return true
  }
  server.off('request', handle).on('request', (request, response) => {
    if (isAdmitted(request.socket, response)) handle(request, response)
  })
}
