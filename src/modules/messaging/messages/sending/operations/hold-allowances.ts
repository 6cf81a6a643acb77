import type { Context, Unit } from '../../../../../core/context.ts'
import { readQuota } from './message-quota.ts'

/**
 * Locks the allowances of workspaces that may answer automatically in this transaction, before any chat: all
 * senders lock in that order.
 */
export async function holdAllowances(unit: Unit, contexts: Context[]): Promise<void> {
  const answering = contexts.filter(({ workspace }) => workspace.answersItself)
  if (answering.length > 0) await readQuota(unit, answering, { lock: true })
}

/**
 * Locks the allowance of a workspace that sends in this transaction, before rows for which other transactions
 * wait while they hold it.
 */
export const holdAllowance = (ctx: Context): Promise<unknown> => readQuota(ctx, [ctx], { lock: true })
