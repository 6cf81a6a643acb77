import { type ListeningServer, openListeningServer } from '../../core/listening-server.ts'
import { createGatewayHandler, type GatewayHandlerOptions } from './handler.ts'

const PREFIX = '/v1'

/**
 * Serves the simulated gateway to this machine only, on a free port. `url` is the base address for accounts.
 */
export async function startGatewaySimulator(
  options: Omit<GatewayHandlerOptions, 'prefix'>,
): Promise<ListeningServer> {
  const answer = createGatewayHandler({ ...options, prefix: PREFIX })
  const { url, close } = await openListeningServer(answer, { host: '127.0.0.1', port: 0 })
  return { url: url + PREFIX, close }
}
