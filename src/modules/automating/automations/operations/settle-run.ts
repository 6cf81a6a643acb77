/** Ends and stores runs. */
import type { Context } from '../../../../core/context.ts'
import { type DueMoment, runOffsetOf } from '../../../../core/due.ts'
import { type RunRow, type Step, skipRunsOfOff, updateRunRows } from '../queries/runs.ts'
import { countEnded, type Ended } from '../queries/states.ts'

export const OFF = 'The automation was turned off.'
export const DELETED = 'The automation was deleted.'

export const ended = (ctx: Context, run: RunRow, status: Ended['status'], reason: string | null): RunRow => ({
  ...run,
  status,
  reason,
  runAt: null,
  finishedAt: ctx.now,
})

/** Ends a run. A run whose steps were all skipped counts as skipped. */
export function completed(ctx: Context, run: RunRow): RunRow {
  const hasDoneNothing = run.steps.every(({ status }) => status === 'skipped')
  return hasDoneNothing
    ? ended(ctx, run, 'skipped', run.steps[0]?.reason ?? null)
    : ended(ctx, run, 'done', null)
}

export const stepOf = (
  ctx: Context,
  action: string,
  status: Step['status'],
  reason: string | null,
  result: Step['result'] = null,
): Step => ({ action, status, reason, result, at: ctx.now.toISOString() })

/** Stores runs in their current state, and counts those that ended. */
export async function storeRuns(ctx: Context, runs: RunRow[]): Promise<void> {
  await updateRunRows(ctx, runs, runOffsetOf(ctx.workspace))
  const finished = runs.flatMap(({ automationId, status }) =>
    status === 'waiting' || status === 'running' ? [] : [{ automationId, status }],
  )
  if (finished.length > 0) await countEnded(ctx, finished)
}

/** The max runs of turned-off automations that are ended in one statement. */
const OFF_AT_ONCE = 500

/** Ends due runs of turned-off automations. Returns how many. */
export async function endRunsOfOff(ctx: Context, due: DueMoment): Promise<number> {
  const runs = await skipRunsOfOff(ctx, due, { off: OFF, deleted: DELETED }, OFF_AT_ONCE)
  if (runs.length > 0)
    await countEnded(
      ctx,
      runs.map(({ automationId }) => ({ automationId, status: 'skipped' })),
    )
  return runs.length
}
