/** Finds free times of a service: hours of its staff or of the business, less booked times, time off, notice, and horizon. */
import type { z } from 'zod'
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { type Hours, openHours } from '../../../../core/values/open-hours.ts'
import { readHours } from '../../../platform/business-hours/operations.ts'
import { type Calendar, freeSlots, type SlotRules } from '../calendar/free-slots.ts'
import { listTaken, type SessionRow } from '../queries/sessions.ts'
import { findServiceRow, type ServiceRow, type StaffRow } from '../queries/setup.ts'
import type { Slot, SlotQuery } from '../schema.ts'
import { type Bookable, findBookable } from './find-bookable.ts'
import { slotsBetween } from './requested-period.ts'

export type Between = { from: Date; to: Date }
export type FreeTime = { startAt: number; staff: StaffRow; remaining: number }

/** The longest time from a start to the end of its buffers. */
const REACH_MS = 33 * HOUR_MS

/** Returns the booked sessions between two moments, by staff. */
async function readTaken(
  ctx: Context,
  staff: StaffRow[],
  { from, to }: Between,
): Promise<Map<string, SessionRow[]>> {
  const rows = await listTaken(
    ctx,
    staff.map(({ id }) => id),
    { from: later(from, -REACH_MS), to: later(to, REACH_MS) },
  )
  return Map.groupBy(rows, ({ staffId }) => staffId)
}

/**
 * Returns the hours of services without staff: the business hours. Undefined if no service needs them, or if
 * the workspace has none and is therefore always open.
 */
async function readOpeningHours(ctx: Context, staff: StaffRow[]): Promise<Hours | undefined> {
  if (staff.every(({ hiddenFor }) => hiddenFor === null)) return undefined
  const hours = await readHours(ctx)
  return hours.updatedAt === null ? undefined : hours
}

/** A staff member with their calendar and booked sessions. */
export type StaffCalendar = { member: StaffRow; calendar: Calendar; sessions: SessionRow[] }

/** Returns the calendars of staff between two moments, in the order of the staff. */
export async function readCalendars(
  ctx: Context,
  staff: StaffRow[],
  period: Between,
): Promise<StaffCalendar[]> {
  if (staff.length === 0) return []
  const [sessionsByStaff, openingHours] = await Promise.all([
    readTaken(ctx, staff, period),
    readOpeningHours(ctx, staff),
  ])
  return staff.map((member) => {
    const sessions = sessionsByStaff.get(member.id) ?? []
    const hours = member.hiddenFor === null ? member : (openingHours ?? member)
    return { member, sessions, calendar: calendarOf(member, hours, sessions, period) }
  })
}

const calendarOf = (
  staff: StaffRow,
  hours: Hours,
  sessions: SessionRow[],
  { from, to }: Between,
): Calendar => ({
  open: openHours(hours, from, later(to, REACH_MS)),
  off: staff.timeOff.map(({ startAt, endAt }) => ({ from: Date.parse(startAt), to: Date.parse(endAt) })),
  taken: sessions.map((session) => ({
    serviceId: session.serviceId,
    startsAt: session.startsAt.getTime(),
    busyFrom: session.busyFrom.getTime(),
    busyTo: session.busyTo.getTime(),
    capacity: session.capacity,
    seats: session.seats,
  })),
})

/** Returns the earliest and latest start that can be booked now. */
export const noticeOf = (ctx: Context, service: ServiceRow): Between => ({
  from: later(ctx.now, service.minNoticeMinutes * MINUTE_MS),
  to: later(ctx.now, service.maxDaysAhead * DAY_MS),
})

/** Returns free times of a service, soonest first, with the staff in the service's order. */
export async function findFreeTimes(
  ctx: Context,
  { service, staff }: Bookable,
  query: Between & { seats: number },
): Promise<FreeTime[]> {
  const { from, to } = noticeOf(ctx, service)
  const period = {
    from: new Date(Math.max(from.getTime(), query.from.getTime())),
    to: new Date(Math.min(to.getTime(), query.to.getTime())),
  }
  if (period.from >= period.to) return []
  const calendars = await readCalendars(ctx, staff, period)
  const rules: SlotRules = service
  return calendars
    .flatMap(({ member, calendar }) =>
      freeSlots(rules, calendar, {
        first: period.from.getTime(),
        end: period.to.getTime(),
        seats: query.seats,
      }).map((slot) => ({ ...slot, staff: member })),
    )
    .sort((a, b) => a.startAt - b.startAt)
}

/** Returns a function that writes moments as text, and reuses the text of repeated moments. */
function momentWriter(): (time: number) => string {
  const texts = new Map<number, string>()
  return (time) => {
    const cached = texts.get(time)
    if (cached !== undefined) return cached
    const text = new Date(time).toISOString()
    texts.set(time, text)
    return text
  }
}

/** Returns free times as in replies. */
function presentSlots({ durationMinutes }: ServiceRow, times: FreeTime[]): z.output<typeof Slot>[] {
  const textOf = momentWriter()
  return times.map(({ startAt, staff, remaining }) => ({
    startAt: textOf(startAt),
    endAt: textOf(startAt + durationMinutes * MINUTE_MS),
    staffId: staff.hiddenFor === null ? staff.id : null,
    remaining,
  }))
}

/** Returns the reply of `GET /bookings/slots`. */
export async function listSlots(ctx: Context, query: SlotQuery): Promise<z.output<typeof Slot>[]> {
  const period = slotsBetween(ctx, query)
  // The query names the resource to read, so a foreign or missing service is a 404.
  if (!(await findServiceRow(ctx, query.serviceId.toLowerCase())))
    refuse('not_found', 'Service not found. See GET /booking-services.')
  const bookable = await findBookable(ctx, query.serviceId, query.staffId)
  const times = await findFreeTimes(ctx, bookable, { ...period, seats: query.partySize })
  return presentSlots(bookable.service, times)
}

const NEXT_SLOTS = 3
/**
 * The distances to search for the next free times, in days. Most are near, so the near search comes first.
 */
const LOOK_AHEAD_DAYS = [2, 31]

/** Returns the next free times from a moment on, at most three, each once regardless of the staff. */
export async function findNextSlots(
  ctx: Context,
  bookable: Bookable,
  { from, seats }: { from: Date; seats: number },
): Promise<z.output<typeof Slot>[]> {
  const next = new Map<number, FreeTime>()
  for (const days of LOOK_AHEAD_DAYS) {
    const times = await findFreeTimes(ctx, bookable, { from, to: later(from, days * DAY_MS), seats })
    for (const time of times) if (!next.has(time.startAt)) next.set(time.startAt, time)
    if (next.size >= NEXT_SLOTS) break
  }
  return presentSlots(bookable.service, [...next.values()].slice(0, NEXT_SLOTS))
}
