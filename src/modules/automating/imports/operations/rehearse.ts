import type { Context } from '../../../../core/context.ts'

/** Runs `work` and rolls back everything: its writes, locks, events, and counts. */
export async function rehearse<T>(ctx: Context, work: (trial: Context) => Promise<T>): Promise<T> {
  const trial: Context = {
    ...ctx,
    outbox: [],
    retractions: [],
    counts: [],
    logged: [],
    wakes: new Set(),
    closing: [],
  }
  await ctx.tx.sql('savepoint rehearsal')
  try {
    const result = await work(trial)
    await Promise.all(trial.closing)
    return result
  } finally {
    await ctx.tx.sql('rollback to savepoint rehearsal')
  }
}
