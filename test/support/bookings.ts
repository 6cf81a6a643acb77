/** A shop that takes bookings, and bookings in it. */
import type { Body, Client, TestParley, TestWorkspace } from './boot.ts'

async function made(answer: Promise<{ status: number; body: Body; text: string }>): Promise<Body> {
  const { status, body, text } = await answer
  if (status >= 300) throw new Error(`answered ${status}: ${text}`)
  return body
}

/** Open at any time of any day. */
export const ALWAYS = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }))

export const madeStaff = async (shop: Client, more: object = {}): Promise<Body> =>
  (await made(shop.post('/booking-staff', { name: 'Meera', weekly: ALWAYS, ...more }))).staff

/** Half an hour with somebody who is always there, unless it says otherwise. */
export async function madeService(shop: Client, more: Record<string, unknown> = {}): Promise<Body> {
  const staffIds = more.staffIds ?? [(await madeStaff(shop)).id]
  const body = { name: 'Haircut', durationMinutes: 30, stepMinutes: 30, maxDaysAhead: 365, ...more, staffIds }
  return (await made(shop.post('/booking-services', body))).service
}

/** A shop with the module switched on. */
export async function bookingShop(parley: TestParley, input: object = {}): Promise<TestWorkspace> {
  const shop = await parley.workspace({ sandbox: true, ...input })
  await shop.set({ modules: ['bookings'] })
  return shop
}

const HALF_HOUR_MS = 30 * 60_000
const DAY_MS = 24 * 60 * 60_000
// The same for all of a file, however long it takes.
const NEXT_HALF_HOUR = Math.ceil(Date.now() / HALF_HOUR_MS) * HALF_HOUR_MS
/** The half hour that begins so many days from now, and so many half hours later. */
export const startIn = (days: number, steps = 0): string =>
  new Date(NEXT_HALF_HOUR + days * DAY_MS + steps * HALF_HOUR_MS).toISOString()

let customers = 0
export const newCustomer = () => ({ phone: `+9198${String(10_000_000 + customers++)}`, name: 'Asha Rao' })

/** A booking in a month, of a service of its own unless it names one. */
export async function madeBooking(shop: Client, more: Record<string, unknown> = {}): Promise<Body> {
  const serviceId = more.serviceId ?? (await madeService(shop)).id
  return (await made(shop.post('/bookings', { startAt: startIn(30), ...newCustomer(), ...more, serviceId })))
    .booking
}
