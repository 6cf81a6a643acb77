import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SECOND_MS } from '../../core/clock.ts'
import type { Director } from './director.ts'
import { createSimulatorHandler, type SimulatorLog } from './handler.ts'
import type { SimulatorStore } from './store.ts'

/** Who answers requests that are not for the operator. */
export type Beside = { handles(req: IncomingMessage): boolean; handle: RequestListener }

/**
 * Serves the simulated operator on an address of its own; port 0 takes a free one. `url` is the base address for
 * numbers, without a version. `close` waits for the calls that are being answered, and ends those that hang.
 * `besides` are requests that are not for the operator.
 */
export async function startSimulator(options: {
  store: SimulatorStore
  port: number
  host: string
  director?: Director
  log?: SimulatorLog
  besides?: Beside[]
}): Promise<{ url: string; close(): Promise<void> }> {
  const { besides = [] } = options
  const hanging = new Set<ServerResponse>()
  const play = createSimulatorHandler({ ...options, hanging })
  const server = createServer((req, res) =>
    (besides.find((one) => one.handles(req))?.handle ?? play)(req, res),
  )
  // Longer than any client keeps an idle connection: none is closed under a request.
  server.keepAliveTimeout = 75 * SECOND_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const { address, family, port } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeIdleConnections()
        for (const res of hanging) res.destroy()
      }),
  }
}
