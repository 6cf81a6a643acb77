import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type ListeningServer, openListeningServer } from '../../core/listening-server.ts'
import { createSimulatorHandler, type SimulatorSetup } from './handler.ts'

/** Answers requests that are not for the operator. */
export type Beside = { handles(req: IncomingMessage): boolean; handle: RequestListener }

/**
 * Serves the simulated operator on its own address; port 0 takes a free port. `url` is the base address for
 * numbers, without a version. `close` waits for calls in progress and ends those that hang. `besides` handle
 * requests that are not for the operator.
 */
export async function startSimulator(
  options: SimulatorSetup & { port: number; host: string; otherHandlers?: Beside[] },
): Promise<ListeningServer> {
  const { otherHandlers = [] } = options
  const hanging = new Set<ServerResponse>()
  const play = createSimulatorHandler({ ...options, hanging })
  const server = await openListeningServer(
    (req, res) => (otherHandlers.find((handler) => handler.handles(req))?.handle ?? play)(req, res),
    options,
  )
  return {
    url: server.url,
    close: () => {
      const closed = server.close()
      for (const res of hanging) res.destroy()
      return closed
    },
  }
}
