/** Requests whose cost for the event loop and for memory is measured. */
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startRequestThread, type ThreadAnswer, type ThreadRequest } from '../../support/request-thread.ts'
import { watchStandstill } from '../../support/standstill.ts'

export const MAX_STANDSTILL_MS = 100
export const MAX_GROWTH_BYTES = 50 * 1024 * 1024
const AT_ONCE = 4
/** Garbage collection and compilation slow down random requests; a request's own cost occurs every time. */
const ATTEMPTS = 3
/**
 * Neither takes this long. A request that did may be quick when it is repeated, because the records that it
 * created exist.
 */
const NO_NOISE_MS = 500
/** Time for the work that a request leaves after its answer. */
const AFTER_MS = 150

export type Watched = ThreadRequest & { label: string }
export type WatchedAnswer = ThreadAnswer & { label: string }

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes in use after a garbage collection. */
function bytesInUse(): number {
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

export type WatchedClient = {
  /** Sends requests, and records those that blocked the event loop for too long. */
  send(requests: Watched[]): Promise<WatchedAnswer[]>
  /** Sends requests without measuring them. */
  unwatched(requests: ThreadRequest[]): Promise<ThreadAnswer[]>
  /** Watches the event loop during other work. Prepares and repeats the work when it took too long. */
  during<Input>(
    label: string,
    prepare: () => Input | Promise<Input>,
    work: (input: Input) => Promise<unknown>,
  ): Promise<void>
  /** Returns descriptions of everything that was too slow. */
  slow: string[]
  /** Returns how many more bytes are in use than at the start. */
  grownBytes(): number
  close(): Promise<unknown>
}

/** `before` is called before each group of requests. */
export function watchedClient(before: () => void): WatchedClient {
  const thread = startRequestThread()
  const turns = watchStandstill()
  const slow: string[] = []
  const atStart = bytesInUse()

  /** Returns the longest turn of the event loop during an action. */
  const measure = async (work: () => Promise<unknown>): Promise<number> => {
    before()
    turns.reset()
    await work()
    return turns.longestMs()
  }
  /** Repeats work that was slow once, and records it when it is slow again. */
  const recordIfSlow = async (
    label: string,
    firstMs: number,
    repeat: () => Promise<number>,
  ): Promise<void> => {
    let quickest = firstMs
    for (let i = 0; i < ATTEMPTS && quickest > MAX_STANDSTILL_MS; i++)
      quickest = Math.min(quickest, await repeat())
    if (quickest > MAX_STANDSTILL_MS || firstMs > NO_NOISE_MS)
      slow.push(`${label}: ${Math.round(firstMs)} ms`)
  }
  const andAfter = async (work: () => Promise<unknown>): Promise<void> => {
    await work()
    await wait(AFTER_MS)
  }
  return {
    slow,
    async send(requests) {
      const answers: WatchedAnswer[] = []
      for (let from = 0; from < requests.length; from += AT_ONCE) {
        const group = requests.slice(from, from + AT_ONCE)
        let answered: ThreadAnswer[] = []
        const tookMs = await measure(async () => {
          answered = await thread.send(group)
        })
        answers.push(...answered.map((answer, i) => ({ ...answer, label: group[i]!.label })))
        if (tookMs <= MAX_STANDSTILL_MS) continue
        for (const request of group) {
          const measureAlone = () => measure(() => andAfter(() => thread.send([request])))
          // So far only the group as a whole was slow.
          await recordIfSlow(
            request.label,
            Math.max(await measureAlone(), group.length === 1 ? tookMs : 0),
            measureAlone,
          )
        }
        if (tookMs > NO_NOISE_MS)
          slow.push(`one of ${group.map(({ label }) => label).join(' | ')}: ${Math.round(tookMs)} ms`)
      }
      return answers
    },
    unwatched: (requests) => thread.send(requests),
    async during(label, prepare, work) {
      const measureOnce = async () => {
        const input = await prepare()
        return measure(() => work(input))
      }
      const tookMs = await measureOnce()
      if (tookMs > MAX_STANDSTILL_MS) await recordIfSlow(label, tookMs, measureOnce)
    },
    grownBytes: () => bytesInUse() - atStart,
    async close() {
      turns.stop()
      return thread.close()
    },
  }
}
