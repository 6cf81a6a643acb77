/** The claimed deliveries that this process has in hand, from the claim until their results are written. */
import type { Clock } from '../../../core/clock.ts'
import { idleGate } from '../../../dispatch/idle-gate.ts'
import type { DueDelivery } from './attempt.ts'
import type { Held, Lane } from './delivery-lanes.ts'

export type HeldDeliveries = {
  rows: ReadonlySet<Held>
  /** Lanes of which something is in hand. */
  lanes: ReadonlySet<Lane>
  /** Takes a delivery in hand; `settled` is called when it is released. */
  hold(delivery: DueDelivery, readAtMs: number, lane: Lane | null, settled: () => void): Held
  /** Its attempt has ended; its result is to be written. */
  end(one: Held): void
  /** How many results are not written yet. */
  unwritten(): number
  release(one: Held): void
  /** Resolves when nothing is in hand. */
  idle(): Promise<void>
}

const TICK_MS = 1_000

/** `onTick` is called now and then while something is in hand. */
export function heldDeliveries(clock: Clock, onTick: () => void): HeldDeliveries {
  const rows = new Set<Held>()
  const lanes = new Set<Lane>()
  const ended = new Set<Held>()
  const gate = idleGate(() => rows.size === 0)
  let ticker: NodeJS.Timeout | undefined
  return {
    rows,
    lanes,
    idle: gate.wait,
    hold: (delivery, readAtMs, lane, settled) => {
      const one: Held = {
        delivery,
        readAtMs,
        reading: null,
        leasedAtMs: clock.monotonicMs(),
        startedAtMs: null,
        slow: false,
        lane,
        settled,
      }
      rows.add(one)
      if (lane && lane.unsettled++ === 0) lanes.add(lane)
      ticker ??= setInterval(onTick, TICK_MS)
      return one
    },
    end: (one) => {
      ended.add(one)
    },
    unwritten: () => ended.size,
    release: (one) => {
      rows.delete(one)
      ended.delete(one)
      if (one.lane && --one.lane.unsettled === 0) lanes.delete(one.lane)
      one.settled()
      if (rows.size > 0) return
      clearInterval(ticker)
      ticker = undefined
      gate.settle()
    },
  }
}
