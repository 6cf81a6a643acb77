/**
 * The business's in-chat forms, which are created at the operator and listed here (spec 4.3;
 * src/modules/messaging/templates/DECISIONS.md). A read renews stored forms that are older than five minutes.
 */
import type { z } from 'zod'
import { DAY_MS, later, MINUTE_MS, SECOND_MS } from '../../../../core/clock.ts'
import type { Context, OutsideContext } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import type { OperatorFlow } from '../../../../operator/port.ts'
import { operatorRefusal } from '../../../../operator/refusals.ts'
import {
  type BusinessAccount,
  listBusinessAccounts,
} from '../../../platform/workspaces/operations/business-accounts.ts'
import * as queries from '../queries/flows.ts'
import { COUNTED_DAYS, FLOW_STATUSES, type Flow } from '../schema.ts'
import { countSends } from './count-sends.ts'
import { readOperatorForms } from './operator-forms.ts'

const STALE_AFTER_MS = 5 * MINUTE_MS
/** The time for which a process that requests the forms prevents others from requesting them. */
const ASKING_MS = 30 * SECOND_MS

/** Returns whether a form can be sent to customers. A throttled form is sent more slowly. */
export const isPublished = (status: string): boolean => status === 'published' || status === 'throttled'

/** Returns the state. Forms with a state that is unknown here can't be sent. */
const statusOf = (reported: string): (typeof FLOW_STATUSES)[number] =>
  FLOW_STATUSES.find((status) => status === reported.toLowerCase()) ?? 'draft'

/** Returns a form as the API shows it. */
export const presentFlow = (row: queries.FlowRow, connectionId: string): z.input<typeof Flow> => ({
  id: row.id,
  metaFlowId: row.operatorId,
  wabaConnectionId: connectionId,
  name: row.name,
  status: statusOf(row.status),
  published: isPublished(row.status),
  categories: row.categories,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/**
 * Returns all forms of the workspace's business accounts, newest first, and the time of the operator's last
 * answer. Without any earlier answer, the operator's refusal is returned; otherwise the stored forms are.
 */
export async function readFlows(ctx: OutsideContext) {
  const due = await ctx.transaction(async (txCtx) => {
    const accounts = await listBusinessAccounts(txCtx)
    const claims = await queries.claimSyncs(
      txCtx,
      accounts.map((account) => account.accountId),
      { staleSince: later(txCtx.now, -STALE_AFTER_MS), triedSince: later(txCtx.now, -ASKING_MS) },
    )
    const knownByAccount = new Map(claims.map((claim) => [claim.accountId, claim.known]))
    return accounts.flatMap((account) => {
      const isKnown = knownByAccount.get(account.accountId)
      return isKnown === undefined ? [] : [{ account, isKnown }]
    })
  })
  for (const { account, isKnown } of due) await renew(ctx, account, isKnown)
  return ctx.transaction(listKnownFlows)
}

async function listKnownFlows(ctx: Context) {
  const accounts = await listBusinessAccounts(ctx)
  const ids = accounts.map((account) => account.accountId)
  const rows = await queries.listFlowRows(ctx, ids)
  const syncedAt = await queries.findSyncedAt(ctx, ids)
  const connectionOf = new Map(accounts.map(({ accountId, connectionId }) => [accountId, connectionId]))
  const counts = await countSends(ctx, rows, later(ctx.now, -COUNTED_DAYS * DAY_MS))
  const flows = rows.map((row) => ({
    ...presentFlow(row, connectionOf.get(row.accountId)!),
    ...counts.get(row.id)!,
  }))
  return { flows, syncedAt: syncedAt?.toISOString() ?? null }
}

/**
 * Requests an account's forms from the operator and stores the answer. Throws a refusal only if no answer is
 * stored.
 */
async function renew(ctx: OutsideContext, account: BusinessAccount, isKnown: boolean): Promise<void> {
  const number = await ctx.outside.operatorNumber(ctx.workspace.id, account.phoneNumberId)
  if (!number) return
  const read = await readOperatorForms(ctx, number)
  if (read.kind !== 'done') {
    if (isKnown) return
    throw operatorRefusal(read)
  }
  const { flows, isComplete } = read.value
  // Pages that change while they are read can repeat a form.
  const reported = new Map(flows.map((flow) => [flow.id, flow]))
  await ctx.transaction((txCtx) => keepReported(txCtx, account.accountId, [...reported.values()], isComplete))
}

async function keepReported(
  ctx: Context,
  accountId: string,
  reported: OperatorFlow[],
  isComplete: boolean,
): Promise<void> {
  await queries.saveSync(ctx, accountId)
  await queries.upsertFlowRows(
    ctx,
    accountId,
    reported.map(({ id, name, status, categories }) => ({
      id: newId(),
      operatorId: id,
      name,
      status: statusOf(status),
      categories,
    })),
  )
  if (isComplete)
    await queries.deleteOtherFlowRows(
      ctx,
      accountId,
      reported.map((flow) => flow.id),
    )
}
