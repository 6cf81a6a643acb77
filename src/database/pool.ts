import pg from 'pg'

/** Timestamps with time zone become Dates; bigints stay exact as long as they fit a number. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

export type PoolOptions = { url: string; max: number; name: string; onError: (error: Error) => void }

/**
 * Milliseconds after which PostgreSQL itself ends a transaction that its client left open, and a
 * statement that runs on. Both lie under the two minutes after which an idempotency key is free
 * again: a first request that stalls is rolled back before its retry may begin (spec 4.1.1).
 */
export const IDLE_TRANSACTION_LIMIT_MS = 60_000
export const STATEMENT_LIMIT_MS = 50_000

/** A pool of pipelining connections to `url`. A lost connection is reported, never thrown. */
export function openPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    application_name: `parley ${options.name}`,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 60_000,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_LIMIT_MS,
    statement_timeout: STATEMENT_LIMIT_MS,
    pipeline: true,
  } as pg.PoolConfig)
  pool.on('error', options.onError)
  pool.on('connect', (client) => client.on('error', options.onError))
  return pool
}
