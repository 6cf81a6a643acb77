/**
 * Hands over the messages of numbers at the operator. Each number has a lane (lane.ts), which one
 * process at a time works on under a lease, so that its pace and the order of each recipient's
 * messages are kept in memory. Characters: lane-leases takes and lets go; look-ahead fetches a lane's
 * next messages; lane-calls begins as many as pace and places allow, writing a lease on each before
 * its call; outcome-writer settles them in lists.
 */
import { randomUUID } from 'node:crypto'
import type { Call, Desk, HandoverOptions } from './desk.ts'
import { type Lane, lookEveryMs, runsLow, runsLowOnSpare } from './lane.ts'
import { beginCalls, markSlow } from './lane-calls.ts'
import { letGo, RENEW_EVERY_MS, renewLeases, sweepPairs, takeFreeLanes } from './lane-leases.ts'
import { lookAhead, lookForSpare } from './look-ahead.ts'
import { outcomeWriter, type Result } from './outcome-writer.ts'
import type { BusyNumber } from './queries/lanes.ts'

export type Lanes = {
  /** Who this process is in the rows of lanes. */
  holder: string
  /** Works on these numbers from now on, as far as nobody else does. */
  work(numbers: BusyNumber[]): Promise<void>
  /** Has these written, after what this process itself has to write. */
  settle(results: Result[]): void
  /** Resolves when no call is under way and all outcomes are written. */
  idle(): Promise<void>
  /** Begins nothing more, waits for what is under way, and lets the lanes go. */
  stop(): Promise<void>
}

const TICK_MS = 20
const SWEEP_EVERY_MS = 2_000
/** A lane without messages is let go after this. Until then it is looked at often, whoever accepts its messages. */
const IDLE_AFTER_MS = 10_000
/** A longer pause is waited for without holding the lane. */
const SHORT_PAUSE_MS = 5_000
/** Statements that begin calls at once. Under load what ends in a few milliseconds begins together. */
const MOST_BEGINNING = 2
const GATHER_MS = 4
const BUSY = 32
const FAULT_PAUSE_MS = 500

/** Opens the lanes. Nothing runs while no lane is held. */
export function openLanes(options: HandoverOptions): Lanes {
  let ticker: NodeJS.Timeout | undefined
  let pumpDue = false
  let beginning = 0
  let quietUntilMs = 0
  let renewedAtMs = 0
  let sweptAtMs = 0
  let chores: Promise<void> | undefined
  const idleWaiters: (() => void)[] = []

  const beginSome = async (): Promise<void> => {
    pumpDue = false
    if (desk.stopping || beginning >= MOST_BEGINNING || desk.clock.monotonicMs() < quietUntilMs) return
    beginning++
    try {
      await beginCalls(desk)
    } catch (error) {
      quietUntilMs = desk.clock.monotonicMs() + FAULT_PAUSE_MS
      desk.onError(error)
    } finally {
      beginning--
      tellIdle()
    }
  }

  const pump = (): void => {
    if (desk.calls.size === 0) tellIdle()
    if (pumpDue || desk.stopping) return
    pumpDue = true
    if (desk.calls.size > BUSY) setTimeout(beginSome, GATHER_MS)
    else setImmediate(beginSome)
  }

  const tellIdle = (): void => {
    if (desk.calls.size === 0 && beginning === 0) for (const resolve of idleWaiters.splice(0)) resolve()
  }

  const desk: Desk = {
    ...options,
    holder: randomUUID(),
    lanes: new Map(),
    resting: new Map(),
    calls: new Set<Call>(),
    slow: 0,
    known: 0,
    writer: outcomeWriter({
      ...options,
      underWay: () => desk.known,
      stopping: () => desk.stopping,
    }),
    stopping: false,
    pump,
  }

  const isOver = (lane: Lane, nowMs: number, nowMonotonicMs: number): boolean =>
    lane.inFlight === 0 &&
    (lane.pausedUntilMs > nowMs + SHORT_PAUSE_MS ||
      (lane.known.size === 0 && nowMonotonicMs - lane.busyAtMs > IDLE_AFTER_MS))

  /** One after the other; a tick that finds them still under way leaves them. */
  const doChores = async (): Promise<void> => {
    const nowMs = desk.clock.now().getTime()
    const nowMonotonicMs = desk.clock.monotonicMs()
    const lanes = [...desk.lanes.values()]
    if (nowMonotonicMs - renewedAtMs > RENEW_EVERY_MS) {
      renewedAtMs = nowMonotonicMs
      await renewLeases(desk)
    }
    if (nowMonotonicMs - sweptAtMs > SWEEP_EVERY_MS) {
      sweptAtMs = nowMonotonicMs
      for (const lane of lanes) sweepPairs(lane, nowMs)
    }
    const over = lanes.filter((lane) => isOver(lane, nowMs, nowMonotonicMs))
    await letGo(desk, over)
    const hungry = [...desk.lanes.values()].filter(
      (lane) =>
        lane.pausedUntilMs <= nowMs &&
        runsLow(lane) &&
        (lane.more || nowMonotonicMs - lane.lookedAtMs > lookEveryMs(lane)),
    )
    await lookAhead(desk, hungry)
    const spare = [...desk.lanes.values()].filter(
      (lane) =>
        lane.pausedUntilMs <= nowMs &&
        runsLowOnSpare(lane) &&
        (lane.moreSpare || nowMonotonicMs - lane.spareLookedAtMs > lookEveryMs(lane)),
    )
    await lookForSpare(desk, spare)
  }

  const tick = (): void => {
    markSlow(desk)
    pump()
    if (desk.lanes.size === 0 && desk.calls.size === 0) {
      clearInterval(ticker)
      ticker = undefined
      return
    }
    chores ??= doChores()
      .catch(desk.onError)
      .finally(() => {
        chores = undefined
      })
  }

  const idle = async (): Promise<void> => {
    if (desk.calls.size > 0 || beginning > 0) await new Promise<void>((resolve) => idleWaiters.push(resolve))
    await desk.writer.idle()
  }

  return {
    holder: desk.holder,
    idle,
    settle: (results) => {
      for (const result of results) desk.writer.add(result, () => {})
    },
    async work(numbers) {
      if (desk.stopping) return
      const taken = await takeFreeLanes(
        desk,
        numbers.filter((one) => !desk.lanes.has(one.phoneNumberId)),
      )
      const low = numbers.flatMap((one) => desk.lanes.get(one.phoneNumberId) ?? []).filter(runsLow)
      if (desk.lanes.size > 0) ticker ??= setInterval(tick, TICK_MS)
      await lookAhead(desk, [...new Set([...taken, ...low])])
    },
    async stop() {
      desk.stopping = true
      clearInterval(ticker)
      await chores
      await idle()
      await letGo(desk, [...desk.lanes.values()]).catch(desk.onError)
    },
  }
}
