import type { Socket } from 'node:net'
import pg from 'pg'
import { systemClock } from '../core/clock.ts'
import { connectionName, DEFAULT_CELL } from '../core/values/cell.ts'
import { readBytes } from './bytes.ts'
import { DatabaseClient } from './client.ts'
import { readInstant } from './instants.ts'

/** Timestamps with time zone become Dates; bigints become numbers, exact up to the safe integer range. */
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
  /** Creates and changes tables. */
  definesTables?: boolean
}

/**
 * A pooler in transaction mode in front of the database (docs/decisions/database.md). Session settings would
 * leak to other clients, so the pooler must set them, and named statements work only if the pooler supports
 * them.
 */
export type Pooler = { namedStatements: boolean }

/**
 * Milliseconds after which PostgreSQL ends an idle open transaction, and a running statement. Both are below
 * two minutes, when an idempotency key becomes free again: a stalled first request is rolled back before its
 * retry may start (spec 4.1.1).
 */
export type DatabaseLimits = {
  idleTransactionMs: number
  statementMs: number
  /** The statement limit for a request that only reads: callers wait no longer for a list. */
  readMs: number
}
export const DATABASE_LIMITS: DatabaseLimits = {
  idleTransactionMs: 60_000,
  statementMs: 50_000,
  readMs: 5_000,
}

/**
 * Our queries have one right plan: rows found through an index, lists joined row by row. The planner is
 * restricted to it and plans each statement once per connection: planning costs more than running, and a plan
 * made while a table is small is disastrous later.
 */
const PLANS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Otherwise partly ordered rows are sorted by the index that seems cheapest: one over all rows instead of
  // the due rows.
  enable_incremental_sort: 'off',
  jit: 'off',
}
/** Citus plans many statements only with the values of their parameters. */
const DISTRIBUTED_PLANS = { ...PLANS, plan_cache_mode: 'auto' }
/**
 * The formats of values, independent of the settings of database and user: the driver reads no other dates.
 * PgBouncer tracks these two per client and applies them to each server connection.
 */
const FORMATS = { datestyle: "'ISO'", timezone: "'UTC'" }
const setStatements = (settings: Record<string, string | number>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} = ${value}`)
    .join('; ')

/** Returns the settings that a pooler must apply to each of its server connections before use. */
export const poolerSettings = (cell: string): Record<string, string | number> => ({
  ...PLANS,
  statement_timeout: DATABASE_LIMITS.statementMs,
  idle_in_transaction_session_timeout: DATABASE_LIMITS.idleTransactionMs,
  ...(cell === DEFAULT_CELL ? {} : { search_path: cell }),
})
/** Returns those settings as PgBouncer's `connect_query`. */
export const poolerConnectQuery = (cell: string): string => setStatements(poolerSettings(cell))

/**
 * Which of several indexes is best still depends on the data, so each connection replans from time to time:
 * often at first, rarely once the tables have settled.
 */
const FORGET_PLANS_FIRST_MS = 1_000
const MAX_FORGET_PLANS_MS = 5 * 60_000

function forgetPlansRegularly(pool: pg.Pool, monotonicMs: () => number): void {
  const schedules = new WeakMap<pg.PoolClient, { atMs: number; waitMs: number }>()
  pool.on('acquire', (client) => {
    const nowMs = monotonicMs()
    const schedule = schedules.get(client) ?? {
      atMs: nowMs + FORGET_PLANS_FIRST_MS,
      waitMs: FORGET_PLANS_FIRST_MS,
    }
    if (nowMs >= schedule.atMs) {
      // Sent before the statement that the connection was taken for; that statement shows any fault.
      client.query('discard plans').catch(() => {})
      schedule.waitMs = Math.min(schedule.waitMs * 2, MAX_FORGET_PLANS_MS)
      schedule.atMs = nowMs + schedule.waitMs
    }
    schedules.set(client, schedule)
  })
}

/** The time that Parley waits beyond PostgreSQL's own limits. */
const SILENCE_MARGIN_MS = 5_000

/**
 * Closes a connection that has been silent for longer than any statement may take: the machine or network is
 * gone, and no packet will say so. Callers get the error of a lost connection.
 */
function closeOnSilence(client: pg.PoolClient, silenceMs: number): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.setTimeout(silenceMs, () => {
    stream.destroy(new Error('Connection terminated: the database stopped responding'))
  })
}

/** Opens a pool of pipelining connections to `url`. A lost connection is reported, never thrown. */
export function openPool(options: PoolOptions): pg.Pool {
  const { pooler } = options
  const { idleTransactionMs, statementMs } = options.limits
  const pool = new pg.Pool({
    Client: DatabaseClient,
    connectionString: options.url,
    max: options.max,
    application_name: connectionName(options.url, options.name),
    ...(options.definesTables ? { definesTables: true } : {}),
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 60_000,
    // A pooler rejects connections with startup settings.
    ...(pooler
      ? {}
      : { idle_in_transaction_session_timeout: idleTransactionMs, statement_timeout: statementMs }),
    pipeline: true,
  } as pg.PoolConfig)
  if (!pooler || pooler.namedStatements) forgetPlansRegularly(pool, systemClock.monotonicMs)
  pool.on('error', options.onError)
  pool.on('connect', (client) => {
    client.on('error', options.onError)
    closeOnSilence(client, Math.max(idleTransactionMs, statementMs) + SILENCE_MARGIN_MS)
    const plans = (client as unknown as DatabaseClient).isDistributed ? DISTRIBUTED_PLANS : PLANS
    client.query(setStatements(pooler ? FORMATS : { ...plans, ...FORMATS })).catch(() => {})
  })
  return pool
}
