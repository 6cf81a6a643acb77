/**
 * The month's message allowance (spec 4.2 `quota_exceeded`), counted exactly; plans without an allowance are
 * not counted. Counters are read without a lock and raised by a guarded write just before the commit, so that
 * batches of other workspaces do not wait.
 */

import type { Context, Unit, Workspace } from '../../../../../core/context.ts'
import { Refusal } from '../../../../../core/errors.ts'
import { monthOf } from '../../../../../core/values/calendar.ts'
import { listMessageUsage, lowerMessageUsage, raiseMessageUsage } from '../queries/usage.ts'

type Usage = { month: string; messages: number; allowance: number; taken: number }
export type Quota = Map<string, Usage>

/**
 * Reads the counters of workspaces with an allowance. `lock` holds them until the commit, together with
 * counters that count only contacts, in one order: they share a row, and locking it twice could deadlock.
 */
export async function readQuota(
  unit: Unit,
  workspaces: { workspace: Workspace; now: Date }[],
  { lock }: { lock: boolean },
): Promise<Quota> {
  const limited = new Map(
    workspaces
      .filter((workspace) => workspace.workspace.messageAllowance !== null)
      .map((workspace) => [workspace.workspace.id, workspace]),
  )
  const counted = workspaces.filter(({ workspace }) => lock && workspace.contactLimit !== null)
  const workspaceIds = [...new Set([...limited.keys(), ...counted.map(({ workspace }) => workspace.id)])]
  if (workspaceIds.length === 0) return new Map()
  const rows = await listMessageUsage(unit.tx, workspaceIds, lock)
  return new Map(
    rows.flatMap((row) => {
      const found = limited.get(row.workspaceId)
      if (!found) return []
      const { workspace, now } = found
      const month = monthOf(now, workspace.timezone)
      const messages = row.month === month ? row.messages : 0
      return [[row.workspaceId, { month, messages, allowance: workspace.messageAllowance!, taken: 0 }]]
    }),
  )
}

/**
 * Assumes, without reading, that nothing is used yet. `settleQuota` fails if the allowance does not suffice.
 */
export const assumeQuota = (workspaces: { workspace: Workspace; now: Date }[]): Quota =>
  new Map(
    workspaces.flatMap(({ workspace: { id, timezone, messageAllowance }, now }) =>
      messageAllowance === null
        ? []
        : [[id, { month: monthOf(now, timezone), messages: 0, allowance: messageAllowance, taken: 0 }]],
    ),
  )

/** Returns the rest of the allowance; none while the wallet is empty. */
export const roomOf = (workspace: Workspace, usage: Usage | undefined): number => {
  if (workspace.walletEmpty) return 0
  return usage ? Math.max(0, usage.allowance - usage.messages) : Number.POSITIVE_INFINITY
}

const NO_ALLOWANCE = "You have used this month's message allowance."
const NO_MONEY = 'The wallet is empty. Top it up. See GET /wallet.'

/** Returns why a workspace without room cannot send. */
export const explainNoRoom = ({ walletEmpty }: Pick<Workspace, 'walletEmpty'>): string =>
  walletEmpty ? NO_MONEY : NO_ALLOWANCE

export const isNoRoom = (reason: string | null): boolean => reason === NO_ALLOWANCE || reason === NO_MONEY

/** Takes one message from the allowance; returns false when it is used up. */
export function takeQuota(quota: Quota, workspaceId: string): boolean {
  const usage = quota.get(workspaceId)
  if (!usage) return true
  if (usage.messages + usage.taken >= usage.allowance) return false
  usage.taken++
  return true
}

/** Takes one message from the allowance, or returns why the workspace can't send. */
export function refuseQuota(quota: Quota, workspace: Workspace): Refusal | undefined {
  const isTaken = !workspace.walletEmpty && takeQuota(quota, workspace.id)
  return isTaken ? undefined : new Refusal('quota_exceeded', explainNoRoom(workspace))
}

/** Returns one message that was not stored after all to the allowance. */
export function returnQuota(quota: Quota, workspaceId: string): void {
  const usage = quota.get(workspaceId)
  if (usage) usage.taken--
}

/** Returns messages that were queued at these times to the allowance, if that was in this month. */
export async function giveQuotaBack(ctx: Context, queuedAt: Date[]): Promise<void> {
  const { id, timezone, messageAllowance } = ctx.workspace
  const month = monthOf(ctx.now, timezone)
  const messages = queuedAt.filter((time) => monthOf(time, timezone) === month).length
  if (messageAllowance !== null && messages > 0)
    await lowerMessageUsage(ctx.tx, { workspaceId: id, month, messages })
}

/** Writes the messages taken, in one statement, which fails if an allowance was used up meanwhile. */
export async function settleQuota(unit: Unit, quota: Quota): Promise<void> {
  const usages = [...quota].filter(([, usage]) => usage.taken > 0)
  if (usages.length === 0) return
  await raiseMessageUsage(
    unit.tx,
    // In a fixed order, so that two batches cannot deadlock.
    usages.sort(([a], [b]) => (a < b ? -1 : 1)).map(([workspaceId, usage]) => ({ workspaceId, ...usage })),
  )
}
