import { type Clock, later, realTime, workspaceTime } from '../../core/clock.ts'
import type { Database, Workspace } from '../../core/context.ts'
import { isUuid, newId } from '../../core/ids.ts'
import { digitsOf } from '../../core/phone.ts'
import type { Sealer } from '../../core/sealing.ts'
import type { SimulatorStore } from '../../operator/simulator/store.ts'
import { findSimulatedMessage, scheduleUpdates } from '../messages/operations/intake.ts'
import type { Directory } from '../workspaces/directory.ts'

export type SimulatorStoreOptions = {
  database: Database
  clock: Clock
  sealer: Sealer
  directory: Directory
}

/**
 * The simulator's memory inside Parley: what it will report lies in the intake with the time at
 * which it falls due, in the workspace's time, so that a crash loses nothing and a sandbox clock
 * moves it.
 */
export function createSimulatorStore({
  database,
  clock,
  sealer,
  directory,
}: SimulatorStoreOptions): SimulatorStore {
  const owner = async (operatorId: string) => {
    const number = await directory.numberByOperatorId('simulator', operatorId)
    const workspace: Workspace | undefined = number && (await directory.workspace(number.workspaceId))
    return number && workspace ? { number, workspace } : undefined
  }
  return {
    async findNumber(operatorId) {
      const number = await directory.numberByOperatorId('simulator', operatorId)
      if (!number) return undefined
      const { accountId, tokenSealed } = number
      return {
        operatorId,
        accountId,
        token: sealer.open(tokenSealed),
        displayNumber: digitsOf(number.number),
      }
    },
    async findAccepted(simulated, callbackData) {
      const owned = await owner(simulated.operatorId)
      return owned && isUuid(callbackData)
        ? findSimulatedMessage(database.query, owned.workspace.id, callbackData)
        : undefined
    },
    async schedule(simulated, reports, callbackData) {
      const owned = await owner(simulated.operatorId)
      if (!owned) throw new Error('the simulated number is gone')
      const now = workspaceTime(clock, owned.workspace)
      await scheduleUpdates(
        database.query,
        reports.map((report) => {
          const at = later(now, report.afterMs)
          return {
            workspaceId: owned.workspace.id,
            id: newId(),
            phoneNumberId: owned.number.id,
            body: { field: 'messages', value: report.value(at) },
            reference: callbackData !== undefined && isUuid(callbackData) ? callbackData : null,
            runAt: realTime(at, owned.workspace),
            receivedAt: clock.now(),
          }
        }),
      )
    },
  }
}
