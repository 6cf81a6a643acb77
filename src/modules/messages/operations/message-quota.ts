/** The month's message allowance (spec 4.2 `quota_exceeded`), counted exactly; plans without one are not counted. */
import type { Unit, Workspace } from '../../../core/context.ts'
import { listMessageUsageForUpdate, updateMessageUsage } from '../queries.ts'
import { monthOf } from './month.ts'

type Usage = { month: string; messages: number; allowance: number; changed: boolean }
export type Quota = Map<string, Usage>

/** Locks the counters of the workspaces whose plan has an allowance, in one order for everybody. */
export async function lockQuota(
  unit: Unit,
  workspaces: { workspace: Workspace; now: Date }[],
): Promise<Quota> {
  const limited = new Map(
    workspaces.filter((one) => one.workspace.messageAllowance !== null).map((one) => [one.workspace.id, one]),
  )
  if (limited.size === 0) return new Map()
  const rows = await listMessageUsageForUpdate(unit.tx, [...limited.keys()])
  return new Map(
    rows.map((row) => {
      const { workspace, now } = limited.get(row.workspaceId)!
      const month = monthOf(now, workspace.timezone)
      const messages = row.month === month ? row.messages : 0
      return [row.workspaceId, { month, messages, allowance: workspace.messageAllowance!, changed: false }]
    }),
  )
}

/** Takes one message out of the allowance; false when it is used up. */
export function takeQuota(quota: Quota, workspaceId: string): boolean {
  const usage = quota.get(workspaceId)
  if (!usage) return true
  if (usage.messages >= usage.allowance) return false
  usage.messages++
  usage.changed = true
  return true
}

/** Writes the counters back. */
export async function settleQuota(unit: Unit, quota: Quota): Promise<void> {
  const changed = [...quota].filter(([, usage]) => usage.changed)
  if (changed.length === 0) return
  await updateMessageUsage(
    unit.tx,
    changed.map(([workspaceId, usage]) => ({ workspaceId, month: usage.month, messages: usage.messages })),
  )
}
