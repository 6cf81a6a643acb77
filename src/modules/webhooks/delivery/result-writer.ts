/** Gathers results and writes them in lists; keeps trying while the database cannot be reached. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../../core/context.ts'
import { type Result, writeResults } from './delivery-results.ts'

const MAX_AT_ONCE = 512
/** Under load results wait this long for company. */
const GATHER_MS = 6
const BUSY = 32
const RETRY_MS = 500

export type ResultWriter = { add(result: Result, written: () => void): void }
type Waiting = { result: Result; written: () => void }

/** PostgreSQL refused a value: writing the same again cannot help. */
const refusesValue = (error: unknown): boolean =>
  typeof (error as { code?: unknown })?.code === 'string' && (error as { code: string }).code.startsWith('22')

/** The result without what came from outside. */
const bare = ({ outcome, ...rest }: Result): Result => ({
  ...rest,
  outcome: {
    ...outcome,
    error: outcome.error && 'It failed; what came back could not be stored.',
    response: null,
  },
})

/** `stopping` says whether to give up, rather than try again, when the database cannot be reached. */
export function resultWriter(
  database: Pick<Database, 'query'>,
  underWay: () => number,
  stopping: () => boolean,
  onError: (error: unknown) => void,
): ResultWriter {
  let waiting: Waiting[] = []
  let writing = false

  const writeOne = async (result: Result): Promise<void> => {
    try {
      await writeResults(database, [result])
    } catch (error) {
      if (!refusesValue(error)) throw error
      await writeResults(database, [bare(result)])
    }
  }

  const write = async (results: Result[]): Promise<void> => {
    for (;;) {
      try {
        return await writeResults(database, results)
      } catch (error) {
        onError(error)
        // One by one, so that a result that cannot be stored holds its neighbours up no longer.
        if (refusesValue(error)) {
          for (const result of results) await writeOne(result).catch(onError)
          return
        }
      }
      if (stopping()) return
      // Unreachable, or a deadlock: the leases are renewed meanwhile, and when they are not, the event goes out again.
      await wait(RETRY_MS)
    }
  }

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (underWay() > BUSY) await wait(GATHER_MS)
      const list = waiting.slice(0, MAX_AT_ONCE)
      waiting = waiting.slice(MAX_AT_ONCE)
      await write(list.map((one) => one.result))
      for (const one of list) one.written()
    }
    writing = false
  }

  return {
    add(result, written) {
      waiting.push({ result, written })
      if (writing) return
      writing = true
      setImmediate(() => void writeAll())
    },
  }
}
