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

type Loop = { wake(): void; done: Promise<void>; healthy: boolean }

function startLoop(source: WorkSource, options: WorkerOptions, stopped: () => boolean): Loop {
  let wakeUp: (() => void) | undefined
  let woken = false
  const loop: Loop = {
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
    while (!stopped()) {
      woken = false
      try {
        const ran = await source.runDue({})
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
  }
  loop.done = turn()
  return loop
}

/** Starts one loop for each source. */
export function startWorker(options: WorkerOptions): Worker {
  let stopping = false
  const loops = new Map(
    options.sources.map((source) => [source.name, startLoop(source, options, () => stopping)]),
  )
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
