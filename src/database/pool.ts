import type { Socket } from 'node:net'
import pg from 'pg'
import { systemClock } from '../core/clock.ts'
import { readBytes } from './bytes.ts'
import { readInstant } from './instants.ts'

/** Timestamps with time zone become Dates; bigints stay exact as long as they fit a number. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readInstant)
pg.types.setTypeParser(pg.types.builtins.BYTEA, readBytes)

export type PoolOptions = {
  url: string
  max: number
  name: string
  onError: (error: Error) => void
  limits: DatabaseLimits
  pooler?: Pooler | undefined
}

/**
 * A pooler in transaction mode stands before the database (docs/decisions/database.md): what is set for a session would be
 * set for somebody else's, so the pooler sets it, and only a pooler that knows of them can be given named statements.
 */
export type Pooler = { namedStatements: boolean }

/**
 * Milliseconds after which PostgreSQL itself ends a transaction that its client left open, and a
 * statement that runs on. Both lie under the two minutes after which an idempotency key is free
 * again: a first request that stalls is rolled back before its retry may begin (spec 4.1.1).
 */
export type DatabaseLimits = {
  idleTransactionMs: number
  statementMs: number
  /** The same for a statement of a request that only reads: nobody waits longer for a list. */
  readMs: number
}
export const DATABASE_LIMITS: DatabaseLimits = {
  idleTransactionMs: 60_000,
  statementMs: 50_000,
  readMs: 5_000,
}

/**
 * What we ask has one right plan: rows found through an index, lists joined to them one by one. The
 * planner is held to that and plans each statement once a connection, because planning costs more
 * than running it, and because a plan guessed while a table was small is ruinous later.
 */
const PLANS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Rows in part of an order are sorted for the rest of it, by whichever index seems cheapest: one with all rows in place of those that wait.
  enable_incremental_sort: 'off',
  jit: 'off',
}
/**
 * How values are written, whatever the database or its user is set to: the driver reads no other dates. PgBouncer keeps
 * these two for each of its clients and gives them to whichever connection of the server serves it.
 */
const FORMS = { datestyle: "'ISO'", timezone: "'UTC'" }
const setting = (settings: Record<string, string | number>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} = ${value}`)
    .join('; ')

/** What a pooler has to set on each of its connections to the server before anybody uses it. */
export const POOLER_SETTINGS = {
  ...PLANS,
  statement_timeout: DATABASE_LIMITS.statementMs,
  idle_in_transaction_session_timeout: DATABASE_LIMITS.idleTransactionMs,
}
export const POOLER_CONNECT_QUERY = setting(POOLER_SETTINGS)

/**
 * Which of several indexes is best still depends on what the tables hold, so each connection plans
 * anew now and then: often while it is young, seldom once the tables have settled.
 */
const FORGET_PLANS_FIRST_MS = 1_000
const MAX_FORGET_PLANS_MS = 5 * 60_000

function forgetPlansNowAndThen(pool: pg.Pool, monotonicMs: () => number): void {
  const next = new WeakMap<pg.PoolClient, { atMs: number; waitMs: number }>()
  pool.on('acquire', (client) => {
    const nowMs = monotonicMs()
    const due = next.get(client) ?? { atMs: nowMs + FORGET_PLANS_FIRST_MS, waitMs: FORGET_PLANS_FIRST_MS }
    if (nowMs >= due.atMs) {
      // Goes out ahead of the statement that the connection was taken for; a fault shows there.
      client.query('discard plans').catch(() => {})
      due.waitMs = Math.min(due.waitMs * 2, MAX_FORGET_PLANS_MS)
      due.atMs = nowMs + due.waitMs
    }
    next.set(client, due)
  })
}

/** How much longer than PostgreSQL itself may take we listen. */
const SILENCE_MARGIN_MS = 5_000

/**
 * Hangs up on a database of which nothing was heard for longer than it may take over anything: its machine or the way
 * there is gone, and no packet will say so. What was asked is then answered like over any lost connection.
 */
function hangUpOnSilence(client: pg.PoolClient, silenceMs: number): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.setTimeout(silenceMs, () => {
    stream.destroy(new Error('Connection terminated: the database stopped responding'))
  })
}

/** A pool of pipelining connections to `url`. A lost connection is reported, never thrown. */
export function openPool(options: PoolOptions): pg.Pool {
  const { pooler } = options
  const { idleTransactionMs, statementMs } = options.limits
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    application_name: `parley ${options.name}`,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 60_000,
    // A pooler refuses connections that begin with settings.
    ...(pooler
      ? {}
      : { idle_in_transaction_session_timeout: idleTransactionMs, statement_timeout: statementMs }),
    pipeline: true,
  } as pg.PoolConfig)
  if (!pooler || pooler.namedStatements) forgetPlansNowAndThen(pool, systemClock.monotonicMs)
  pool.on('error', options.onError)
  pool.on('connect', (client) => {
    client.on('error', options.onError)
    hangUpOnSilence(client, Math.max(idleTransactionMs, statementMs) + SILENCE_MARGIN_MS)
    client.query(setting(pooler ? FORMS : { ...PLANS, ...FORMS })).catch(() => {})
  })
  return pool
}
