/**
 * Queues work that would wait for the same locks in the database and hold a connection meanwhile: a few run, the others wait.
 */
import { Refusal } from './errors.ts'

type Waiting = { begin(): void; end(why: unknown): void }
type Line = { running: number; waiting: Waiting[] }

/**
 * Runs `work` in its turn among the work of `key`. Refuses `service_unavailable` if too many wait, or one waits too long. A
 * fault that `isOver` matches also rejects all waiting work, because it would fail the same way.
 */
export type Turns = <T>(
  key: string,
  work: () => Promise<T>,
  isOver: (error: unknown) => boolean,
) => Promise<T>

const tooMany = (): Refusal =>
  new Refusal('service_unavailable', 'Too many requests are waiting. Try again in 1 second.', {
    retryAfterSeconds: 1,
  })

/** Waits until running work ends and passes its place on. */
function waitIn({ waiting }: Line, maxWaitMs: number): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(one), 1)
      reject(tooMany())
    }, maxWaitMs)
    const one: Waiting = {
      begin() {
        clearTimeout(timer)
        resolve()
      },
      end(why) {
        clearTimeout(timer)
        reject(why)
      },
    }
    waiting.push(one)
  })
}

export function turns(options: { atOnce: number; maxWaiting: number; maxWaitMs: number }): Turns {
  const lines = new Map<string, Line>()
  return async (key, work, isOver) => {
    const line = lines.get(key) ?? { running: 0, waiting: [] }
    lines.set(key, line)
    if (line.running < options.atOnce) line.running++
    else if (line.waiting.length >= options.maxWaiting) throw tooMany()
    else await waitIn(line, options.maxWaitMs)
    try {
      return await work()
    } catch (error) {
      if (isOver(error)) for (const one of line.waiting.splice(0)) one.end(error)
      throw error
    } finally {
      const next = line.waiting.shift()
      if (next) next.begin()
      else if (--line.running === 0) lines.delete(key)
    }
  }
}
