import pg from 'pg'
import { systemClock } from '../core/clock.ts'

/** Timestamps with time zone become Dates; bigints stay exact as long as they fit a number. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

export type PoolOptions = {
  url: string
  max: number
  name: string
  onError: (error: Error) => void
  limits?: DatabaseLimits | undefined
}

/**
 * Milliseconds after which PostgreSQL itself ends a transaction that its client left open, and a
 * statement that runs on. Both lie under the two minutes after which an idempotency key is free
 * again: a first request that stalls is rolled back before its retry may begin (spec 4.1.1).
 */
export type DatabaseLimits = { idleTransactionMs: number; statementMs: number }
export const DATABASE_LIMITS: DatabaseLimits = { idleTransactionMs: 60_000, statementMs: 50_000 }

/**
 * What we ask has one right plan: rows found through an index, lists joined to them one by one. The
 * planner is held to that and plans each statement once a connection, because planning costs more
 * than running it, and because a plan guessed while a table was small is ruinous later.
 */
const PLANS = [
  'set plan_cache_mode = force_generic_plan',
  'set enable_seqscan = off',
  'set enable_hashjoin = off',
  'set enable_mergejoin = off',
  'set jit = off',
].join('; ')

/**
 * Which of several indexes is best still depends on what the tables hold, so each connection plans
 * anew now and then: often while it is young, seldom once the tables have settled.
 */
const FORGET_PLANS_FIRST_MS = 1_000
const FORGET_PLANS_MOST_MS = 5 * 60_000

function forgetPlansNowAndThen(pool: pg.Pool, monotonicMs: () => number): void {
  const next = new WeakMap<pg.PoolClient, { atMs: number; waitMs: number }>()
  pool.on('acquire', (client) => {
    const nowMs = monotonicMs()
    const due = next.get(client) ?? { atMs: nowMs + FORGET_PLANS_FIRST_MS, waitMs: FORGET_PLANS_FIRST_MS }
    if (nowMs >= due.atMs) {
      // Goes out ahead of the statement that the connection was taken for; a fault shows there.
      client.query('discard plans').catch(() => {})
      due.waitMs = Math.min(due.waitMs * 2, FORGET_PLANS_MOST_MS)
      due.atMs = nowMs + due.waitMs
    }
    next.set(client, due)
  })
}

/** A pool of pipelining connections to `url`. A lost connection is reported, never thrown. */
export function openPool(options: PoolOptions): pg.Pool {
  const { idleTransactionMs, statementMs } = options.limits ?? DATABASE_LIMITS
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    application_name: `parley ${options.name}`,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 60_000,
    idle_in_transaction_session_timeout: idleTransactionMs,
    statement_timeout: statementMs,
    pipeline: true,
  } as pg.PoolConfig)
  forgetPlansNowAndThen(pool, systemClock.monotonicMs)
  pool.on('error', options.onError)
  pool.on('connect', (client) => {
    client.on('error', options.onError)
    client.query(PLANS).catch(() => {})
  })
  return pool
}
