import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SECOND_MS } from '../../core/clock.ts'
import { createSimulatorHandler, type SimulatorLog } from './handler.ts'
import type { SocialStore } from './store.ts'

/**
 * Serves the simulated photo network on an address of its own; port 0 takes a free one. `url` is the base address for
 * accounts, without a version. `besides` are requests that are not for the network.
 */
export async function startSocialSimulator(options: {
  store: SocialStore
  port: number
  host: string
  log?: SimulatorLog
  besides?: { handles(req: IncomingMessage): boolean; control: RequestListener }
}): Promise<{ url: string; close(): Promise<void> }> {
  const { besides } = options
  const play = createSimulatorHandler(options)
  const server = createServer((req, res) => (besides?.handles(req) ? besides.control : play)(req, res))
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
      }),
  }
}
