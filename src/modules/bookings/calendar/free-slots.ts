/** Which starts of a service are free with somebody. Pure; times are milliseconds of the epoch. */
import { MINUTE_MS } from '../../../core/clock.ts'
import type { OpenTimes, Stretch } from '../../../core/open-hours.ts'

/** What a service asks of its times. */
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
  /** By start of what they keep busy, apart from each other. */
  taken: TakenTime[]
}

export type FreeSlot = { startAt: number; remaining: number }

/** The first of an ordered list that may still touch what begins at `at`. */
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

/** How many places are left at `startAt`; 0: none. Hours are not looked at. */
export function placesAt(rules: SlotRules, taken: TakenTime[], startAt: number): number {
  const busyFrom = startAt - rules.bufferBeforeMinutes * MINUTE_MS
  const busyTo = startAt + (rules.durationMinutes + rules.bufferAfterMinutes) * MINUTE_MS
  let isTaken = false
  for (let i = firstEndingAfter(taken, endOfBusy, busyFrom); i < taken.length; i++) {
    const one = taken[i]!
    if (one.busyFrom >= busyTo) break
    // A group that is there already: who comes along keeps nobody busier.
    if (one.serviceId === rules.id && one.startsAt === startAt) return Math.max(0, one.capacity - one.seats)
    isTaken = true
  }
  return isTaken ? 0 : rules.capacity
}

/** Whether some of the time from `from` to `to` is off. */
const isOff = (off: Stretch[], from: number, to: number): boolean =>
  off.some((one) => one.from < to && one.to > from)

/** The stretch that holds all of the time from `from` to `to`, if one does. */
const isWithin = (stretches: Stretch[], from: number, to: number): boolean => {
  const stretch = stretches[firstEndingAfter(stretches, endOf, from)]
  return stretch !== undefined && stretch.from <= from && to <= stretch.to
}

/** Starts of the hours from `first` on and before `end`: steps of elapsed time from where each range begins, each once. */
function startsOf(stepMs: number, { ranges }: OpenTimes, first: number, end: number): number[] {
  const starts = new Set<number>()
  for (const { from, to } of ranges) {
    const skipped = Math.max(0, Math.ceil((first - from) / stepMs))
    for (let at = from + skipped * stepMs; at < to && at < end; at += stepMs) starts.add(at)
  }
  return [...starts].sort((a, b) => a - b)
}

/** Free starts from `first` on and before `end`, for `seats` people at least. */
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

/** Whether `at` is a start by the hours: on a step of one of the ranges, and not in time off. */
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
