/** Sends kept calls again: to this process, or to the new cell of their workspace (docs/decisions/workspace-moves.md). */
import type { FastifyInstance } from 'fastify'
import { SECOND_MS } from '../core/clock.ts'
import type { Egress } from '../egress/egress.ts'
import type { KeptCall } from '../modules/platform/workspaces/work/kept-callbacks-source.ts'

const TIMEOUT_MS = 30 * SECOND_MS

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH'

/**
 * Returns a receiver of kept calls. It opens its server with the first call, because most processes never receive one.
 */
export function callbackReplay(open: () => FastifyInstance) {
  let server: FastifyInstance | undefined
  return {
    /** Handles the call as if it had just arrived, and returns the status of the answer. */
    async receive({ method, path, headers, body, sender }: KeptCall): Promise<number> {
      server ??= open()
      const { statusCode } = await server.inject({
        method: method as Method,
        url: path,
        headers: { ...headers, host: 'localhost' },
        remoteAddress: sender,
        ...(body.length === 0 ? {} : { payload: body }),
      })
      return statusCode
    },
    async close(): Promise<void> {
      await server?.close()
    },
  }
}

/**
 * Returns a function that sends a kept call to the address of another installation, and returns the status of the answer. Only
 * an admin of the installation sets the address.
 */
export const callbackForwarder =
  (egress: Egress) =>
  async (address: string, { method, path, headers, body, sender }: KeptCall): Promise<number> => {
    const target = egress.prepareTarget(`${address}${path}`, { requireHttps: false })
    const { status } = await egress.send(method as Method, {
      target,
      headers: { ...headers, 'x-forwarded-for': sender },
      body,
      timeoutMs: TIMEOUT_MS,
    })
    return status
  }
