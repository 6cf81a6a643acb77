import type { Clock } from '../../core/clock.ts'
import { sameSecret } from '../../core/values/api-key.ts'
import type { Entity, EntityKind, GatewayFault, GatewayStore, SimulatedAccount } from './store.ts'
import type { WebhookPoster } from './webhook-poster.ts'

/** An armed fault: for which calls (`*` for all), which fault, and how often. */
export type ArmedFault = { call: string; kind: GatewayFault; times: number }

/** An in-memory store for a standalone gateway; a crash loses everything. */
export type MemoryStore = GatewayStore & {
  faults: ArmedFault[]
  /** The number of calls, by method and path. */
  calls: Map<string, number>
  clear(): void
}

export function createMemoryStore(options: {
  account: SimulatedAccount
  clock: Clock
  poster: Pick<WebhookPoster, 'post'>
}): MemoryStore {
  const { account, clock, poster } = options
  const shelves = new Map<EntityKind, Map<string, Entity>>()
  const shelf = (kind: EntityKind) => {
    const entities = shelves.get(kind) ?? new Map<string, Entity>()
    shelves.set(kind, entities)
    return entities
  }
  const faults: ArmedFault[] = []
  const calls = new Map<string, number>()
  return {
    faults,
    calls,
    findAccount: async (keyId) => (sameSecret(keyId, account.keyId) ? account : undefined),
    now: async () => clock.now(),
    find: async (_account, kind, id) => shelf(kind).get(id),
    list: async (_account, kind) => [...shelf(kind).values()].reverse(),
    keep: async (_account, kind, entity) => {
      shelf(kind).set(entity.id, entity)
    },
    post: async (_account, event) => poster.post(event),
    takeFault: async (_account, call) => {
      calls.set(call, (calls.get(call) ?? 0) + 1)
      const fault = faults.find((fault) => fault.times > 0 && (fault.call === '*' || fault.call === call))
      if (fault) fault.times--
      return fault?.kind
    },
    clear() {
      shelves.clear()
      faults.length = 0
      calls.clear()
    },
  }
}
