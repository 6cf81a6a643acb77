/** Everything that falls due, and the ways to the outside that it goes. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Outside } from '../core/context.ts'
import type { WorkSource } from '../core/work.ts'
import type { BackgroundOptions } from './background-options.ts'
import { outsideOf } from './outside.ts'
import { openWaysOut } from './ways-out.ts'
import { openSources } from './work-tools.ts'

export type Background = {
  sources: WorkSource[]
  outside: Outside
  /** Ends what is under way, `stopLoops` first, then the ways out. */
  close(stopLoops: () => Promise<void> | undefined): Promise<void>
}

/** How long a stop waits for answers from the outside. */
const STOP_PATIENCE_MS = 5_000

/** Opens the sources of background work with the simulator, the operator and the way out to receivers. */
export async function openBackground(options: BackgroundOptions): Promise<Background> {
  const ways = await openWaysOut(options)
  const sources: WorkSource[] = []
  const outside = outsideOf(options, ways, sources)
  openSources(options, ways, { outside, sources })
  return {
    sources,
    outside,
    close: async (stopLoops) => {
      // Calls to the outside may hang longer than whoever stops us waits. What is cut off counts as
      // what a lost connection does: a delivery is tried again, a hand-over is decided by its receipt.
      const underWay = Promise.all([stopLoops(), ...sources.map((source) => source.stop?.())])
      await Promise.race([underWay, wait(STOP_PATIENCE_MS, undefined, { ref: false })])
      await ways.close()
      await underWay
      await ways.simulators.close()
    },
  }
}
