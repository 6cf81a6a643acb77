import type { IncomingMessage, RequestListener } from 'node:http'
import { type ListeningServer, openListeningServer } from '../../core/listening-server.ts'
import { createSimulatorHandler, type SimulatorLog } from './handler.ts'
import type { SocialStore } from './store.ts'

/**
 * Serves the simulated photo network on its own address; port 0 takes a free port. `url` is the base address
 * for accounts, without a version. `besides` handle requests that are not for the network.
 */
export async function startSocialSimulator(options: {
  store: SocialStore
  port: number
  host: string
  log?: SimulatorLog
  canFetch?: (url: string) => Promise<boolean>
  extraHandler?: { handles(req: IncomingMessage): boolean; control: RequestListener }
}): Promise<ListeningServer> {
  const { extraHandler } = options
  const play = createSimulatorHandler(options)
  return openListeningServer(
    (req, res) => (extraHandler?.handles(req) ? extraHandler.control : play)(req, res),
    options,
  )
}
