/** Bookings: created, moved, canceled, restored (spec 3, 6.3; DECISIONS.md). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  bookingShop,
  madeBooking,
  madeService,
  madeStaff,
  newCustomer,
  startIn,
} from '../../../../../test/support/bookings.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { deadlocksIn } from '../../../../../test/support/deadlocks.ts'
import { lockWaits } from '../../../../../test/support/lock-waits.ts'
import { eventsOf } from '../../../../../test/support/records.ts'
import { until } from '../../../../../test/support/until.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
beforeEach(async () => {
  shop = await bookingShop(parley)
})
afterAll(() => parley.close())

const book = (serviceId: string, more: object = {}) =>
  shop.post('/bookings', { serviceId, startAt: startIn(1), ...newCustomer(), ...more })
const change = (id: string, patch: object) => shop.patch(`/bookings/${id}`, patch)
const find = async (id: string): Promise<Body> => (await shop.get(`/bookings/${id}`)).body.booking
const eventsAbout = async (id: string): Promise<{ name: string; data: Body }[]> =>
  (await eventsOf(parley, shop.workspaceId)).filter(({ data }) => data.booking?.id === id)
const namesAbout = async (id: string): Promise<string[]> => (await eventsAbout(id)).map(({ name }) => name)
const CONFLICT = { status: 409, body: { error: 'conflict' } }

describe('POST /bookings', () => {
  test('books a time for a number and a name: confirmed, with its event', async () => {
    const staff = await madeStaff(shop)
    const service = await madeService(shop, {
      staffIds: [staff.id],
      priceMinor: 60_000,
      location: '12 Linking Road',
    })
    const startAt = startIn(1)
    const answer = await book(service.id, {
      phone: '98123 45678',
      email: 'asha@example.com',
      notes: 'Short.',
    })
    expect(answer, answer.text).toMatchObject({ status: 201 })
    const { booking } = answer.body
    const event = {
      id: booking.id,
      service: 'Haircut',
      summary: expect.stringMatching(/^Haircut with Meera, \w{3} \d{1,2} \w{3} \d{4}, \d\d:\d\d$/),
      staff: { id: staff.id, name: 'Meera', kind: 'person' },
      startAt,
      endAt: new Date(Date.parse(startAt) + 30 * 60_000).toISOString(),
      timeZone: 'Asia/Kolkata',
      durationMinutes: 30,
      status: 'confirmed',
      locationKind: 'business',
      location: '12 Linking Road',
      priceMinor: 60_000,
      price: '₹600.00',
      currency: 'INR',
      advance: null,
      customer: {
        contactId: expect.any(String),
        name: 'Asha Rao',
        phone: '+919812345678',
        email: 'asha@example.com',
      },
      source: 'staff',
    }
    expect(booking).toEqual({
      ...event,
      serviceId: service.id,
      partySize: 1,
      holdExpiresAt: null,
      paymentUrl: null,
      invoiceId: null,
      notes: 'Short.',
      answers: {},
      cancelReason: null,
      url: booking.url,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await eventsAbout(booking.id)).toMatchObject([
      { name: 'booking.created', data: { booking: event, by: 'staff', createdAt: booking.createdAt } },
    ])
    expect(await find(booking.id)).toEqual(booking)
    expect((await shop.get('/contacts/+919812345678')).body.contact).toMatchObject({
      id: booking.customer.contactId,
      displayName: 'Asha Rao',
    })
  })

  test('of a contact, whose lead shows the booking on its timeline', async () => {
    const { lead } = (await shop.post('/leads', { phone: '+919800000001', name: 'Ravi' })).body
    const contactId = (await shop.get('/contacts/+919800000001')).body.contact.id
    const booking = await madeBooking(shop, { contactId, phone: undefined, name: undefined })
    expect(booking.customer).toMatchObject({ contactId, name: 'Ravi', phone: '+919800000001' })
    await change(booking.id, { status: 'cancelled' })
    const kinds = (await shop.get(`/leads/${lead.id}/timeline`)).body.entries.map((entry: Body) => entry.kind)
    expect(kinds.reverse()).toEqual(['captured', 'booking_created', 'booking_cancelled'])
  })

  test('A hundred attempts, one booking', async () => {
    for (let round = 0; round < 3; round++) {
      const other = await bookingShop(parley)
      const { id: serviceId } = await madeService(other)
      const body = () => ({ serviceId, startAt: startIn(1), ...newCustomer() })
      const answers = await Promise.all(Array.from({ length: 100 }, () => other.post('/bookings', body())))
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses).toEqual([201, ...Array(99).fill(409)])
      for (const { body } of answers.filter(({ status }) => status === 409))
        expect(body).toMatchObject({ error: 'conflict', nextSlots: [{ startAt: startIn(1, 1) }, {}, {}] })
      expect((await other.get('/contacts')).body.contacts).toHaveLength(1)
    }
    expect(await deadlocksIn(parley)).toBe(0)
  })

  test('A hundred customers together, each with their own time: all are booked, and other workspaces do not wait', async () => {
    const { id: serviceId } = await madeService(shop)
    const neighbor = await bookingShop(parley)
    const hundred = Array.from({ length: 100 }, (_, i) => book(serviceId, { startAt: startIn(1, i) }))
    const other = madeBooking(neighbor)
    expect(new Set((await Promise.all(hundred)).map(({ status, body }) => body.error ?? status))).toEqual(
      new Set([201]),
    )
    expect((await other).status).toBe('confirmed')
  })

  test('Buffers count: concurrent requests never overlap, and the constraint is valid', async () => {
    const staff = [await madeStaff(shop), await madeStaff(shop)]
    const shared = { staffIds: staff.map(({ id }) => id), stepMinutes: 5 }
    const services = [
      await madeService(shop, { ...shared, bufferBeforeMinutes: 10 }),
      await madeService(shop, { ...shared, durationMinutes: 20, bufferAfterMinutes: 15 }),
    ]
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => {
        const startAt = new Date(Date.parse(startIn(3)) + (i % 30) * 5 * 60_000).toISOString()
        return book(services[i % 2]!.id, { startAt })
      }),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]))
    const overlaps = await parley.system((tx) =>
      tx.sql(
        `select 1 from booking_sessions a join booking_sessions b on a.workspace_id = b.workspace_id and a.staff_id = b.staff_id
           and a.id < b.id and a.released_at is null and b.released_at is null
           and a.busy_from < b.busy_to and b.busy_from < a.busy_to
         where a.workspace_id = $1`,
        [shop.workspaceId],
      ),
    )
    expect(overlaps).toEqual([])
    const overlappingInserts = parley.system((tx) =>
      tx.sql(
        `insert into booking_sessions (workspace_id, id, service_id, staff_id, starts_at, busy_from, busy_to, capacity, seats, created_at)
         select workspace_id, uuidv7(), service_id, staff_id, starts_at, busy_from, busy_to, capacity, seats, created_at
         from booking_sessions where workspace_id = $1 and staff_id = $2 and released_at is null limit 1`,
        [shop.workspaceId, staff[0]!.id],
      ),
    )
    await expect(overlappingInserts).rejects.toThrow('booking_sessions_apart')
  })

  test('Capacity 10 takes ten of thirty', async () => {
    const { id } = await madeService(shop, { capacity: 10 })
    const answers = await Promise.all(Array.from({ length: 30 }, () => book(id)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    const { nextSlots } = answers.find(({ status }) => status === 409)!.body
    expect(nextSlots[0]).toMatchObject({ remaining: 10 })
    expect(nextSlots[0].startAt > startIn(1)).toBe(true)
    expect(await book(id, { startAt: startIn(1, 1), partySize: 11 })).toMatchObject(CONFLICT)
    expect((await book(id, { startAt: startIn(1, 1), partySize: 10 })).status).toBe(201)
  })

  test('No service starts inside a group', async () => {
    const staff = await madeStaff(shop)
    const yoga = await madeService(shop, { staffIds: [staff.id], durationMinutes: 60, capacity: 5 })
    const cut = await madeService(shop, { staffIds: [staff.id] })
    expect((await book(yoga.id)).status).toBe(201)
    for (const [step, force] of [
      [0, true],
      [1, true],
      [1, false],
    ] as const)
      expect(await book(cut.id, { startAt: startIn(1, step), force })).toMatchObject(CONFLICT)
    expect((await book(yoga.id)).status).toBe(201)
  })

  test('force passes hours and notice, never an overlap', async () => {
    const staff = await madeStaff(shop, { weekly: [] })
    const { id } = await madeService(shop, { staffIds: [staff.id], minNoticeMinutes: 60 * 24 * 7 })
    expect(await book(id)).toMatchObject({ ...CONFLICT, body: { nextSlots: [] } })
    expect((await book(id, { force: true })).status).toBe(201)
    expect(await book(id, { force: true })).toMatchObject(CONFLICT)
  })

  test('without staffId: books free staff, with the least work that day', async () => {
    const staff = [await madeStaff(shop), await madeStaff(shop)]
    const { id } = await madeService(shop, { staffIds: staff.map((member) => member.id) })
    const first = (await book(id)).body.booking
    const second = (await book(id)).body.booking
    expect(new Set([first.staff.id, second.staff.id])).toEqual(new Set(staff.map((member) => member.id)))
    expect(await book(id)).toMatchObject(CONFLICT)
  })

  test('a price of 10^13 minor units for 500 people is exact; a total that cannot be collected or invoiced is an error', async () => {
    const other = await bookingShop(parley)
    await other.set({ modules: ['bookings', 'invoicing'] })
    const service = { priceMinor: 10_000_000_000_000, capacity: 500, advance: { percent: 100 } }
    const { id: serviceId } = await madeService(other, service)
    const body = { serviceId, startAt: startIn(30), partySize: 500, ...newCustomer() }
    expect(await other.post('/bookings', body)).toMatchObject({
      status: 409,
      body: { error: 'conflict', message: expect.stringContaining('collects at most') },
    })
    const booking = await madeBooking(other, { ...body, advance: 'waive' })
    expect(booking).toMatchObject({
      priceMinor: 5_000_000_000_000_000,
      price: '₹5,00,00,00,00,00,000.00',
      advance: { amountMinor: 5_000_000_000_000_000, status: 'waived' },
    })
    expect((await other.get(`/bookings/${booking.id}`)).body.booking).toMatchObject({
      priceMinor: 5_000_000_000_000_000,
    })
    expect(await other.post(`/bookings/${booking.id}/invoice`)).toMatchObject({
      status: 400,
      body: { error: 'invalid', issues: [{ path: 'lines' }] },
    })
  })

  test('the customer is checked before the time', async () => {
    const { id } = await madeService(shop)
    await book(id)
    expect(await book(id)).toMatchObject(CONFLICT)
    const contactId = '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f'
    expect(await book(id, { contactId, phone: undefined })).toMatchObject({
      status: 400,
      body: { error: 'invalid_reference' },
    })
    expect(await book(id, { phone: 'nobody' })).toMatchObject({
      status: 400,
      body: { error: 'invalid', issues: [{ path: 'phone' }] },
    })
  })

  test('answers must match the questions of the service', async () => {
    const { id } = await madeService(shop, { questions: [{ label: 'Any allergies?', required: true }] })
    const answers = { 'Any allergies?': 'Nuts' }
    expect((await book(id, { answers })).body.booking.answers).toEqual(answers)
    expect(await book(id, { answers: { Shade: 'red' } })).toMatchObject({
      status: 400,
      body: { error: 'invalid' },
    })
  })

  test.each([
    [{ phone: undefined }, 'phone'],
    [{ name: undefined }, 'name'],
    [{ phone: 'nobody' }, 'phone'],
    [{ contactId: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f' }, 'phone'],
    [{ startAt: '2026-12-01' }, 'startAt'],
    [{ startAt: '9999-12-31T23:45:00Z', force: true }, 'startAt'],
    [{ partySize: 0 }, 'partySize'],
    [{ email: 'asha' }, 'email'],
    [{ advance: 'request' }, 'advance'],
    [{ status: 'confirmed' }, 'status'],
  ])('%j is 400 naming %s', async (more, path) => {
    const answer = await book((await madeService(shop)).id, more)
    expect(answer, answer.text).toMatchObject({ status: 400, body: { error: 'invalid' } })
    expect(answer.body.issues.map((issue: Body) => issue.path)).toContain(path)
  })

  test('Foreign staff is invalid_reference; so are foreign services and contacts', async () => {
    const other = await bookingShop(parley)
    const { id } = await madeService(shop)
    const foreign = await madeBooking(other)
    const { contactId } = foreign.customer
    for (const more of [
      { staffId: foreign.staff.id },
      { serviceId: foreign.serviceId },
      { contactId, phone: undefined, name: undefined },
    ])
      expect(await book(id, more)).toMatchObject({ status: 400, body: { error: 'invalid_reference' } })
    expect((await shop.get(`/bookings/${foreign.id}`)).status).toBe(404)
  })
})

describe('PATCH /bookings/{id}', () => {
  test('Reschedule carries previousStartAt; the old time is free, the new one taken', async () => {
    const { id: serviceId } = await madeService(shop)
    const before = await madeBooking(shop, { serviceId, startAt: startIn(1) })
    const moveReply = await change(before.id, { startAt: startIn(1, 1) })
    expect(moveReply, moveReply.text).toMatchObject({
      status: 200,
      body: { booking: { startAt: startIn(1, 1), status: 'confirmed' } },
    })
    expect((await eventsAbout(before.id)).at(-1)).toMatchObject({
      name: 'booking.rescheduled',
      data: { booking: { startAt: startIn(1, 1) }, previousStartAt: startIn(1), by: 'staff' },
    })
    expect((await book(serviceId)).status).toBe(201)
    expect(await book(serviceId, { startAt: startIn(1, 1) })).toMatchObject(CONFLICT)
    expect((await change(before.id, { startAt: startIn(1, 1) })).status).toBe(200)
    expect(await namesAbout(before.id)).toEqual(['booking.created', 'booking.rescheduled'])
  })

  test('A failed move keeps the old time', async () => {
    const { id: serviceId } = await madeService(shop)
    const booking = await madeBooking(shop, { serviceId, startAt: startIn(1) })
    await madeBooking(shop, { serviceId, startAt: startIn(1, 1) })
    expect(await change(booking.id, { startAt: startIn(1, 1) })).toMatchObject({
      ...CONFLICT,
      body: { nextSlots: [{ startAt: startIn(1, 2) }, {}, {}] },
    })
    expect(await find(booking.id)).toEqual(booking)
    expect(await book(serviceId)).toMatchObject(CONFLICT)
    expect(await namesAbout(booking.id)).toEqual(['booking.created'])
  })

  test('moves outside the hours and the notice only with force, and never to a taken time', async () => {
    const staff = await madeStaff(shop, { weekly: [] })
    const { id: serviceId } = await madeService(shop, { staffIds: [staff.id] })
    const booked = (step: number) => madeBooking(shop, { serviceId, startAt: startIn(1, step), force: true })
    const booking = await booked(0)
    await booked(1)
    expect(await change(booking.id, { startAt: startIn(1, 2) })).toMatchObject(CONFLICT)
    expect(await change(booking.id, { startAt: startIn(1, 2), force: true })).toMatchObject({
      status: 200,
      body: { booking: { startAt: startIn(1, 2), status: 'confirmed' } },
    })
    expect(await change(booking.id, { startAt: startIn(1, 1), force: true })).toMatchObject(CONFLICT)
    expect((await find(booking.id)).startAt).toBe(startIn(1, 2))
  })

  test('moves to other staff of the service, and by less than its duration', async () => {
    const staff = [await madeStaff(shop), await madeStaff(shop)]
    const service = await madeService(shop, {
      staffIds: staff.map((member) => member.id),
      durationMinutes: 60,
    })
    const booking = await madeBooking(shop, {
      serviceId: service.id,
      staffId: staff[0]!.id,
      startAt: startIn(1),
    })
    const moveReply = await change(booking.id, { startAt: startIn(1), staffId: staff[1]!.id })
    expect(moveReply.body.booking.staff.id).toBe(staff[1]!.id)
    expect((await change(booking.id, { startAt: startIn(1, 1) })).body.booking.startAt).toBe(startIn(1, 1))
    const other = await madeStaff(shop)
    expect(await change(booking.id, { startAt: startIn(1), staffId: other.id })).toMatchObject({
      status: 400,
      body: { error: 'invalid_reference' },
    })
  })

  test('canceled: the place is free, and the event has the reason', async () => {
    const { id: serviceId } = await madeService(shop)
    const booking = await madeBooking(shop, { serviceId, startAt: startIn(1) })
    const answer = await change(booking.id, { status: 'cancelled', reason: 'Ill.' })
    expect(answer.body.booking).toMatchObject({ status: 'cancelled', cancelReason: 'Ill.' })
    expect((await eventsAbout(booking.id)).at(-1)).toMatchObject({
      name: 'booking.cancelled',
      data: { by: 'staff', reason: 'Ill.', booking: { status: 'cancelled', advance: null } },
    })
    expect((await change(booking.id, { status: 'cancelled' })).status).toBe(200)
    expect(await change(booking.id, { startAt: startIn(2) })).toMatchObject(CONFLICT)
    expect((await book(serviceId)).status).toBe(201)
    expect(await change(booking.id, { status: 'confirmed' })).toMatchObject(CONFLICT)
    expect(await namesAbout(booking.id)).toEqual(['booking.created', 'booking.cancelled'])
  })

  test('No-show early is 409; from its start on a visit can be completed or a no-show', async () => {
    const booking = await madeBooking(shop)
    for (const status of ['no_show', 'completed'])
      expect(await change(booking.id, { status })).toMatchObject(CONFLICT)
    for (const [status, name] of [
      ['completed', 'booking.completed'],
      ['no_show', 'booking.no_show'],
    ] as const) {
      const past = await madeBooking(shop, { startAt: startIn(-1), force: true })
      expect((await change(past.id, { status })).body.booking.status).toBe(status)
      expect(await namesAbout(past.id)).toEqual(['booking.created', name])
    }
  })

  test('Restore names `from`', async () => {
    for (const [status, startAt] of [
      ['cancelled', startIn(1)],
      ['completed', startIn(-1)],
      ['no_show', startIn(-1)],
    ]) {
      const booking = await madeBooking(shop, { startAt, force: true })
      await change(booking.id, { status })
      expect((await change(booking.id, { status: 'confirmed' })).body.booking).toMatchObject({
        status: 'confirmed',
        cancelReason: null,
      })
      expect((await eventsAbout(booking.id)).at(-1)).toMatchObject({
        name: 'booking.restored',
        data: { from: status, booking: { status: 'confirmed' } },
      })
      expect((await change(booking.id, { status: 'confirmed' })).status).toBe(200)
      expect((await namesAbout(booking.id)).filter((name) => name === 'booking.restored')).toHaveLength(1)
    }
  })

  test('notes and customer: same value, no change; no event', async () => {
    const booking = await madeBooking(shop)
    const changed = (await change(booking.id, { notes: 'By the window', customer: { name: 'Asha R.' } })).body
      .booking
    expect(changed).toMatchObject({
      notes: 'By the window',
      customer: { ...booking.customer, name: 'Asha R.' },
    })
    expect((await change(booking.id, { notes: 'By the window' })).body.booking).toEqual(changed)
    expect(await namesAbout(booking.id)).toEqual(['booking.created'])
    const bookingOfOther = (await change(booking.id, { customer: { phone: '98123 45678' } })).body.booking
    expect(bookingOfOther.customer.phone).toBe('+919812345678')
    expect((await change(booking.id, { customer: { phone: null } })).body.booking.customer.phone).toBeNull()
  })

  test.each([
    [{}, ''],
    [{ startAt: startIn(2), status: 'cancelled' }, ''],
    [{ staffId: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f' }, 'startAt'],
    [{ force: true }, 'startAt'],
    [{ status: 'held' }, 'status'],
    [{ status: 'completed', reason: 'Done' }, 'reason'],
    [{ status: 'cancelled', advance: 'waive' }, 'advance'],
    [{ customer: { phone: 'none' } }, 'customer.phone'],
    [{ advance: 'keep' }, 'advance'],
  ])('%j is 400 naming %s', async (patch, path) => {
    const answer = await change((await madeBooking(shop)).id, patch)
    expect(answer, answer.text).toMatchObject({ status: 400, body: { error: 'invalid' } })
    expect(answer.body.issues.map((issue: Body) => issue.path)).toContain(path)
  })
})

describe('GET /bookings', () => {
  test('soonest first, page by page, by time, state, service, staff, and contact', async () => {
    const other = await bookingShop(parley)
    const staff = await madeStaff(other)
    const { id: serviceId } = await madeService(other, { staffIds: [staff.id] })
    const created: Body[] = []
    for (const step of [3, 0, 2, 1])
      created[step] = await madeBooking(other, { serviceId, startAt: startIn(1, step) })
    const alien = await madeBooking(other, { startAt: startIn(2) })
    const ids = created.map(({ id }) => id)
    const list = async (query: string): Promise<string[]> =>
      (await other.get(`/bookings?${query}`)).body.bookings.map(({ id }: Body) => id)
    expect(await list('')).toEqual([...ids, alien.id])
    const first = (await other.get('/bookings?limit=3')).body
    expect(first.bookings.map(({ id }: Body) => id)).toEqual(ids.slice(0, 3))
    expect(await list(`limit=3&cursor=${first.nextCursor}`)).toEqual([ids[3], alien.id])
    expect(await list(`from=${startIn(1, 1)}&to=${startIn(1, 3)}`)).toEqual(ids.slice(1, 3))
    expect(await list(`staffId=${staff.id}`)).toEqual(ids)
    expect(await list(`serviceId=${alien.serviceId}`)).toEqual([alien.id])
    expect(await list(`contactId=${created[2].customer.contactId}`)).toEqual([ids[2]])
    await other.patch(`/bookings/${ids[1]}`, { status: 'cancelled' })
    expect(await list('status=cancelled')).toEqual([ids[1]])
    expect(await list('status=confirmed')).toEqual([ids[0], ids[2], ids[3], alien.id])
  })

  test('from and to may be days of the workspace’s zone, including the last', async () => {
    const other = await bookingShop(parley)
    const { id: serviceId } = await madeService(other)
    const [before, day, after] = [39, 40, 41].map((days) => startIn(days).slice(0, 10))
    const starts = [`${before}T23:30`, `${day}T00:00`, `${day}T23:30`, `${after}T00:00`]
    for (const start of starts) await madeBooking(other, { serviceId, startAt: `${start}:00+05:30` })
    const list = async (query: string): Promise<string[]> => {
      const { bookings } = (await other.get(`/bookings?${query}`)).body
      return bookings.map(({ startAt }: Body) =>
        new Date(Date.parse(startAt) + 5.5 * 3_600_000).toISOString().slice(0, 16),
      )
    }
    expect(await list(`from=${day}&to=${day}`)).toEqual(starts.slice(1, 3))
    expect(await list(`from=${day}`)).toEqual(starts.slice(1))
    expect(await list(`from=${day}T00:01:00%2B05:30&to=${after}`)).toEqual(starts.slice(2))
    for (const no of ['2026-02-30', '2026-1-1', 'soon'])
      expect(await other.get(`/bookings?from=${no}`)).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'from', message: expect.stringContaining('2026-12-01') }] },
      })
  })
})

test('.ics: UTC, UID = id, SEQUENCE = changes', async () => {
  const service = await madeService(shop, { name: 'Cut, wash; dry', location: 'Ground floor' })
  const { id } = await madeBooking(shop, { serviceId: service.id, startAt: startIn(1) })
  const lines = async (): Promise<string[]> => {
    const answer = await shop.get(`/bookings/${id}?format=ics`)
    expect(answer.headers['content-type']).toContain('text/calendar')
    return answer.text.split('\r\n')
  }
  const stamp = (timestamp: string): string => `${timestamp.slice(0, 19).replace(/[-:]/g, '')}Z`
  expect(await lines()).toEqual(
    expect.arrayContaining([
      `UID:${id}`,
      'SEQUENCE:0',
      `DTSTART:${stamp(startIn(1))}`,
      'STATUS:CONFIRMED',
      'SUMMARY:Cut\\, wash\\; dry with Meera',
      'LOCATION:Ground floor',
    ]),
  )
  await change(id, { startAt: startIn(1, 4) })
  await change(id, { status: 'cancelled' })
  expect(await lines()).toEqual(
    expect.arrayContaining([
      `UID:${id}`,
      'SEQUENCE:2',
      `DTSTART:${stamp(startIn(1, 4))}`,
      'STATUS:CANCELLED',
    ]),
  )
})

test('the customer receives a confirmation if their window is open', async () => {
  const [writer, silent] = [newCustomer(), newCustomer()]
  await shop.inbound(writer.phone, 'When are you free?')
  await madeBooking(shop, writer)
  await madeBooking(shop, { ...writer, notify: false })
  await madeBooking(shop, silent)
  const texts = await parley.system((tx) =>
    tx.sql<{ content: Body }>(
      `select content from messages where workspace_id = $1 and direction = 'outbound'`,
      [shop.workspaceId],
    ),
  )
  expect(texts.map(({ content }) => content.body)).toEqual([
    expect.stringMatching(/^Booked: Haircut with Meera, /),
  ])
})

test('a confirmation to the customer locks the allowance before the staff, as a booking for a new customer does', async () => {
  const { id: serviceId } = await madeService(shop)
  const { phone, name } = newCustomer()
  await shop.inbound(phone, 'Hello')
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const sending = parley.system(async (tx) => {
    // A booking for a new customer locks the allowance first, then the staff.
    await tx.sql('select from workspace_usage where workspace_id = $1 for update', [shop.workspaceId])
    held.resolve()
    await released.promise
    await tx.sql('select from booking_staff where workspace_id = $1 for update nowait', [shop.workspaceId])
  })
  await held.promise
  const bookingReply = shop.post('/bookings', { serviceId, startAt: startIn(3), phone, name })
  await until(
    async () => (await parley.system((tx) => lockWaits(tx.sql))).length > 0,
    'the booking waits for the allowance',
  )
  released.resolve()
  await sending
  expect((await bookingReply).status).toBe(201)
})

describe('Erasure frees the future', () => {
  test('without an event, and keeps the times of the past', async () => {
    const { id: serviceId } = await madeService(shop)
    const customer = newCustomer()
    const future = await madeBooking(shop, { ...customer, serviceId, startAt: startIn(1), notes: 'Secret' })
    const past = await madeBooking(shop, { ...customer, serviceId, startAt: startIn(-1), force: true })
    await change(past.id, { status: 'completed' })
    expect((await shop.delete(`/contacts/${future.customer.contactId}`)).status).toBe(200)
    await shop.advance(1)
    const erased = { contactId: null, name: null, phone: null, email: null }
    expect(await find(future.id)).toMatchObject({
      status: 'cancelled',
      startAt: startIn(1),
      customer: erased,
      notes: null,
    })
    expect(await find(past.id)).toMatchObject({ status: 'completed', startAt: startIn(-1), customer: erased })
    expect(await namesAbout(future.id)).toEqual(['booking.created'])
    expect((await book(serviceId)).status).toBe(201)
    expect(await change(past.id, { notes: 'Who was that?' })).toMatchObject(CONFLICT)
  })
})
