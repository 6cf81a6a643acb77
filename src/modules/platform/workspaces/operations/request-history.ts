/** Requests the chats and the address book of a number that stays in the phone app. */
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { AnsweringContext } from '../../../../core/endpoint.ts'
import { Refusal, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid } from '../../../../core/ids.ts'
import type { Answered, OperatorNumber } from '../../../../operator/port.ts'
import { operatorRefusal } from '../../../../operator/refusals.ts'
import {
  findHistoryForUpdate,
  type HistoryState,
  markHistoryRefused,
  markHistoryRequested,
} from '../queries/history.ts'
import { recordActivity } from './activity.ts'
import { listPhoneNumbers } from './phone-numbers.ts'

/** The operator accepts requests for this time after the number was connected. */
const MAX_AGE_MS = DAY_MS

type Failed = Exclude<Answered<unknown>, { kind: 'done' }>
export type RequestedHistory = {
  phoneNumber: Awaited<ReturnType<typeof listPhoneNumbers>>[number]
  /** Why the address book was not requested; null if it was. */
  addressBookProblem: string | null
}

const ALREADY: Record<HistoryState, string | undefined> = {
  requested: undefined,
  declined: undefined,
  receiving: 'The history of this number is already arriving. See historySync in GET /phone-numbers.',
  complete: 'The history of this number has already arrived. The operator sends it once.',
}

/**
 * Requests the address book, then the history. A request whose outcome is unknown may be repeated: the
 * operator accepts each once, and a refusal of the second then confirms the first. Refusals: `not_found`, `conflict` (arrived already, requested too late, or not a
 * number of the phone app), `meta_error`.
 */
export async function requestHistory(
  ctx: AnsweringContext<RequestedHistory>,
  id: string,
): Promise<RequestedHistory> {
  const { workspace, outside } = ctx
  const number = isUuid(id) ? await outside.operatorNumber(workspace.id, id) : undefined
  const unknown = `Number ${id} not found. See GET /phone-numbers.`
  if (!number) return refuse('not_found', unknown)
  const before = await ctx.transaction(async (tenant) => {
    const row = await findHistoryForUpdate(tenant.tx, workspace.id, id)
    if (!row) return refuse('not_found', unknown)
    if (row.state === 'disconnected')
      refuse('conflict', 'This number is disconnected. Connect it again in Settings → Numbers.')
    const already = row.historyState === null ? undefined : ALREADY[row.historyState]
    if (already !== undefined) refuse('conflict', already)
    await markHistoryRequested(tenant.tx, workspace.id, id, tenant.now)
    return { requestedAt: tenant.now, state: row.historyState }
  })
  const addressBook = await outside.operator.requestPhoneAppData(number, 'smb_app_state_sync')
  const history = await outside.operator.requestPhoneAppData(number, 'history')
  const refusal = history.kind === 'done' ? undefined : await refusalOf(ctx, number, before.state, history)
  return ctx.lastTransaction(async (tenant) => {
    touch(tenant, { number: id })
    if (refusal) {
      if (history.kind === 'unknown') return refusal
      const key = { workspaceId: workspace.id, phoneNumberId: id }
      await markHistoryRefused(tenant.tx, key, { ...before, reason: refusal.message })
      return refusal
    }
    await recordActivity(tenant, 'number.changed', { phoneNumberId: id, changed: ['history'] })
    const phoneNumber = (await listPhoneNumbers(tenant)).find((shown) => shown.id === id)
    if (!phoneNumber) return refuse('not_found', unknown)
    return {
      phoneNumber,
      addressBookProblem: addressBook.kind === 'done' ? null : operatorRefusal(addressBook).message,
    }
  })
}

/**
 * Explains a refusal by the state of the number at the operator. Returns undefined if only an earlier request can be the
 * reason: it was accepted, but this process did not learn of it.
 */
async function refusalOf(
  { outside, clock }: AnsweringContext<RequestedHistory>,
  number: OperatorNumber,
  earlier: HistoryState | null,
  failed: Failed,
): Promise<Refusal | undefined> {
  if (failed.kind !== 'refused' || failed.error.category === 'auth') return operatorRefusal(failed)
  const found = await outside.operator.findNumber(number)
  if (found.kind !== 'done') return operatorRefusal(failed)
  const { isInPhoneApp, onboardedAt } = found.value
  if (isInPhoneApp === false)
    return new Refusal(
      'conflict',
      "This number isn't used in the phone app, so it has no history to request. Connect it with the phone app first.",
    )
  if (onboardedAt !== null && onboardedAt < later(clock.now(), -MAX_AGE_MS))
    return new Refusal(
      'conflict',
      'The history can be requested within 24 hours after the number was connected. Disconnect the number in the phone app, then connect it again.',
    )
  return earlier === 'requested' ? undefined : operatorRefusal(failed)
}
