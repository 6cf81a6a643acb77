/** Opens all background work, and its connections to the outside. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Outside } from '../core/context.ts'
import type { WorkSource } from '../core/work.ts'
import type { BackgroundOptions } from './background-options.ts'
import { openOutboundConnections } from './outbound-connections.ts'
import { outsideOf } from './outside.ts'
import { openSources } from './work-tools.ts'

export type Background = {
  sources: WorkSource[]
  outside: Outside
  /** Stops running work, `stopLoops` first, then the connections to the outside. */
  close(stopLoops: () => Promise<void> | undefined): Promise<void>
}

/** The maximum time that a stop waits for answers from the outside. */
const STOP_PATIENCE_MS = 5_000

/** Opens the work sources with the simulator, the operator, and the egress to receivers. */
export async function openBackground(options: BackgroundOptions): Promise<Background> {
  const connections = await openOutboundConnections(options)
  const sources: WorkSource[] = []
  const outside = outsideOf(options, connections, sources)
  openSources(options, connections, { outside, sources })
  return {
    sources,
    outside,
    close: async (stopLoops) => {
      // Outbound calls may hang longer than the process manager waits. A cut-off call counts as a lost
      // connection: a delivery is retried, and a receipt decides about a submitted message.
      const stopping = Promise.all([stopLoops(), ...sources.map((source) => source.stop?.())])
      await Promise.race([stopping, wait(STOP_PATIENCE_MS, undefined, { ref: false })])
      await connections.close()
      await stopping
      await connections.simulators.close()
    },
  }
}
