/**
 * Hands over the messages of numbers at the operator. One process at a time works on a number's lane, under a
 * lease, so that its pace and the order of each recipient's messages can be kept in memory.
 */
import { randomUUID } from 'node:crypto'
import { callPump } from './call-pump.ts'
import type { Call, Dispatcher, HandoverOptions } from './dispatcher.ts'
import { fetchAhead } from './fetch-ahead.ts'
import { isRunningLow } from './lane.ts'
import { markSlow } from './lane-calls.ts'
import { laneChores } from './lane-chores.ts'
import { claimFreeLanes, release } from './lane-leases.ts'
import { outcomeWriter, type Result } from './outcome-writer.ts'
import type { BusyNumber } from './queries/lanes.ts'
import { callRecovery } from './recover-calls.ts'

export type Lanes = {
  /** The id of this process in the rows of lanes. */
  holder: string
  /** Works on these numbers from now on, except those that another process holds. */
  work(numbers: BusyNumber[]): Promise<void>
  /**
   * Settles the calls that killed processes of this data directory have left. Call it before any other work,
   * and from time to time.
   */
  recover(): Promise<void>
  /** Writes these results, after the results of this process's own calls. */
  settle(results: Result[]): void
  /** Resolves when no call is under way and all outcomes are written. */
  idle(): Promise<void>
  /** Begins nothing more, waits for calls under way, and releases the lanes. */
  stop(): Promise<void>
}

const TICK_MS = 20

const newDispatcher = (options: HandoverOptions, pump: () => void): Dispatcher => {
  const dispatcher: Dispatcher = {
    ...options,
    holder: randomUUID(),
    lanes: new Map(),
    resting: new Map(),
    calls: new Set<Call>(),
    slow: 0,
    known: 0,
    writer: outcomeWriter({
      ...options,
      underWay: () => dispatcher.known,
      stopping: () => dispatcher.stopping,
    }),
    journal: undefined,
    stopping: false,
    pump,
  }
  return dispatcher
}

/** Opens the lanes. Nothing runs while no lane is held. */
export function openLanes(options: HandoverOptions): Lanes {
  let ticker: NodeJS.Timeout | undefined
  let chores: Promise<void> | undefined
  const doChores = laneChores()
  const dispatcher = newDispatcher(options, () => pump())
  const { pump, idle: callsEnded } = callPump(dispatcher)

  const tick = (): void => {
    markSlow(dispatcher)
    pump()
    if (dispatcher.lanes.size === 0 && dispatcher.calls.size === 0) {
      clearInterval(ticker)
      ticker = undefined
      return
    }
    chores ??= doChores(dispatcher)
      .catch(dispatcher.onError)
      .finally(() => {
        chores = undefined
      })
  }

  const idle = async (): Promise<void> => {
    await callsEnded()
    await dispatcher.writer.idle()
  }

  return {
    holder: dispatcher.holder,
    idle,
    recover: callRecovery(dispatcher),
    settle: (results) => {
      for (const result of results) dispatcher.writer.add(result, () => {})
    },
    async work(numbers) {
      if (dispatcher.stopping) return
      const claimed = await claimFreeLanes(
        dispatcher,
        numbers.filter((number) => !dispatcher.lanes.has(number.phoneNumberId)),
      )
      const low = numbers
        .flatMap((number) => dispatcher.lanes.get(number.phoneNumberId) ?? [])
        .filter(isRunningLow)
      if (dispatcher.lanes.size > 0) ticker ??= setInterval(tick, TICK_MS)
      await fetchAhead(dispatcher, [...new Set([...claimed, ...low])])
    },
    async stop() {
      dispatcher.stopping = true
      clearInterval(ticker)
      await chores
      await idle()
      await release(dispatcher, [...dispatcher.lanes.values()]).catch(dispatcher.onError)
      await dispatcher.journal?.close()
    },
  }
}
