/** Services, staff, and settings of bookings (DECISIONS.md). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bookingShop, madeService, madeStaff } from '../../../../../test/support/bookings.ts'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { storeTemplate } from '../../../../../test/support/templates.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await bookingShop(parley)
})
afterAll(() => parley.close())

const UNKNOWN = '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f'

test('turned off, all endpoints return 404 not_available and the data stays', async () => {
  const other = await bookingShop(parley)
  const { id } = await madeService(other)
  await other.set({ modules: [] })
  for (const path of ['/booking-services', '/booking-staff', '/booking-settings'])
    expect(await other.get(path)).toMatchObject({ status: 404, body: { error: 'not_available' } })
  expect((await other.post('/booking-services', { nonsense: true })).body.error).toBe('not_available')
  await other.set({ modules: ['bookings'] })
  expect((await other.get('/booking-services')).body.services).toMatchObject([{ id }])
})

describe('a service', () => {
  test('is created with its defaults, changed in part, and deleted', async () => {
    const staff = await madeStaff(shop)
    const created = await shop.post('/booking-services', {
      name: 'Haircut',
      durationMinutes: 45,
      staffIds: [staff.id],
    })
    expect(created, created.text).toMatchObject({
      status: 201,
      body: {
        service: {
          name: 'Haircut',
          durationMinutes: 45,
          bufferBeforeMinutes: 0,
          bufferAfterMinutes: 0,
          stepMinutes: 15,
          capacity: 1,
          priceMinor: 0,
          price: '₹0.00',
          currency: 'INR',
          advance: null,
          refundPolicy: 'refund',
          minNoticeMinutes: 0,
          maxDaysAhead: 60,
          locationKind: 'business',
          staffIds: [staff.id],
          questions: [],
          active: true,
        },
      },
    })
    const { id } = created.body.service
    const change = {
      priceMinor: 60_000,
      advance: { percent: 20 },
      taxRate: 17.5,
      questions: [{ label: 'Any allergies?' }],
    }
    const changed = await shop.patch(`/booking-services/${id}`, change)
    expect(changed.body.service).toMatchObject({
      name: 'Haircut',
      price: '₹600.00',
      advance: { percent: 20 },
      taxRate: 17.5,
      questions: [{ label: 'Any allergies?', required: false }],
    })
    expect((await shop.get('/booking-services')).body.services.at(-1)).toEqual(changed.body.service)
    expect((await shop.patch(`/booking-services/${id}`, { advance: null })).body.service.advance).toBeNull()
    expect((await shop.delete(`/booking-services/${id}`)).body).toEqual({ ok: true, deleted: true })
    expect((await shop.delete(`/booking-services/${id}`)).status).toBe(404)
    expect((await shop.patch(`/booking-services/${id}`, { capacity: 2 })).status).toBe(404)
  })

  test('Foreign staff is invalid_reference', async () => {
    const foreign = await madeStaff(await bookingShop(parley))
    for (const staffId of [foreign.id, UNKNOWN]) {
      const body = { name: 'Haircut', durationMinutes: 45, staffIds: [staffId] }
      const expectedRefusal = {
        status: 400,
        body: { error: 'invalid_reference', message: expect.stringContaining('staffIds[0]') },
      }
      expect(await shop.post('/booking-services', body)).toMatchObject(expectedRefusal)
      const { id } = await madeService(shop)
      expect(await shop.patch(`/booking-services/${id}`, { staffIds: [staffId] })).toMatchObject(
        expectedRefusal,
      )
    }
  })

  test.each([
    [{ name: ' ' }, 'name'],
    [{ durationMinutes: 4 }, 'durationMinutes'],
    [{ durationMinutes: 1441 }, 'durationMinutes'],
    [{ bufferAfterMinutes: 241 }, 'bufferAfterMinutes'],
    [{ stepMinutes: 0 }, 'stepMinutes'],
    [{ capacity: 501 }, 'capacity'],
    [{ priceMinor: 1.5 }, 'priceMinor'],
    [{ priceMinor: 10_000_000_000_001 }, 'priceMinor'],
    [{ taxRate: 1.2345 }, 'taxRate'],
    [{ hsn: '12' }, 'hsn'],
    [{ advance: {} }, 'advance.amountMinor'],
    [{ advance: { amountMinor: 1_000, percent: 10 } }, 'advance.amountMinor'],
    [{ advance: { percent: 101 } }, 'advance.percent'],
    [{ maxDaysAhead: 366 }, 'maxDaysAhead'],
    [{ locationKind: 'moon' }, 'locationKind'],
    [{ questions: Array.from({ length: 11 }, (_, i) => ({ label: `${i}` })) }, 'questions'],
    [{ questions: [{ label: 'A' }, { label: 'A' }] }, 'questions'],
    [{ surprise: 1 }, 'surprise'],
  ])('%j is 400 naming %s', async (more, path) => {
    const answer = await shop.post('/booking-services', { name: 'Haircut', durationMinutes: 45, ...more })
    expect(answer, answer.text).toMatchObject({ status: 400, body: { error: 'invalid' } })
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  })
})

describe('staff', () => {
  test('has hours in its own zone, overrides, and time off', async () => {
    const body = {
      name: 'Room 2',
      kind: 'resource',
      timeZone: 'Europe/Berlin',
      weekly: [
        { day: 1, from: '09:00', to: '24:00' },
        { day: 5, from: '20:00', to: '04:00' },
      ],
      overrides: [
        { date: '2026-12-25', ranges: [] },
        { date: '2026-12-31', ranges: [{ from: '18:00', to: '05:00' }] },
      ],
      timeOff: [{ startAt: '2026-12-24T00:00:00+05:30', endAt: '2026-12-27T00:00:00+05:30' }],
    }
    const created = await shop.post('/booking-staff', body)
    expect(created, created.text).toMatchObject({
      status: 201,
      body: {
        staff: { ...body, memberId: null, active: true, timeOff: [{ startAt: '2026-12-23T18:30:00.000Z' }] },
      },
    })
    const { id } = created.body.staff
    expect(
      (await shop.patch(`/booking-staff/${id}`, { weekly: [], active: false })).body.staff,
    ).toMatchObject({
      name: 'Room 2',
      weekly: [],
      active: false,
    })
    expect((await shop.get('/booking-staff')).body.staff.at(-1)).toMatchObject({ id, weekly: [] })
    expect((await shop.delete(`/booking-staff/${id}`)).status).toBe(200)
    expect(
      (await shop.get('/booking-staff')).body.staff.map((member: { id: string }) => member.id),
    ).not.toContain(id)
  })

  test('uses the zone of the workspace by default, and may be a teammate', async () => {
    const staff = await madeStaff(shop, { memberId: shop.ownerId })
    expect(staff).toMatchObject({ timeZone: 'Asia/Kolkata', kind: 'person', memberId: shop.ownerId })
    expect(await shop.post('/booking-staff', { name: 'Meera', memberId: UNKNOWN })).toMatchObject({
      status: 400,
      body: { error: 'invalid_reference' },
    })
  })

  test('that a service names cannot be deleted', async () => {
    const staff = await madeStaff(shop)
    const service = await madeService(shop, { staffIds: [staff.id] })
    expect(await shop.delete(`/booking-staff/${staff.id}`)).toMatchObject({
      status: 409,
      body: { error: 'conflict' },
    })
    await shop.patch(`/booking-services/${service.id}`, { staffIds: [] })
    expect((await shop.delete(`/booking-staff/${staff.id}`)).status).toBe(200)
  })

  test.each([
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ timeZone: '+05:30' }, 'timeZone'],
    [{ weekly: [{ day: 8, from: '09:00', to: '10:00' }] }, 'weekly[0].day'],
    [{ weekly: [{ day: 1, from: '9:00', to: '10:00' }] }, 'weekly[0].from'],
    [{ weekly: [{ day: 1, from: '10:00', to: '25:00' }] }, 'weekly[0].to'],
    [{ weekly: [{ day: 1, from: '10:00', to: '24:01' }] }, 'weekly[0].to'],
    [{ weekly: [{ day: 1, from: '09:00', to: '09:00' }] }, 'weekly[0].to'],
    [{ weekly: [{ day: 1, from: '24:00', to: '02:00' }] }, 'weekly[0].from'],
    [
      { overrides: [{ date: '2026-12-25', ranges: [{ from: '09:00', to: '09:00' }] }] },
      'overrides[0].ranges[0].to',
    ],
    [{ overrides: [{ date: '2026-02-30', ranges: [] }] }, 'overrides[0].date'],
    [
      {
        overrides: [
          { date: '2026-12-25', ranges: [] },
          { date: '2026-12-25', ranges: [] },
        ],
      },
      'overrides',
    ],
    [{ timeOff: [{ startAt: '2026-12-25T10:00:00Z', endAt: '2026-12-25T10:00:00Z' }] }, 'timeOff[0].endAt'],
  ])('%j is 400 naming %s', async (more, path) => {
    const answer = await shop.post('/booking-staff', { name: 'Meera', ...more })
    expect(answer, answer.text).toMatchObject({ status: 400, body: { error: 'invalid' } })
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toEqual([path])
  })

  test('at most 400 overrides, and they fit into a request', async () => {
    const day = (i: number) => new Date(Date.UTC(2027, 0, 1 + i)).toISOString().slice(0, 10)
    const overrides = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ date: day(i), ranges: [{ from: '09:00', to: '18:00' }] }))
    expect((await shop.post('/booking-staff', { name: 'Meera', overrides: overrides(401) })).status).toBe(400)
    expect((await shop.post('/booking-staff', { name: 'Meera', overrides: overrides(400) })).status).toBe(201)
  })
})

describe('the settings', () => {
  test('are complete before the first change; omitted fields take their defaults', async () => {
    const other = await bookingShop(parley)
    const defaults = {
      holdMinutes: 15,
      reminders: [],
      publicPage: false,
      pageColor: null,
      maxOpenPerCustomer: 3,
      url: null,
    }
    expect((await other.get('/booking-settings')).body).toEqual({ bookingSettings: defaults })
    expect((await other.call('PUT', '/booking-settings', { holdMinutes: 30 })).body).toEqual({
      bookingSettings: { ...defaults, holdMinutes: 30 },
    })
    expect((await other.call('PUT', '/booking-settings', {})).body).toEqual({ bookingSettings: defaults })
    expect((await other.call('PUT', '/booking-settings', { holdMinutes: 61 })).status).toBe(400)
  })

  test('name templates of the workspace for reminders, each with its own time', async () => {
    await storeTemplate(parley, shop, { components: [{ type: 'BODY', text: 'See you soon.' }] })
    const [template] = (await shop.get('/templates')).body.templates
    const reminder = { minutesBefore: 60, templateId: template.id }
    const put = (reminders: object[]) => shop.call('PUT', '/booking-settings', { reminders })
    expect((await put([reminder])).body.bookingSettings.reminders).toEqual([reminder])
    expect((await put([reminder, reminder])).status).toBe(400)
    expect(await put([{ minutesBefore: 60, templateId: UNKNOWN }])).toMatchObject({
      status: 400,
      body: { error: 'invalid_reference' },
    })
  })
})

test('agents can read everything and change nothing', async () => {
  const agent = await shop.as('agent')
  for (const path of ['/booking-services', '/booking-staff', '/booking-settings'])
    expect((await agent.get(path)).status).toBe(200)
  expect((await agent.post('/booking-staff', { name: 'Meera' })).status).toBe(403)
  expect((await agent.call('PUT', '/booking-settings', {})).status).toBe(403)
})
