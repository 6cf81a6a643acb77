/**
 * Queues work that would wait for the same locks in the database and hold a connection meanwhile: a few run, the others wait.
 */
import { Refusal } from './errors.ts'

type Waiting = { begin(): void; end(reason: unknown): void }
type Queue = { running: number; waiting: Waiting[] }

/**
 * Runs `work` in its turn among the work of `key`. Refuses `service_unavailable` if too many wait, or one waits too long. A
 * fault that `isOver` matches also rejects all waiting work, because it would fail the same way.
 */
export type Turns = <T>(
  key: string,
  work: () => Promise<T>,
  isOver: (error: unknown) => boolean,
) => Promise<T>

const queueFull = (): Refusal =>
  new Refusal('service_unavailable', 'Too many requests are waiting. Try again in 1 second.', {
    retryAfterSeconds: 1,
  })

/** Waits until running work ends and passes its place on. */
function waitForPlace({ waiting }: Queue, maxWaitMs: number): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(entry), 1)
      reject(queueFull())
    }, maxWaitMs)
    const entry: Waiting = {
      begin() {
        clearTimeout(timer)
        resolve()
      },
      end(reason) {
        clearTimeout(timer)
        reject(reason)
      },
    }
    waiting.push(entry)
  })
}

export function turns(options: { atOnce: number; maxWaiting: number; maxWaitMs: number }): Turns {
  const queues = new Map<string, Queue>()
  return async (key, work, isOver) => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.running < options.atOnce) queue.running++
    else if (queue.waiting.length >= options.maxWaiting) throw queueFull()
    else await waitForPlace(queue, options.maxWaitMs)
    try {
      return await work()
    } catch (error) {
      if (isOver(error)) for (const entry of queue.waiting.splice(0)) entry.end(error)
      throw error
    } finally {
      const next = queue.waiting.shift()
      if (next) next.begin()
      else if (--queue.running === 0) queues.delete(key)
    }
  }
}
