import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SECOND_MS } from '../../core/clock.ts'
import { createGatewayHandler, type GatewayHandlerOptions } from './handler.ts'

const PREFIX = '/v1'

/** Serves the simulated gateway to this machine alone, on a free port. `url` is the base address for accounts. */
export async function startGatewaySimulator(
  options: Omit<GatewayHandlerOptions, 'prefix'>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(createGatewayHandler({ ...options, prefix: PREFIX }))
  // Longer than any client keeps an idle connection: none is closed under a request.
  server.keepAliveTimeout = 75 * SECOND_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${PREFIX}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeIdleConnections()
      }),
  }
}
