import type { Context } from '../../../../core/context.ts'
import { dayOf } from '../../../../core/values/calendar.ts'
import { deleteEarlierDays, takeDay } from '../queries/assistant-days.ts'

/** Counts one more answer of the workspace's assistant today. Returns false if that exceeds `dailyLimit`. */
export async function takeAnswer(ctx: Context, dailyLimit: number): Promise<boolean> {
  const day = dayOf(ctx.now, ctx.workspace.timezone)
  if (!(await takeDay(ctx, { day, limit: dailyLimit }))) return false
  await deleteEarlierDays(ctx, day)
  return true
}
