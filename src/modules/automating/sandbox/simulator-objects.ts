import { type Clock, workspaceTime } from '../../../core/clock.ts'
import type { Query, Workspace } from '../../../core/context.ts'
import type { SimulatedNumber, SimulatorStore } from '../../../operator/simulator/store.ts'
import {
  deleteSimulatorObject,
  findSimulatorObject,
  hasSimulatorObject,
  listSimulatorObjects,
  upsertSimulatorObject,
} from './queries.ts'

/** Stores the simulated operator's objects in the database, in each sandbox's own time. */
export function databaseObjects(parts: {
  query: Query
  clock: Clock
  workspaceOf(number: SimulatedNumber): Promise<Workspace>
  workspace(id: string): Promise<Workspace | undefined>
}): Pick<SimulatorStore, 'keep' | 'find' | 'has' | 'list' | 'drop'> {
  const { query, clock, workspaceOf } = parts
  /** Returns the number's account, as the place of its objects of a kind, and the sandbox's current time. */
  const shelfOf = async (number: SimulatedNumber, kind: string) => {
    const workspace = await workspaceOf(number)
    const now = workspaceTime(clock, workspace)
    return { workspaceId: workspace.id, accountId: number.accountId, kind, now }
  }
  return {
    async keep(number, object) {
      const workspace = await workspaceOf(number)
      await upsertSimulatorObject(query, workspace.id, {
        ...object,
        accountId: number.accountId,
        createdAt: workspaceTime(clock, workspace),
      })
    },
    async find(id) {
      const found = await findSimulatorObject(query, id)
      const workspace = found && (await parts.workspace(found.workspaceId))
      if (!found || !workspace) return undefined
      const isExpired = found.expiresAt !== null && found.expiresAt <= workspaceTime(clock, workspace)
      return isExpired ? undefined : found
    },
    has: async (number, kind, id) => hasSimulatorObject(query, { ...(await shelfOf(number, kind)), id }),
    list: async (number, kind) => listSimulatorObjects(query, await shelfOf(number, kind)),
    drop: async (number, kind, id) => deleteSimulatorObject(query, { ...(await shelfOf(number, kind)), id }),
  }
}
