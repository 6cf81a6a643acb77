/** The deliveries that this process holds, from the claim until their results are written. */
import type { Clock } from '../../../../core/clock.ts'
import { idleGate } from '../../../../dispatch/idle-gate.ts'
import type { DueDelivery } from './attempt.ts'
import type { HeldDelivery, Lane } from './delivery-lanes.ts'

export type HeldDeliveries = {
  rows: ReadonlySet<HeldDelivery>
  /** Lanes with claimed rows. */
  lanes: ReadonlySet<Lane>
  /** Holds a delivery; `onSettled` is called when it is released. */
  hold(delivery: DueDelivery, readAtMs: number, lane: Lane | null, onSettled: () => void): HeldDelivery
  /** Records that its attempt has ended and its result must be written. */
  end(row: HeldDelivery): void
  /** Returns how many results are not written yet. */
  unwritten(): number
  release(row: HeldDelivery): void
  /** Resolves when no delivery is held. */
  idle(): Promise<void>
}

const TICK_MS = 1_000

/** Builds the store. `onTick` is called periodically while deliveries are held. */
export function heldDeliveries(clock: Clock, onTick: () => void): HeldDeliveries {
  const rows = new Set<HeldDelivery>()
  const lanes = new Set<Lane>()
  const endedRows = new Set<HeldDelivery>()
  const gate = idleGate(() => rows.size === 0)
  let ticker: NodeJS.Timeout | undefined
  return {
    rows,
    lanes,
    idle: gate.wait,
    hold: (delivery, readAtMs, lane, onSettled) => {
      const row: HeldDelivery = {
        delivery,
        readAtMs,
        reading: null,
        leasedAtMs: clock.monotonicMs(),
        startedAtMs: null,
        slow: false,
        lane,
        settled: onSettled,
      }
      rows.add(row)
      if (lane && lane.unsettled++ === 0) lanes.add(lane)
      ticker ??= setInterval(onTick, TICK_MS)
      return row
    },
    end: (row) => {
      endedRows.add(row)
    },
    unwritten: () => endedRows.size,
    release: (row) => {
      rows.delete(row)
      endedRows.delete(row)
      if (row.lane && --row.lane.unsettled === 0) lanes.delete(row.lane)
      row.settled()
      if (rows.size > 0) return
      clearInterval(ticker)
      ticker = undefined
      gate.settle()
    },
  }
}
