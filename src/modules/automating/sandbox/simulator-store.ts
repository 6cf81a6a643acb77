import { batched, HOT_BATCH } from '../../../core/batch.ts'
import { type Clock, later, realTime, workspaceTime } from '../../../core/clock.ts'
import type { Database, Workspace } from '../../../core/context.ts'
import { runOffsetOf } from '../../../core/due.ts'
import { isUuid, newId } from '../../../core/ids.ts'
import { oncePer } from '../../../core/once-per.ts'
import type { Sealer } from '../../../core/sealing.ts'
import { sameSecret } from '../../../core/values/api-key.ts'
import { digitsOf } from '../../../core/values/phone.ts'
import type { SimulatedNumber, SimulatorStore } from '../../../operator/simulator/store.ts'
import {
  findSimulatedMessages,
  type NewUpdate,
  scheduleUpdates,
} from '../../messaging/messages/intake/operations/intake.ts'
import { laterReport } from '../../messaging/messages/intake/operations/later-reports.ts'
import type { Directory } from '../../platform/workspaces/directory.ts'
import type { NumberRecord } from '../../platform/workspaces/operations/phone-numbers.ts'
import { listSimulatedOperatorIds } from '../../platform/workspaces/operations/phone-numbers.ts'
import { databaseObjects } from './simulator-objects.ts'

export type SimulatorStoreOptions = {
  database: Database
  clock: Clock
  sealer: Sealer
  directory: Directory
}

/**
 * Stores the simulator's future reports in the intake with their due times, in the workspace's time, so that
 * a crash loses nothing and a sandbox clock moves them.
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
  // Opened once for each cached record, so that a message costs no decryption.
  const simulated = oncePer(
    ({ operatorId, accountId, tokenSealed, number, createdAt }: NumberRecord): SimulatedNumber => ({
      operatorId,
      accountId,
      token: sealer.open(tokenSealed),
      displayNumber: digitsOf(number),
      onboardedAt: createdAt,
    }),
  )
  const findNumber = async (operatorId: string): Promise<SimulatedNumber | undefined> => {
    const number = await directory.numberByOperatorId('simulator', operatorId)
    return number && simulated(number)
  }
  const workspaceOf = async ({ operatorId }: SimulatedNumber): Promise<Workspace> => {
    const ownedNumber = await owner(operatorId)
    if (!ownedNumber) throw new Error('the simulated number is gone')
    return ownedNumber.workspace
  }
  // Messages that are handed over together are looked up together, and their reports are written together;
  // otherwise each hand-over would wait for a commit. A report that is written twice counts as a repeated
  // one.
  const options = { ...HOT_BATCH, mayRunAgain: () => true }
  const findTaken = batched(
    (messages: { workspaceId: string; reference: string }[]) =>
      findSimulatedMessages(database.query, messages),
    options,
  )
  const schedule = batched(async (updates: NewUpdate[]) => {
    await scheduleUpdates(database.query, updates)
    return updates.map(() => undefined)
  }, options)
  return {
    findNumber,
    async listNumbers(accountId) {
      const ids = await listSimulatedOperatorIds(database.query, accountId)
      return (await Promise.all(ids.map(findNumber))).filter((number) => number !== undefined)
    },
    async findNumberByToken(token) {
      // A simulated token begins with its number's id (addPhoneNumber).
      const number = await findNumber(token.split('.', 1)[0] ?? '')
      return number && sameSecret(number.token, token) ? number : undefined
    },
    now: async (number) => workspaceTime(clock, await workspaceOf(number)),
    ...databaseObjects({
      query: database.query,
      clock,
      workspaceOf,
      workspace: directory.workspace,
    }),
    async findAccepted(number, callbackData) {
      const ownedNumber = await owner(number.operatorId)
      return ownedNumber && isUuid(callbackData)
        ? findTaken({ workspaceId: ownedNumber.workspace.id, reference: callbackData })
        : undefined
    },
    async schedule(number, reports, callbackData) {
      const ownedNumber = await owner(number.operatorId)
      if (!ownedNumber) throw new Error('the simulated number is gone')
      const now = workspaceTime(clock, ownedNumber.workspace)
      const bodies = reports.map(({ field = 'messages', value, afterMs }) => ({
        field,
        value: value(later(now, afterMs)),
      }))
      const [first] = reports
      if (!first) return
      await schedule({
        workspaceId: ownedNumber.workspace.id,
        id: newId(),
        phoneNumberId: ownedNumber.number.id,
        sender: null,
        // All reports of a message are in one row: those that are due together are applied together.
        body: {
          ...bodies[0]!,
          next: bodies
            .slice(1)
            .map((body, i) =>
              laterReport(bodies[i]!, { ...body, afterMs: reports[i + 1]!.afterMs - reports[i]!.afterMs }),
            ),
        },
        reference: callbackData !== undefined && isUuid(callbackData) ? callbackData : null,
        runAt: realTime(later(now, first.afterMs), ownedNumber.workspace),
        runOffsetMs: runOffsetOf(ownedNumber.workspace),
        receivedAt: clock.now(),
      })
    },
  }
}
