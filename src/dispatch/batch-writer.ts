/**
 * Gathers results of calls to the outside and writes them in batches; keeps trying while the database cannot be reached. What
 * cannot be written while others can is given up, so that it holds up nobody else's.
 */
import { setTimeout as wait } from 'node:timers/promises'

const MAX_AT_ONCE = 512
/** With more than so many calls in hand, results wait for company for the time that the writer names. */
const BUSY = 32
const RETRY_MS = 500
/** Results that failed together so many times in a row are written one by one. */
const TRIES_TOGETHER = 8
/** A result that failed by itself so many times, each while others were written, is given up. */
const MAX_FAILURES = 3
/** Where so many fail one by one and none is written, the database is at fault and not they. */
const MAX_IN_VAIN = 32

export type BatchWriter<Result> = {
  /** `written` is called once the result is stored, or given up; with false where it is given up because the process stops. */
  add(result: Result, written: (isWritten: boolean) => void): void
  /** Resolves once everything added so far is written. */
  idle(): Promise<void>
}

export type BatchWriterOptions<Result> = {
  /** Writes a batch; after a failure it is called again, so writing a result twice must do no harm. */
  write(results: Result[]): Promise<unknown>
  /** What is written of a result that cannot be written itself; without it such a result is reported and given up. */
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

type Waiting<Result> = {
  result: Result
  written: (isWritten: boolean) => void
  /** How often it failed by itself while others were written. */
  failures: number
}

/** Opens a writer. Nothing runs while nothing waits. */
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

  /** One by one, so that none holds up its neighbours. Answers those that need another try. */
  const writeEach = async (batch: Waiting<Result>[]): Promise<Waiting<Result>[]> => {
    const failed: Waiting<Result>[] = []
    let isTaking = false
    for (const one of batch) {
      const verdict = await tryToWrite([one.result])
      if (verdict === 'failed') failed.push(one)
      else isTaking = true
      if (verdict === 'written') one.written(true)
      if (verdict === 'refused') await giveUp(one)
      if (!isTaking && failed.length === MAX_IN_VAIN) break
    }
    if (!isTaking) return batch
    const left: Waiting<Result>[] = []
    for (const one of failed) {
      one.failures++
      if (one.failures < MAX_FAILURES) left.push(one)
      else await giveUp(one)
    }
    return left
  }

  /** Answers those that need another try; this is the `tries`-th in a row of which none was written. */
  const writeBatch = async (batch: Waiting<Result>[], tries: number): Promise<Waiting<Result>[]> => {
    const verdict = await tryToWrite(batch.map((one) => one.result))
    if (verdict === 'written') {
      for (const one of batch) one.written(true)
      return []
    }
    if (batch.length > 1) {
      const apart =
        verdict === 'refused' || tries % TRIES_TOGETHER === 0 || batch.some((one) => one.failures > 0)
      return apart ? writeEach(batch) : batch
    }
    if (verdict === 'failed') return batch
    await giveUp(batch[0]!)
    return []
  }

  const writeAll = async (): Promise<void> => {
    let tries = 0
    while (waiting.length > 0) {
      if (options.underWay() > BUSY) await wait(options.gatherMs)
      const batch = waiting.slice(0, MAX_AT_ONCE)
      const left = await writeBatch(batch, ++tries)
      if (left.length < batch.length) tries = 0
      waiting = waiting.slice(batch.length)
      if (options.stopping()) for (const one of left) one.written(false)
      else if (left.length > 0) {
        // Unreachable, or a deadlock. What comes meanwhile is written along, and shows whether the database takes anything.
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
