/** Runs a transaction over one connection: pipelined, canceled with its caller, rolled back on any error. */
import type pg from 'pg'
import type { Statement, Tx } from '../core/context.ts'
import { cancelQuery } from './cancel-query.ts'
import { isWrongServerFault } from './faults.ts'
import { movingRefusal } from './moving-refusal.ts'
import { type Naming, roundTripsOf, type SendStatement } from './round-trip.ts'

// The transaction failed at an earlier statement of the same round trip.
const IN_FAILED_TRANSACTION = '25P02'

type TransactionOptions = {
  pool: pg.Pool
  nameOf: Naming
  /** Sent after BEGIN in the same round trip. */
  settings?: { text: string; values: unknown[] }
  /** Statements to send with the commit. */
  closing?: Promise<unknown>[]
  /** Cancels the running statements. */
  signal?: AbortSignal | undefined
}

function transactionOf(send: SendStatement, { signal }: TransactionOptions): Tx {
  let cause: Error | undefined
  /** Statements after a failed one fail for the same cause, in any order of the answers. */
  const runText = async <Row>(text: string, values: readonly unknown[]) => {
    // A cancellation ends running statements; later ones are not sent.
    if (signal?.aborted) throw signal.reason
    try {
      const { rows, count } = await send(text, values)
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
    return runText<Row>(query.sql, query.parameters)
  }
  return {
    all: async (statement) => (await run(statement)).rows,
    first: async (statement) => (await run(statement)).rows[0],
    run: async (statement) => (await run(statement)).count,
    sql: async <Row>(text: string, parameters: unknown[] = []) => (await runText<Row>(text, parameters)).rows,
  }
}

/** Cancels the connection's work when `signal` aborts; the result waits until the server has received it. */
function cancelOnAbort(signal: AbortSignal, client: pg.ClientBase): () => Promise<void> | undefined {
  let cancellation: Promise<void> | undefined
  const cancel = (): void => {
    cancellation = cancelQuery(client)
  }
  signal.addEventListener('abort', cancel)
  return () => {
    signal.removeEventListener('abort', cancel)
    return cancellation
  }
}

/** Commits. A failed transaction answers COMMIT with ROLLBACK instead. */
async function commit(send: SendStatement): Promise<void> {
  const { command } = await send('COMMIT')
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement of it had failed')
}

/**
 * Runs `work` between BEGIN and COMMIT; sends COMMIT and `closing` in one round trip. Rolls back and rethrows
 * on any error.
 */
export async function inTransaction<T>(
  options: TransactionOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { pool, nameOf, settings, closing = [], signal } = options
  const client = await pool.connect()
  if (signal?.aborted) {
    // The caller left while waiting for a connection, so it runs no statement.
    client.release()
    throw signal.reason
  }
  let broken: Error | undefined
  /** The fault of the first statements. Later statements fail because of it, with another error. */
  let notOpened: unknown
  const stopListening = signal && cancelOnAbort(signal, client)
  try {
    // Sent without waiting, in one round trip with the first statement. That statement reports a failure too,
    // so this promise only suppresses the second report.
    const send = roundTripsOf(client, nameOf)
    const opening = Promise.all([send('BEGIN'), settings && send(settings.text, settings.values)])
    opening.catch((error: unknown) => {
      notOpened = error
    })
    const result = await work(transactionOf(send, options))
    await Promise.all([opening, ...closing, commit(send)])
    return result
  } catch (error) {
    // Statements of this event loop turn have not been sent yet; they must not run after the rollback.
    await new Promise<void>((sent) => process.nextTick(sent))
    await client.query('ROLLBACK').catch((fault: Error) => {
      broken = fault
    })
    if (isWrongServerFault(error)) broken ??= error
    throw movingRefusal(notOpened) ?? error
  } finally {
    // A late cancel signal would hit the next user of the connection.
    if (stopListening) await stopListening()
    client.release(broken)
  }
}
