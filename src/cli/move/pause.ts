/** Pauses a workspace for a move: first its background work, then, by the fence, everything else. */
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Clock } from '../../core/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../core/clock.ts'
import { listOpenTransactions } from '../../database/open-transactions.ts'

const POLL_MS = 50
/** Every lease ends by then, even one of a process that died. */
const DRAIN_MS = 4 * MINUTE_MS
/** A transaction that is older than the fence is ended after this time. */
const PATIENCE_MS = 5 * SECOND_MS

/**
 * Stops background work of the workspace, and waits until no message, delivery, job, or request with a key is under way. No
 * sandbox's clock may be moving.
 */
export async function drain(client: pg.ClientBase, workspaceId: string, clock: Clock): Promise<void> {
  const untilMs = clock.monotonicMs() + DRAIN_MS
  const waitFor = async (isReady: () => Promise<boolean>, work: string): Promise<void> => {
    while (!(await isReady())) {
      if (clock.monotonicMs() > untilMs)
        throw new Error(`${work} didn't end within ${DRAIN_MS / MINUTE_MS} minutes. Run the command again.`)
      await wait(POLL_MS)
    }
  }
  await waitFor(async () => {
    const paused = await client.query(
      `update workspaces set paused_at = coalesce(paused_at, $2)
       where id = $1 and (clock_mover is null or clock_moved_until <= $2)`,
      [workspaceId, clock.now()],
    )
    return paused.rowCount === 1
  }, "The move of the sandbox's clock")
  await waitFor(
    async () => (await countUnderWay(client, workspaceId, clock.now())) === 0,
    'Messages, deliveries, or jobs under way',
  )
}

/** Counts the work that a process has begun and that will still be written. */
async function countUnderWay(client: pg.ClientBase, workspaceId: string, now: Date): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select (
       (select count(*) from messages where workspace_id = $1 and run_at is not null and leased_until > $2)
       + (select count(*) from deliveries where workspace_id = $1 and run_at is not null and leased_until > $2)
       + (select count(*) from jobs where workspace_id = $1 and failed_at is null and leased_until > $2)
       + (select count(*) from social_updates where workspace_id = $1 and leased_until > $2)
       -- A first request that is older has lost its key.
       + (select count(*) from idempotency_keys k join workspaces w on w.id = k.workspace_id
          where k.workspace_id = $1 and k.status is null
            and k.started_at > $2::timestamptz + w.clock_offset_ms * interval '1 millisecond' - interval '2 minutes')
     )::int as count`,
    [workspaceId, now],
  )
  return rows[0]!.count
}

/**
 * Waits until every transaction that began before the fence has ended: it may still write to the workspace. Later transactions
 * see the fence. Ends those that take too long; their callers try again.
 */
export async function waitForEarlier(client: pg.ClientBase, clock: Clock): Promise<void> {
  const earlier = await listOpenTransactions(client)
  const endAtMs = clock.monotonicMs() + PATIENCE_MS
  for (;;) {
    const running = (await listOpenTransactions(client)).filter(({ id }) =>
      earlier.some((transaction) => transaction.id === id),
    )
    if (running.length === 0) return
    if (clock.monotonicMs() > endAtMs)
      for (const { pid } of running) await client.query('select pg_terminate_backend($1)', [pid])
    await wait(POLL_MS)
  }
}
