/**
 * Finds the starts at which a service is free with a staff member. Pure; times are milliseconds of the epoch.
 */
import { MINUTE_MS } from '../../../../core/clock.ts'
import type { OpenTimes, Stretch } from '../../../../core/values/open-hours.ts'

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

/** Returns the index of the first sorted entry that ends after `time`. */
function firstEndingAfter<One>(items: One[], endOf: (Item: One) => number, time: number): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (endOf(items[middle]!) <= time) low = middle + 1
    else high = middle
  }
  return low
}

const endOfBusy = ({ busyTo }: TakenTime): number => busyTo
const endOf = ({ to }: Stretch): number => to

/** Returns the number of free places at `startAt`; 0 means none. Ignores hours. */
export function placesAt(rules: SlotRules, sessions: TakenTime[], startAt: number): number {
  const busyFrom = startAt - rules.bufferBeforeMinutes * MINUTE_MS
  const busyTo = startAt + (rules.durationMinutes + rules.bufferAfterMinutes) * MINUTE_MS
  let isTaken = false
  for (let i = firstEndingAfter(sessions, endOfBusy, busyFrom); i < sessions.length; i++) {
    const session = sessions[i]!
    if (session.busyFrom >= busyTo) break
    // The group already takes this time, so another seat adds no busy time.
    if (session.serviceId === rules.id && session.startsAt === startAt)
      return Math.max(0, session.capacity - session.seats)
    isTaken = true
  }
  return isTaken ? 0 : rules.capacity
}

/** Returns whether any part of the period overlaps time off. */
const isOff = (stretches: Stretch[], from: number, to: number): boolean =>
  stretches.some((stretch) => stretch.from < to && stretch.to > from)

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
    const stepCount = Math.max(0, Math.ceil((first - from) / stepMs))
    for (let start = from + stepCount * stepMs; start < to && start < end; start += stepMs) starts.add(start)
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
  for (const start of startsOf(rules.stepMinutes * MINUTE_MS, open, first, end)) {
    if (!isWithin(open.stretches, start, start + durationMs) || isOff(off, start, start + durationMs))
      continue
    const remaining = placesAt(rules, taken, start)
    if (remaining >= seats) slots.push({ startAt: start, remaining })
  }
  return slots
}

/** Returns whether `start` is a start by the hours: on a step of a range, and not in time off. */
export function isStart(
  rules: SlotRules,
  { open, off }: Pick<Calendar, 'open' | 'off'>,
  start: number,
): boolean {
  const end = start + rules.durationMinutes * MINUTE_MS
  const stepMs = rules.stepMinutes * MINUTE_MS
  return (
    open.ranges.some(({ from, to }) => from <= start && start < to && (start - from) % stepMs === 0) &&
    isWithin(open.stretches, start, end) &&
    !isOff(off, start, end)
  )
}
