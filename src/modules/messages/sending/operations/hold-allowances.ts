import type { Context, Unit } from '../../../../core/context.ts'
import { readQuota } from './message-quota.ts'

/**
 * Holds the allowances of workspaces that may answer by themselves in this transaction, before it holds any chat: in that order
 * everybody who sends takes them.
 */
export async function holdAllowances(unit: Unit, contexts: Context[]): Promise<void> {
  const answering = contexts.filter(({ workspace }) => workspace.answersItself)
  if (answering.length > 0) await readQuota(unit, answering, { lock: true })
}

/** Holds the allowance of a workspace that sends in this transaction, before what others hold while they wait for it. */
export const holdAllowance = (ctx: Context): Promise<unknown> => readQuota(ctx, [ctx], { lock: true })
