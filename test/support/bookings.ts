/** A shop that takes bookings, and its bookings. */
import type { Body, Client, TestParley, TestWorkspace } from './boot.ts'

async function bodyOrThrow(answer: Promise<{ status: number; body: Body; text: string }>): Promise<Body> {
  const { status, body, text } = await answer
  if (status >= 300) throw new Error(`answered ${status}: ${text}`)
  return body
}

/** Opening hours: all day, every day. */
export const ALWAYS = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }))

export const madeStaff = async (shop: Client, more: object = {}): Promise<Body> =>
  (await bodyOrThrow(shop.post('/booking-staff', { name: 'Meera', weekly: ALWAYS, ...more }))).staff

/** Returns a half-hour service with a resource that is always available, unless the input says otherwise. */
export async function madeService(shop: Client, more: Record<string, unknown> = {}): Promise<Body> {
  const staffIds = more.staffIds ?? [(await madeStaff(shop)).id]
  const body = { name: 'Haircut', durationMinutes: 30, stepMinutes: 30, maxDaysAhead: 365, ...more, staffIds }
  return (await bodyOrThrow(shop.post('/booking-services', body))).service
}

/** Creates a shop with the booking module turned on. */
export async function bookingShop(parley: TestParley, input: object = {}): Promise<TestWorkspace> {
  const shop = await parley.workspace({ sandbox: true, ...input })
  await shop.set({ modules: ['bookings'] })
  return shop
}

const HALF_HOUR_MS = 30 * 60_000
const DAY_MS = 24 * 60 * 60_000
// Fixed for the whole test file, even if it runs long.
const NEXT_HALF_HOUR = Math.ceil(Date.now() / HALF_HOUR_MS) * HALF_HOUR_MS
/** Returns the start of the half hour that is `days` days and `steps` half hours after the next half hour. */
export const startIn = (days: number, steps = 0): string =>
  new Date(NEXT_HALF_HOUR + days * DAY_MS + steps * HALF_HOUR_MS).toISOString()

let customers = 0
export const newCustomer = () => ({ phone: `+9198${String(10_000_000 + customers++)}`, name: 'Asha Rao' })

/** Creates a booking in a month, with its own new service unless the input names a service. */
export async function madeBooking(shop: Client, more: Record<string, unknown> = {}): Promise<Body> {
  const serviceId = more.serviceId ?? (await madeService(shop)).id
  return (
    await bodyOrThrow(shop.post('/bookings', { startAt: startIn(30), ...newCustomer(), ...more, serviceId }))
  ).booking
}
