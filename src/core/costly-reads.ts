/**
 * Reads that no index narrows: they walk along all rows that a workspace has of a kind. Where these are many, a few of them at
 * once is all that a workspace may have, over all processes, so that no burst of them takes every connection
 * (docs/decisions/rate-limits.md).
 */
import type { Context, Tx } from './context.ts'
import { refuse } from './errors.ts'

/** From so many rows on it takes long enough to count. */
export const MANY_ROWS = 5_000
/** A page that begins further down walks along all rows before it. */
export const NEAR_ROWS = 10_000
const MAX_COSTLY_READS = 3
const RETRY_AFTER_SECONDS = 1

/** Takes one of the workspace's places until the transaction ends; false when none is free. */
export async function takeCostlyRead(tx: Tx, workspaceId: string): Promise<boolean> {
  const [found] = await tx.sql<{ taken: boolean }>(
    `select exists (
       select from generate_series(1, $2) place
       where pg_try_advisory_xact_lock(hashtextextended('costly read ' || place || ' ' || $1::text, 0))) as taken`,
    [workspaceId, MAX_COSTLY_READS],
  )
  return found!.taken
}

/** The same; refuses with `rate_limited` when none is free. */
export async function requireCostlyRead({ tx, workspace }: Pick<Context, 'tx' | 'workspace'>): Promise<void> {
  if (!(await takeCostlyRead(tx, workspace.id)))
    refuse(
      'rate_limited',
      `This workspace already has ${MAX_COSTLY_READS} slow searches running. ` +
        'Try again in a second, or narrow the search.',
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    )
}
