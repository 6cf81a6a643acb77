/** A transaction over one connection: pipelined, cancelled with its caller, rolled back on any error. */
import type pg from 'pg'
import type { Statement, Tx } from '../core/context.ts'
import { cancelQuery } from './cancel-query.ts'
import { takesNoWrites } from './faults.ts'
import { type Ask, type Naming, roundTripsOf } from './round-trip.ts'

// The transaction failed at an earlier statement of the same round trip.
const IN_FAILED_TRANSACTION = '25P02'

type Transacting = {
  pool: pg.Pool
  nameOf: Naming
  /** What follows BEGIN in the same round trip. */
  settings?: { text: string; values: unknown[] }
  /** Statements that go out with the commit. */
  closing?: Promise<unknown>[]
  /** Cancels what is under way. */
  signal?: AbortSignal | undefined
}

function transactionOf(ask: Ask, { signal }: Transacting): Tx {
  let cause: Error | undefined
  /** What a failed statement takes down with it fails for the same cause, whichever is heard of first. */
  const inFlight = async <Row>(text: string, values: readonly unknown[]) => {
    // A cancellation ends what is under way; what would follow is not even asked.
    if (signal?.aborted) throw signal.reason
    try {
      const { rows, count } = await ask(text, values)
      return { rows: rows as Row[], count }
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

/** A failed transaction answers COMMIT with what it does instead. */
async function commit(ask: Ask): Promise<void> {
  const { command } = await ask('COMMIT')
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement of it had failed')
}

/** Runs `work` between BEGIN and COMMIT, which follows `closing` in one round trip; rolls back and rethrows on any error. */
export async function inTransaction<T>(transacting: Transacting, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { pool, nameOf, settings, closing = [], signal } = transacting
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
    const ask = roundTripsOf(client, nameOf)
    const begun = Promise.all([ask('BEGIN'), settings && ask(settings.text, settings.values)])
    begun.catch(() => {})
    const result = await work(transactionOf(ask, transacting))
    await Promise.all([begun, ...closing, commit(ask)])
    return result
  } catch (error) {
    // What was asked in this turn of the event loop has not been sent yet; it must not run after the rollback.
    await new Promise<void>((sent) => process.nextTick(sent))
    await client.query('ROLLBACK').catch((fault: Error) => {
      broken = fault
    })
    if (takesNoWrites(error)) broken ??= error
    throw error
  } finally {
    // A signal that is still on its way would hit whoever has the connection next.
    if (cancelled) await cancelled()
    client.release(broken)
  }
}
