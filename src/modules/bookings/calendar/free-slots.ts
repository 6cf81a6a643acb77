/**
 * Finds the starts at which a service is free with a staff member. Pure; times are milliseconds of the epoch.
 */
import { MINUTE_MS } from '../../../core/clock.ts'
import type { OpenTimes, Stretch } from '../../../core/open-hours.ts'

/** The rules of a service for its times. */
export type SlotRules = {
  id: string
  durationMinutes: number
  bufferBeforeMinutes: number
  bufferAfterMinutes: number
  stepMinutes: number
  capacity: number
}

/** A time that is taken, with its buffers. */
export type TakenTime = {
  serviceId: string
  startsAt: number
  busyFrom: number
  busyTo: number
  capacity: number
  seats: number
}

export type Calendar = {
  open: OpenTimes
  off: Stretch[]
  /** Sorted by `busyFrom`, without overlaps. */
  taken: TakenTime[]
}

export type FreeSlot = { startAt: number; remaining: number }

/** Returns the index of the first sorted entry that ends after `at`. */
function firstEndingAfter<One>(all: One[], endOf: (one: One) => number, at: number): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (endOf(all[middle]!) <= at) low = middle + 1
    else high = middle
  }
  return low
}

const endOfBusy = ({ busyTo }: TakenTime): number => busyTo
const endOf = ({ to }: Stretch): number => to

/** Returns the number of free places at `startAt`; 0 means none. Ignores hours. */
export function placesAt(rules: SlotRules, taken: TakenTime[], startAt: number): number {
  const busyFrom = startAt - rules.bufferBeforeMinutes * MINUTE_MS
  const busyTo = startAt + (rules.durationMinutes + rules.bufferAfterMinutes) * MINUTE_MS
  let isTaken = false
  for (let i = firstEndingAfter(taken, endOfBusy, busyFrom); i < taken.length; i++) {
    const one = taken[i]!
    if (one.busyFrom >= busyTo) break
    // The group already takes this time, so another seat adds no busy time.
    if (one.serviceId === rules.id && one.startsAt === startAt) return Math.max(0, one.capacity - one.seats)
    isTaken = true
  }
  return isTaken ? 0 : rules.capacity
}

/** Returns whether any part of the period overlaps time off. */
const isOff = (off: Stretch[], from: number, to: number): boolean =>
  off.some((one) => one.from < to && one.to > from)

/** Returns whether a single stretch contains the whole period. */
const isWithin = (stretches: Stretch[], from: number, to: number): boolean => {
  const stretch = stretches[firstEndingAfter(stretches, endOf, from)]
  return stretch !== undefined && stretch.from <= from && to <= stretch.to
}

/**
 * Returns starts from `first` on and before `end`: steps of elapsed time from the start of each range, each
 * once.
 */
function startsOf(stepMs: number, { ranges }: OpenTimes, first: number, end: number): number[] {
  const starts = new Set<number>()
  for (const { from, to } of ranges) {
    const skipped = Math.max(0, Math.ceil((first - from) / stepMs))
    for (let at = from + skipped * stepMs; at < to && at < end; at += stepMs) starts.add(at)
  }
  return [...starts].sort((a, b) => a - b)
}

/** Returns free starts from `first` on and before `end`, for at least `seats` people. */
export function freeSlots(
  rules: SlotRules,
  { open, off, taken }: Calendar,
  { first, end, seats }: { first: number; end: number; seats: number },
): FreeSlot[] {
  const durationMs = rules.durationMinutes * MINUTE_MS
  const slots: FreeSlot[] = []
  for (const at of startsOf(rules.stepMinutes * MINUTE_MS, open, first, end)) {
    if (!isWithin(open.stretches, at, at + durationMs) || isOff(off, at, at + durationMs)) continue
    const remaining = placesAt(rules, taken, at)
    if (remaining >= seats) slots.push({ startAt: at, remaining })
  }
  return slots
}

/** Returns whether `at` is a start by the hours: on a step of a range, and not in time off. */
export function isStart(
  rules: SlotRules,
  { open, off }: Pick<Calendar, 'open' | 'off'>,
  at: number,
): boolean {
  const end = at + rules.durationMinutes * MINUTE_MS
  const stepMs = rules.stepMinutes * MINUTE_MS
  return (
    open.ranges.some(({ from, to }) => from <= at && at < to && (at - from) % stepMs === 0) &&
    isWithin(open.stretches, at, end) &&
    !isOff(off, at, end)
  )
}
