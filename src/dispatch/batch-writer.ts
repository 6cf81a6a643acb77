/**
 * Collects the results of outbound calls, writes them in batches, and retries while the database is
 * unreachable. Gives up a result that fails while others are written, so that it does not block them.
 */
import { setTimeout as wait } from 'node:timers/promises'

const MAX_AT_ONCE = 512
/** With more calls than this in flight, a batch waits `gatherMs` for more results. */
const BUSY = 32
const RETRY_MS = 500
/** Results are written one by one after every 8 batches in a row that failed completely. */
const TRIES_TOGETHER = 8
/** A result that failed alone this many times, each time while others were written, is given up. */
const MAX_FAILURES = 3
/** If this many results fail one by one and none is written, the database is the cause, not the results. */
const MAX_IN_VAIN = 32

export type BatchWriter<Result> = {
  /**
   * Calls `written` when the result is stored or given up; with false if it is given up because the process
   * stops.
   */
  add(result: Result, written: (isWritten: boolean) => void): void
  /** Resolves when every result added so far is written. */
  idle(): Promise<void>
}

export type BatchWriterOptions<Result> = {
  /**
   * Writes a batch. The writer calls it again after a failure, so writing a result twice must be harmless.
   */
  write(results: Result[]): Promise<unknown>
  /**
   * Returns what to write for a result that PostgreSQL rejects. Without it, the result is reported and given
   * up.
   */
  withoutRefused?(result: Result): Result
  /** Milliseconds that a batch waits for more results under load. */
  gatherMs: number
  /** Returns how many calls this process has in flight. */
  underWay(): number
  /** Returns whether to give up, instead of retrying, when the database is unreachable. */
  stopping(): boolean
  onError(error: unknown): void
}

/** PostgreSQL rejected a value, or a row that contradicts another: writing the same again cannot succeed. */
const isRefused = (error: unknown): boolean => /^2[23]/.test(String((error as { code?: unknown })?.code))

type Waiting<Result> = {
  result: Result
  written: (isWritten: boolean) => void
  /** The number of times that only this result failed in its batch. */
  failures: number
}

/** Opens a writer. It runs only while results are waiting. */
export function batchWriter<Result>(options: BatchWriterOptions<Result>): BatchWriter<Result> {
  let waiting: Waiting<Result>[] = []
  let writing: Promise<void> | undefined

  const tryToWrite = async (results: Result[]): Promise<'written' | 'refused' | 'failed'> => {
    try {
      await options.write(results)
      return 'written'
    } catch (error) {
      options.onError(error)
      return isRefused(error) ? 'refused' : 'failed'
    }
  }

  const giveUp = async ({ result, written }: Waiting<Result>): Promise<void> => {
    const reduced = options.withoutRefused?.(result)
    if (reduced !== undefined) await tryToWrite([reduced])
    written(true)
  }

  /** Writes results one by one so that none blocks the others. Returns those to retry. */
  const writeEach = async (batch: Waiting<Result>[]): Promise<Waiting<Result>[]> => {
    const failed: Waiting<Result>[] = []
    let isTaking = false
    for (const item of batch) {
      const verdict = await tryToWrite([item.result])
      if (verdict === 'failed') failed.push(item)
      else isTaking = true
      if (verdict === 'written') item.written(true)
      if (verdict === 'refused') await giveUp(item)
      if (!isTaking && failed.length === MAX_IN_VAIN) break
    }
    if (!isTaking) return batch
    const left: Waiting<Result>[] = []
    for (const item of failed) {
      item.failures++
      if (item.failures < MAX_FAILURES) left.push(item)
      else await giveUp(item)
    }
    return left
  }

  /**
   * Writes a batch and returns the results to retry. `tries` counts the attempts in a row that wrote nothing.
   */
  const writeBatch = async (batch: Waiting<Result>[], attempt: number): Promise<Waiting<Result>[]> => {
    const verdict = await tryToWrite(batch.map((item) => item.result))
    if (verdict === 'written') {
      for (const item of batch) item.written(true)
      return []
    }
    if (batch.length > 1) {
      const apart =
        verdict === 'refused' || attempt % TRIES_TOGETHER === 0 || batch.some((item) => item.failures > 0)
      return apart ? writeEach(batch) : batch
    }
    if (verdict === 'failed') return batch
    await giveUp(batch[0]!)
    return []
  }

  const writeAll = async (): Promise<void> => {
    let attempts = 0
    while (waiting.length > 0) {
      if (options.underWay() > BUSY) await wait(options.gatherMs)
      const batch = waiting.slice(0, MAX_AT_ONCE)
      const left = await writeBatch(batch, ++attempts)
      if (left.length < batch.length) attempts = 0
      waiting = waiting.slice(batch.length)
      if (options.stopping()) for (const item of left) item.written(false)
      else if (left.length > 0) {
        // Unreachable, or a deadlock. Newer results join the next batch and show whether the database accepts
        // any.
        waiting = left.concat(waiting)
        await wait(RETRY_MS)
      }
    }
    writing = undefined
  }

  return {
    add(result, written) {
      waiting.push({ result, written, failures: 0 })
      writing ??= new Promise((resolve) => setImmediate(() => void writeAll().then(resolve)))
    },
    idle: async () => {
      while (writing) await writing
    },
  }
}
