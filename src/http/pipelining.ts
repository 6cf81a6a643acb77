/**
 * How many requests one connection may have under way (docs/decisions/rate-limits.md "Pipelined requests").
 * Node reads and hands over all that a packet holds; each keeps its memory until its answer has been taken.
 */
import type { RequestListener, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'

/** The last of so many makes its answer that of the connection: what came after it is not done. */
export const MAX_UNDER_WAY = 32
/** Whoever has sent so many more is not waited for. */
export const MAX_LEFT_ASIDE = 96

type Load = { underWay: number; leftAside: number; isFull: boolean }

/** Bounds what each connection of the server has under way. */
export function boundPipelining(server: Server): void {
  const [handle] = server.listeners('request') as [RequestListener]
  const loads = new WeakMap<Socket, Load>()
  const loadOf = (socket: Socket): Load => {
    const known = loads.get(socket)
    if (known) return known
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
