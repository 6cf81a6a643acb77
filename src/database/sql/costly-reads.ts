/**
 * Reads that no index narrows: they scan all rows of a kind in a workspace. A large workspace may run only a few at a time,
 * over all processes, so that a burst does not take every connection (docs/decisions/rate-limits.md).
 */
import type { Context, Tx } from '../../core/context.ts'
import { refuse } from '../../core/errors.ts'

/** From this number of rows on, a count takes long. */
export const MANY_ROWS = 5_000
/** A page that starts further down scans all rows before it. */
export const NEAR_ROWS = 10_000
const MAX_COSTLY_READS = 3
const RETRY_AFTER_SECONDS = 1

/** Gives the transaction's statements the time of a write, where callers cannot ask for less. */
export const allowLongReads = (tx: Tx): Promise<unknown> => tx.sql('set local statement_timeout to default')

/** Takes one of the workspace's places until the transaction ends; returns false when none is free. */
export async function takeCostlyRead(tx: Tx, workspaceId: string): Promise<boolean> {
  const [found] = await tx.sql<{ taken: boolean }>(
    `select exists (
       select from generate_series(1, $2) place
       where pg_try_advisory_xact_lock(hashtextextended('costly read ' || place || ' ' || $1::text, 0))) as taken`,
    [workspaceId, MAX_COSTLY_READS],
  )
  return found!.taken
}

/** Takes one of the workspace's places; refuses with `rate_limited` when none is free. */
export async function requireCostlyRead({ tx, workspace }: Pick<Context, 'tx' | 'workspace'>): Promise<void> {
  if (!(await takeCostlyRead(tx, workspace.id)))
    refuse(
      'rate_limited',
      `This workspace already has ${MAX_COSTLY_READS} slow searches running. ` +
        'Try again in a second, or narrow the search.',
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    )
}

/** Prepares to read this many rows: many take one of the workspace's places, and get the time of a write. */
export async function prepareRead(ctx: Pick<Context, 'tx' | 'workspace'>, rows: number): Promise<void> {
  if (rows <= MANY_ROWS) return
  await requireCostlyRead(ctx)
  await allowLongReads(ctx.tx)
}
