/**
 * Takes and frees places. Each transaction first locks the rows of the staff, in the order of their ids, so
 * that no other transaction changes their sessions. The table's constraint also rejects overlaps.
 */
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { isStart, placesAt, type SlotRules } from '../calendar/free-slots.ts'
import { addSeats, expireLapsed, insertSession, type SessionRow } from '../queries/sessions.ts'
import { listStaffForUpdate, type StaffRow } from '../queries/setup.ts'
import type { Bookable } from './find-bookable.ts'
import { type Between, findNextSlots, noticeOf, readCalendars } from './slots.ts'

export type WantedPlace = {
  startAt: Date
  seats: number
  /** Ignore hours, notice, and horizon. */
  force: boolean
}

export type Place = { staff: StaffRow; sessionId: string }

/** Locks staff, and frees the times of their expired holds. */
export async function holdStaff(ctx: Context, ids: string[]): Promise<StaffRow[]> {
  const staff = await listStaffForUpdate(ctx, [...new Set(ids)])
  const lapsed = await expireLapsed(
    ctx,
    staff.map(({ id }) => id),
  )
  touch(ctx, { booking: lapsed.map(({ id }) => id) })
  return staff
}

type Free = { staff: StaffRow; session: SessionRow | undefined; load: number }

/**
 * Returns the staff who are free at a time: first those with a started group, then those with the least work
 * around it.
 */
async function findFree(
  ctx: Context,
  { service, staff }: Bookable,
  wantedPlace: WantedPlace,
): Promise<Free[]> {
  const startMs = wantedPlace.startAt.getTime()
  const notice = noticeOf(ctx, service)
  if (!wantedPlace.force && (wantedPlace.startAt < notice.from || wantedPlace.startAt > notice.to)) return []
  const ends = later(wantedPlace.startAt, service.durationMinutes * MINUTE_MS)
  const period: Between = { from: wantedPlace.startAt, to: ends }
  const calendars = await readCalendars(ctx, staff, period)
  const rules: SlotRules = service
  return calendars
    .flatMap(({ member, calendar, sessions }): Free[] => {
      if (placesAt(rules, calendar.taken, startMs) < wantedPlace.seats) return []
      if (!wantedPlace.force && !isStart(rules, calendar, startMs)) return []
      const session = sessions.find(
        ({ serviceId, startsAt }) => serviceId === service.id && startsAt.getTime() === startMs,
      )
      return [{ staff: member, session, load: sessions.length }]
    })
    .sort((a, b) => Number(b.session !== undefined) - Number(a.session !== undefined) || a.load - b.load)
}

async function refuseTaken(
  ctx: Context,
  bookable: Bookable,
  { startAt, seats }: WantedPlace,
): Promise<never> {
  const from = startAt > ctx.now ? startAt : ctx.now
  const nextSlots = await findNextSlots(ctx, bookable, { from, seats })
  return refuse(
    'conflict',
    nextSlots.length > 0
      ? `This time isn't free. Choose another one from nextSlots.`
      : "This time isn't free, and there are no later ones. See GET /bookings/slots.",
    { nextSlots },
  )
}

/** Refuses a time that is known to be taken before any lock or write. Most late requests end here. */
export async function refuseKnownTaken(
  ctx: Context,
  bookable: Bookable,
  wantedPlace: WantedPlace,
): Promise<void> {
  if ((await findFree(ctx, bookable, wantedPlace)).length === 0) await refuseTaken(ctx, bookable, wantedPlace)
}

/** Takes a place with locked staff. Returns undefined if none is free. */
export async function tryTakePlace(
  ctx: Context,
  bookable: Bookable,
  wantedPlace: WantedPlace,
): Promise<Place | undefined> {
  const [firstFree] = await findFree(ctx, bookable, wantedPlace)
  if (!firstFree) return undefined
  if (firstFree.session) {
    await addSeats(ctx, firstFree.session.id, wantedPlace.seats)
    return { staff: firstFree.staff, sessionId: firstFree.session.id }
  }
  const { service } = bookable
  const sessionId = newId()
  await insertSession(ctx, {
    id: sessionId,
    serviceId: service.id,
    staffId: firstFree.staff.id,
    startsAt: wantedPlace.startAt,
    busyFrom: later(wantedPlace.startAt, -service.bufferBeforeMinutes * MINUTE_MS),
    busyTo: later(wantedPlace.startAt, (service.durationMinutes + service.bufferAfterMinutes) * MINUTE_MS),
    capacity: service.capacity,
    seats: wantedPlace.seats,
  })
  return { staff: firstFree.staff, sessionId }
}

/** Takes a place with locked staff. Refuses (`conflict`) a taken time with the next free times. */
export const takePlace = async (ctx: Context, bookable: Bookable, wantedPlace: WantedPlace): Promise<Place> =>
  (await tryTakePlace(ctx, bookable, wantedPlace)) ?? refuseTaken(ctx, bookable, wantedPlace)

/** Frees the place of a booking whose staff is locked. */
export const freePlace = async (
  ctx: Context,
  { sessionId, partySize }: { sessionId: string | null; partySize: number },
): Promise<void> => {
  if (sessionId !== null) await addSeats(ctx, sessionId, -partySize)
}
