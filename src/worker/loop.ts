/** Runs every source of background work until asked to stop: woken in process, else by a short poll. */
import type { WorkSource } from '../core/work.ts'

export type Worker = {
  wake(sources: Iterable<string>): void
  /** Stops claiming and waits until what is under way has ended. */
  stop(): Promise<void>
  /** Whether every loop has come round since its last failure. */
  healthy(): boolean
}

export type WorkerOptions = { sources: WorkSource[]; onError(source: string, error: unknown): void }

const FAULT_PAUSE_MS = 1_000
const MAX_FAULT_PAUSE_MS = 10_000
/** Loops that come round for the first time at once: each asks what no connection has planned yet, over few connections. */
const BEGIN_AT_ONCE = 4
/** One whose first work takes longer holds up no other. */
const BEGUN_WITHIN_MS = 250

type Loop = {
  wake(): void
  /** Resolves once it has come round for the first time, failed, or taken its time over it. */
  begun: Promise<unknown>
  done: Promise<void>
  healthy: boolean
}

/** The loop begins once `earlier` has begun. */
function startLoop(
  source: WorkSource,
  options: WorkerOptions,
  stopped: () => boolean,
  earlier: Loop | undefined,
): Loop {
  let wakeUp: (() => void) | undefined
  let woken = false
  const { promise: begun, resolve: noteBegun } = Promise.withResolvers<void>()
  const loop: Loop = {
    begun,
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
    await earlier?.begun
    setTimeout(noteBegun, BEGUN_WITHIN_MS).unref()
    while (!stopped()) {
      woken = false
      try {
        const ran = await source.runDue({}).finally(noteBegun)
        loop.healthy = true
        faults = 0
        if (ran === 0) await pause(source.pollMs)
      } catch (error) {
        loop.healthy = false
        faults++
        options.onError(source.name, error)
        woken = false
        // Spread over time, so that many processes do not come back at once.
        await pause(Math.min(MAX_FAULT_PAUSE_MS, FAULT_PAUSE_MS * faults) * (0.5 + Math.random()))
      }
    }
    noteBegun()
  }
  loop.done = turn()
  return loop
}

/** Starts one loop for each source. */
export function startWorker(options: WorkerOptions): Worker {
  let stopping = false
  const loops = new Map<string, Loop>()
  for (const source of options.sources) {
    const earlier = [...loops.values()].at(-BEGIN_AT_ONCE)
    loops.set(
      source.name,
      startLoop(source, options, () => stopping, earlier),
    )
  }
  return {
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
