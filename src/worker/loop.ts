/** Runs every work source until stopped: woken in this process, otherwise by a short poll. */
import type { WorkSource } from '../core/work.ts'

export type Worker = {
  start(): void
  wake(sources: Iterable<string>): void
  /** Stops claiming and waits until running work has ended. */
  stop(): Promise<void>
  /** Returns whether every loop has completed a turn since its last failure. */
  healthy(): boolean
}

export type WorkerOptions = { sources: WorkSource[]; onError(source: string, error: unknown): void }

const FAULT_PAUSE_MS = 1_000
const MAX_FAULT_PAUSE_MS = 10_000
/**
 * The number of loops that may run their first turn concurrently: first turns send statements that no
 * connection has planned yet, over few connections.
 */
const BEGIN_AT_ONCE = 4
/** A loop with a longer first turn does not delay the others. */
const BEGUN_WITHIN_MS = 250

type Loop = {
  wake(): void
  /** Resolves when it has completed its first turn, failed, or exceeded its time. */
  started: Promise<unknown>
  done: Promise<void>
  healthy: boolean
}

/** Starts a loop after `earlier` resolves. */
function startLoop(
  source: WorkSource,
  options: WorkerOptions,
  stopped: () => boolean,
  earlier: Loop | undefined,
): Loop {
  let wakeUp: (() => void) | undefined
  let woken = false
  const { promise: started, resolve: markStarted } = Promise.withResolvers<void>()
  const loop: Loop = {
    started,
    healthy: true,
    wake: () => {
      woken = true
      wakeUp?.()
    },
    done: Promise.resolve(),
  }
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
      if (woken || stopped()) wakeUp()
    })
  const turn = async (): Promise<void> => {
    let faults = 0
    await earlier?.started
    setTimeout(markStarted, BEGUN_WITHIN_MS).unref()
    while (!stopped()) {
      woken = false
      try {
        const ran = await source.runDue({}).finally(markStarted)
        loop.healthy = true
        faults = 0
        if (ran === 0) await pause(source.pollMs)
      } catch (error) {
        loop.healthy = false
        faults++
        options.onError(source.name, error)
        woken = false
        // Random, so that many processes do not return at the same time.
        await pause(Math.min(MAX_FAULT_PAUSE_MS, FAULT_PAUSE_MS * faults) * (0.5 + Math.random()))
      }
    }
    markStarted()
  }
  loop.done = turn()
  return loop
}

/** Opens the worker: `start` begins one loop for each source. Before that, nothing runs. */
export function openWorker(options: WorkerOptions): Worker {
  let stopping = false
  const loops = new Map<string, Loop>()
  return {
    start: () => {
      for (const source of options.sources) {
        const earlier = [...loops.values()].at(-BEGIN_AT_ONCE)
        loops.set(
          source.name,
          startLoop(source, options, () => stopping, earlier),
        )
      }
    },
    wake: (sources) => {
      for (const name of sources) loops.get(name)?.wake()
    },
    stop: async () => {
      stopping = true
      for (const loop of loops.values()) loop.wake()
      await Promise.all([...loops.values()].map((loop) => loop.done))
    },
    healthy: () => [...loops.values()].every((loop) => loop.healthy),
  }
}
