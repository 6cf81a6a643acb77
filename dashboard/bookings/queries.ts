/**
 * Reads and writes bookings. The live stream names changed bookings, and changes of services and staff as
 * booking setup.
 */
import { queryOptions } from '@tanstack/react-query'
import type { Api, Booking } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'

export type NewBookingBody = Api['POST /bookings']['body']
export type BookingPatch = Api['PATCH /bookings/{id}']['body']
export type ServiceBody = Api['POST /booking-services']['body']
export type StaffBody = Api['POST /booking-staff']['body']
export type SettingsBody = Api['PUT /booking-settings']['body']
export type Between = { from: string; to: string }
type SlotFilter = Between & { serviceId: string; staffId?: string | undefined; partySize: number }

const PAGE = 100
/** More in one week than a calendar can show. */
const MAX_SHOWN = 1_000
/** The maximum duration of a service. */
const LONGEST_MS = 24 * 60 * 60 * 1_000

/**
 * Returns all bookings between two times, earliest first. Only some of those that start before extend into
 * the range.
 */
async function readBetween({ from, to }: Between, signal: AbortSignal): Promise<Booking[]> {
  const between = { from: new Date(Date.parse(from) - LONGEST_MS).toISOString(), to }
  const found: Booking[] = []
  let cursor: string | undefined
  do {
    const page = await call('GET /bookings', { query: { ...between, limit: PAGE, cursor }, signal })
    found.push(...page.bookings)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined && found.length < MAX_SHOWN)
  return found.filter(({ endAt }) => endAt > from)
}

export const bookingsQuery = (between: Between) =>
  queryOptions({
    queryKey: ['booking', 'list', between],
    queryFn: ({ signal }) => readBetween(between, signal),
  })

export const bookingQuery = (id: string) =>
  queryOptions({
    queryKey: ['booking', 'one', id],
    queryFn: async () => (await call('GET /bookings/{id}', { params: { id } })).booking,
  })

/** Reads free times. They depend on bookings, so they are read again with them. */
export const slotsQuery = (filter: SlotFilter) =>
  queryOptions({
    queryKey: ['booking', 'list', 'slots', filter],
    queryFn: async ({ signal }) => (await call('GET /bookings/slots', { query: filter, signal })).slots,
  })

export const servicesQuery = queryOptions({
  queryKey: ['bookingSetup', 'list', 'services'],
  queryFn: async () => (await call('GET /booking-services')).services,
})

export const staffQuery = queryOptions({
  queryKey: ['bookingSetup', 'list', 'staff'],
  queryFn: async () => (await call('GET /booking-staff')).staff,
})

export const bookingSettingsQuery = queryOptions({
  queryKey: ['bookingSetup', 'list', 'settings'],
  queryFn: async () => (await call('GET /booking-settings')).bookingSettings,
})

/** Shows a booking in its new state wherever it is already shown. */
export async function showBooking(booking: Booking): Promise<void> {
  // A list that is being read would show the earlier state again.
  await queryClient.cancelQueries({ queryKey: ['booking', 'list'] })
  queryClient.setQueryData(bookingQuery(booking.id).queryKey, (shown) => shown && booking)
  queryClient.setQueriesData<Booking[]>(
    { queryKey: ['booking', 'list'], predicate: ({ queryKey }) => typeof queryKey[2] === 'object' },
    (bookings) =>
      bookings
        ?.map((shown) => (shown.id === booking.id ? booking : shown))
        .toSorted((a, b) => a.startAt.localeCompare(b.startAt)),
  )
}

/** Shows a booking in its earlier state after a refused change, and reads it again. */
export async function restoreBooking(booking: Booking): Promise<void> {
  await showBooking(booking)
  void queryClient.invalidateQueries({ queryKey: ['booking'] })
}

/** Caches the booking returned by a change, and reads the calendar again. */
async function cacheBooking(booking: Booking): Promise<Booking> {
  await showBooking(booking)
  queryClient.setQueryData(bookingQuery(booking.id).queryKey, booking)
  void queryClient.invalidateQueries({ queryKey: ['booking', 'list'] })
  return booking
}

export const createBooking = async (body: NewBookingBody, idempotencyKey: string): Promise<Booking> =>
  cacheBooking((await call('POST /bookings', { body, idempotencyKey })).booking)

export const changeBooking = async (id: string, body: BookingPatch): Promise<Booking> =>
  cacheBooking((await call('PATCH /bookings/{id}', { params: { id }, body })).booking)

type NewTime = Pick<Booking, 'startAt' | 'staff'> & { force?: boolean }

/** Moves a booking to a time and staff; with `force` also outside the hours and the notice. */
export const moveBooking = (booking: Booking, { startAt, staff, force }: NewTime): Promise<Booking> =>
  changeBooking(booking.id, {
    startAt,
    ...(staff && staff.id !== booking.staff?.id && { staffId: staff.id }),
    ...(force && { force }),
  })

export const renewLink = async (id: string): Promise<Booking> =>
  cacheBooking((await call('POST /bookings/{id}/link', { params: { id } })).booking)

export async function invoiceBooking(id: string) {
  const { invoice } = await call('POST /bookings/{id}/invoice', { params: { id } })
  void queryClient.invalidateQueries({ queryKey: ['booking', 'one', id] })
  void queryClient.invalidateQueries({ queryKey: ['salesDocument', 'list'] })
  return invoice
}
