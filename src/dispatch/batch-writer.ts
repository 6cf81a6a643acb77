/** Gathers results of calls to the outside and writes them in batches; keeps trying while the database cannot be reached. */
import { setTimeout as wait } from 'node:timers/promises'

const MAX_AT_ONCE = 512
/** With more than so many calls in hand, results wait for company for the time that the writer names. */
const BUSY = 32
const RETRY_MS = 500

export type BatchWriter<Result> = {
  /** `written` is called once the result is stored, or given up. */
  add(result: Result, written: () => void): void
  /** Resolves once everything added so far is written. */
  idle(): Promise<void>
}

export type BatchWriterOptions<Result> = {
  /** Writes a batch; after a failure it is called again, so writing a result twice must do no harm. */
  write(results: Result[]): Promise<unknown>
  /** What is written of a result whose values PostgreSQL refuses; without it such a result is reported and given up. */
  withoutRefused?(result: Result): Result
  /** Milliseconds for which results wait for company under load. */
  gatherMs: number
  /** How many calls are in this process's hands. */
  underWay(): number
  /** Whether to give up, rather than try again, when the database cannot be reached. */
  stopping(): boolean
  onError(error: unknown): void
}

/** PostgreSQL refused a value, or a row that contradicts another: writing the same again cannot help. */
const isRefused = (error: unknown): boolean => /^2[23]/.test(String((error as { code?: unknown })?.code))

/** Opens a writer. Nothing runs while nothing waits. */
export function batchWriter<Result>(options: BatchWriterOptions<Result>): BatchWriter<Result> {
  let waiting: { result: Result; written: () => void }[] = []
  let writing: Promise<void> | undefined

  const writeAlone = async (result: Result): Promise<void> => {
    const reduced = options.withoutRefused?.(result)
    if (reduced !== undefined) await options.write([reduced]).catch(options.onError)
  }

  const write = async (results: Result[]): Promise<void> => {
    for (;;) {
      try {
        await options.write(results)
        return
      } catch (error) {
        options.onError(error)
        if (isRefused(error)) {
          // One by one, so that a result that cannot be stored holds its neighbours up no longer.
          if (results.length === 1) return writeAlone(results[0] as Result)
          for (const result of results) await write([result])
          return
        }
      }
      if (options.stopping()) return
      // Unreachable, or a deadlock.
      await wait(RETRY_MS)
    }
  }

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (options.underWay() > BUSY) await wait(options.gatherMs)
      const batch = waiting.slice(0, MAX_AT_ONCE)
      waiting = waiting.slice(MAX_AT_ONCE)
      await write(batch.map((one) => one.result))
      for (const one of batch) one.written()
    }
    writing = undefined
  }

  return {
    add(result, written) {
      waiting.push({ result, written })
      writing ??= new Promise((resolve) => setImmediate(() => void writeAll().then(resolve)))
    },
    idle: async () => {
      while (writing) await writing
    },
  }
}
