/**
 * The two ways into PostgreSQL. Tenant transactions run as parley_tenant, which row-level security
 * holds to the named workspaces; system transactions run as the owner of the tables.
 */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import {
  beforeCommit,
  type Database,
  type Reading,
  type Statement,
  type Tx,
  type Unit,
  type Workspace,
} from '../core/context.ts'
import { isUuid } from '../core/ids.ts'
import { cancelQuery } from './cancel-query.ts'
import { DATABASE_LIMITS, type DatabaseLimits, openPool, type Pooler } from './pool.ts'
import { statementName, toObjects } from './rows.ts'

export type DatabaseOptions = {
  url: string
  /** Connections of the tenant pool; the system pool gets half as many. */
  connections: number
  /** How long PostgreSQL lets a transaction idle and a statement run; default DATABASE_LIMITS. */
  limits?: Partial<DatabaseLimits> | undefined
  /** Given when `url` leads to a pooler in transaction mode. */
  pooler?: Pooler | undefined
  /** Keys the hashes of what is erased; default: one that no other process has. */
  erasureKey?: Buffer
  onError(error: Error): void
  /** Writes the events of a transaction with its facts, and what others lose; all its statements are sent before it first waits. */
  recordEvents(unit: Unit): Promise<void>
  /** Writes what a transaction counted with its facts. Without it nothing is counted. */
  recordCounts?(unit: Unit): Promise<unknown>
  /** Called after a commit with the sources of background work that it made due. */
  onCommit(wakes: Set<string>): void
}

export type OpenDatabase = Database & {
  close(): Promise<void>
  /** A plain round trip, for readiness. */
  ping(): Promise<void>
}

type Corkable = { stream: { cork(): void; uncork(): void } }

/** What is asked in one turn of the event loop goes out in one write. */
function inOneWrite(client: pg.ClientBase): void {
  const { stream } = (client as pg.ClientBase & { connection: Corkable }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** The name that a statement is prepared under; undefined: it is not kept. */
type Naming = (text: string) => string | undefined

async function execute<Row>(
  client: pg.ClientBase,
  nameOf: Naming,
  text: string,
  values: readonly unknown[],
): Promise<{ rows: Row[]; count: number }> {
  const name = nameOf(text)
  inOneWrite(client)
  const result = await client.query({
    text,
    values: values as unknown[],
    rowMode: 'array' as const,
    ...(name ? { name } : {}),
  })
  return { rows: toObjects<Row>(result), count: result.rowCount ?? 0 }
}

// The transaction failed at an earlier statement of the same round trip.
const IN_FAILED_TRANSACTION = '25P02'

type Transacting = {
  pool: pg.Pool
  nameOf: Naming
  begin: string
  /** Statements that go out with the commit. */
  closing?: Promise<unknown>[]
  /** Cancels what is under way. */
  signal?: AbortSignal | undefined
}

function transactionOf(client: pg.ClientBase, { nameOf, signal }: Transacting): Tx {
  let cause: Error | undefined
  /** What a failed statement takes down with it fails for the same cause, whichever is heard of first. */
  const inFlight = async <Row>(text: string, values: readonly unknown[]) => {
    // A cancellation ends what is under way; what would follow is not even asked.
    if (signal?.aborted) throw signal.reason
    try {
      return await execute<Row>(client, nameOf, text, values)
    } catch (error) {
      const isConsequence = (error as { code?: string }).code === IN_FAILED_TRANSACTION
      if (isConsequence && cause !== undefined) throw cause
      cause ??= error as Error
      throw error
    }
  }
  const run = <Row>(statement: Statement<Row>) => {
    const query = statement.compile()
    return inFlight<Row>(query.sql, query.parameters)
  }
  return {
    all: async (statement) => (await run(statement)).rows,
    first: async (statement) => (await run(statement)).rows[0],
    run: async (statement) => (await run(statement)).count,
    sql: async <Row>(text: string, parameters: unknown[] = []) =>
      (await inFlight<Row>(text, parameters)).rows,
  }
}

/** Cancels what the connection does once `signal` says so; the result waits until the server has heard of it. */
function cancelledBy(signal: AbortSignal, client: pg.ClientBase): () => Promise<void> | undefined {
  let heard: Promise<void> | undefined
  const cancel = (): void => {
    heard = cancelQuery(client)
  }
  signal.addEventListener('abort', cancel)
  return () => {
    signal.removeEventListener('abort', cancel)
    return heard
  }
}

/** Runs `work` between `begin` and COMMIT, which follows `closing` in one round trip; rolls back and rethrows on any error. */
async function inTransaction<T>(transacting: Transacting, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { pool, begin, closing = [], signal } = transacting
  const client = await pool.connect()
  if (signal?.aborted) {
    // Who left while waiting for a connection asks nothing of it.
    client.release()
    throw signal.reason
  }
  let broken: Error | undefined
  const cancelled = signal && cancelledBy(signal, client)
  try {
    // Sent without waiting: the first statement follows in the same round trip. Its failure surfaces
    // at the first statement too, so it is only kept from being reported twice.
    inOneWrite(client)
    const begun = client.query(begin)
    begun.catch(() => {})
    const result = await work(transactionOf(client, transacting))
    await Promise.all([begun, ...closing, client.query('COMMIT')])
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch((fault: Error) => {
      broken = fault
    })
    throw error
  } finally {
    // A signal that is still on its way would hit whoever has the connection next.
    if (cancelled) await cancelled()
    client.release(broken)
  }
}

/** Opens both pools. Nothing is connected until the first use. */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const limits = { ...DATABASE_LIMITS, ...options.limits }
  let closing = false
  const { erasureKey = randomBytes(32) } = options
  const onError = (error: Error): void => {
    // Connections end a moment after their pool; a database that stops next notifies them.
    if (!closing) options.onError(error)
  }
  const tenantPool = openPool({
    url: options.url,
    max: options.connections,
    name: 'tenant',
    onError,
    limits,
    pooler: options.pooler,
  })
  const systemPool = openPool({
    url: options.url,
    max: Math.max(4, Math.ceil(options.connections / 2)),
    name: 'system',
    onError,
    limits,
    pooler: options.pooler,
  })
  const nameOf: Naming = options.pooler?.namedStatements === false ? () => undefined : statementName

  const readLimit = `; SET LOCAL statement_timeout = ${Math.min(limits.readMs, limits.statementMs)}`

  const tenantIds = async <T>(
    workspaceIds: string[],
    work: (unit: Unit) => Promise<T>,
    reading?: Reading,
  ): Promise<T> => {
    for (const id of workspaceIds) if (!isUuid(id)) throw new Error('a workspace id is not a uuid')
    const begin = `BEGIN; SET LOCAL ROLE parley_tenant; SET LOCAL parley.workspaces = '${workspaceIds.join(',')}'${reading && !reading.mayTakeLong ? readLimit : ''}`
    const unit: Omit<Unit, 'tx'> = {
      outbox: [],
      retractions: [],
      counts: [],
      wakes: new Set(),
      erasureKey,
      closing: [],
    }
    const perform = async (tx: Tx) => {
      const answer = await work({ ...unit, tx })
      if (unit.outbox.length > 0 || unit.retractions.length > 0)
        beforeCommit(unit, options.recordEvents({ ...unit, tx }))
      if (unit.counts.length > 0 && options.recordCounts)
        beforeCommit(unit, options.recordCounts({ ...unit, tx }))
      return answer
    }
    const result = await inTransaction(
      { pool: tenantPool, nameOf, begin, closing: unit.closing, signal: reading?.callerLeft },
      perform,
    )
    if (unit.wakes.size > 0) options.onCommit(unit.wakes)
    return result
  }

  return {
    tenantIds,
    tenant: (workspaces: Workspace | Workspace[], work, reading) =>
      tenantIds(
        Array.isArray(workspaces) ? [...new Set(workspaces.map((w) => w.id))] : [workspaces.id],
        work,
        reading,
      ),
    system: (work) => inTransaction({ pool: systemPool, nameOf, begin: 'BEGIN' }, work),
    query: async <Row>(text: string, parameters: unknown[] = []) =>
      toObjects<Row>(
        await systemPool.query({
          text,
          values: parameters,
          rowMode: 'array' as const,
          name: nameOf(text),
        }),
      ),
    ping: async () => {
      await systemPool.query('select 1')
    },
    close: async () => {
      closing = true
      await Promise.all([tenantPool.end(), systemPool.end()])
    },
  }
}
