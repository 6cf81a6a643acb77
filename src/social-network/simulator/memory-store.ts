import { type Clock, systemClock } from '../../core/clock.ts'
import { sameSecret } from '../../core/values/api-key.ts'
import type { FaultKind, NetworkEvent, SimulatedAccount, SimulatedObject, SocialStore } from './store.ts'

/** An in-memory store for a standalone simulator. */
export type MemoryStore = SocialStore & {
  /** Its accounts; more may be added at any time. */
  accounts: SimulatedAccount[]
  armFault(kind: FaultKind, times: number): void
  clearFaults(): void
  /** Returns the unused faults. */
  faults(): { kind: FaultKind; left: number }[]
}

/**
 * Creates a store that keeps everything in memory and passes each report to `report`. A crash loses
 * everything.
 */
export function createMemoryStore(options: {
  accounts: SimulatedAccount[]
  report(account: SimulatedAccount, event: NetworkEvent): Promise<unknown>
  clock?: Clock
}): MemoryStore {
  const { clock = systemClock } = options
  const accounts = [...options.accounts]
  const objects = new Map<string, SimulatedObject>()
  let faults: { kind: FaultKind; left: number }[] = []
  const isUnexpired = ({ expiresAt }: SimulatedObject): boolean =>
    expiresAt === null || expiresAt > clock.now()
  const findAccount = async (networkId: string) => accounts.find((account) => account.networkId === networkId)
  const find = async (id: string) => {
    const object = objects.get(id)
    return object && isUnexpired(object) ? object : undefined
  }
  return {
    accounts,
    findAccount,
    async findAccountByToken(token) {
      const object = await find(token)
      if (object?.kind === 'token') return findAccount(object.accountId)
      return accounts.find((account) => sameSecret(account.token, token))
    },
    currentTime: clock.now,
    async keep(account, object) {
      objects.set(object.id, { ...object, accountId: account.networkId })
    },
    find,
    list: async (account, kind) =>
      [...objects.values()].filter(
        (object) => object.kind === kind && object.accountId === account.networkId && isUnexpired(object),
      ),
    async drop(account, kind, id) {
      const object = objects.get(id)
      return object?.kind === kind && object.accountId === account.networkId && objects.delete(id)
    },
    async report(account, event) {
      await options.report(account, event)
      return null
    },
    async takeFault(_account, kinds) {
      const armed = faults.find(({ kind, left }) => left > 0 && kinds.includes(kind))
      if (!armed) return undefined
      armed.left--
      return armed.kind
    },
    armFault(kind, times) {
      faults.push({ kind, left: times })
    },
    clearFaults() {
      faults = []
    },
    faults: () => faults.filter(({ left }) => left > 0),
  }
}
