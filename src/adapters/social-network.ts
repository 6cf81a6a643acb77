/** Opens the photo network: the simulator in this process, the adapter over the egress, and the accounts. */
import type { Config } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import type { Database, Outside } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import { createEgress } from '../egress/egress.ts'
import { createSocialSimulatorStore } from '../modules/automating/sandbox/social-simulator-store.ts'
import type { AccountRow } from '../modules/selling/social/operations/accounts.ts'
import { createGraphNetwork } from '../social-network/graph/network.ts'
import { startSocialSimulator } from '../social-network/simulator/start.ts'
import { accountFinder, accountOpener, type OpenedAccount } from './social-account.ts'
import { watchedNetwork } from './watched-network.ts'

/**
 * Allowed although not public: the deployment sets base addresses, which may be a simulator on this machine.
 */
export const BASE_ADDRESSES = ['127.0.0.0/8', '::1/128']

export type OpenedNetwork = Pick<Outside, 'socialNetwork' | 'socialAccount'> & {
  /** Opens a stored account for calls; undefined if it is disconnected. */
  open(record: AccountRow): OpenedAccount | undefined
  close(): Promise<void>
}

export async function openSocialNetwork(parts: {
  config: Config
  clock: Clock
  database: Database
  sealer: Sealer
  onError(error: unknown): void
}): Promise<OpenedNetwork> {
  const { config, clock, database, sealer, onError } = parts
  const simulator = await startSocialSimulator({
    store: createSocialSimulatorStore({ query: database.query, clock, sealer }),
    host: '127.0.0.1',
    port: 0,
    log: (_, error) => onError(error),
  })
  const egress = createEgress({ allow: [...config.egressAllow, ...BASE_ADDRESSES], ca: config.egressCa })
  const open = accountOpener({ config, sealer, simulatorUrl: simulator.url })
  const network = watchedNetwork(createGraphNetwork({ egress }), { database, onError })
  return {
    open,
    socialNetwork: network,
    socialAccount: accountFinder(database.query, open),
    close: async () => {
      await egress.close()
      await simulator.close()
    },
  }
}
