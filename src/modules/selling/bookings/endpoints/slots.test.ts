/** Free times of a service (DECISIONS.md): `GET /bookings/slots`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ALWAYS,
  bookingShop,
  madeBooking,
  madeService,
  madeStaff,
  startIn,
} from '../../../../../test/support/bookings.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await bookingShop(parley)
})
afterAll(() => parley.close())

const MINUTE = 60_000
const later = (time: string, minutes: number): string =>
  new Date(Date.parse(time) + minutes * MINUTE).toISOString()
const slotsOf = async (serviceId: string, more: Record<string, string> = {}): Promise<Body[]> => {
  const query = new URLSearchParams({ serviceId, from: startIn(1), to: startIn(1, 8), ...more })
  const answer = await shop.get(`/bookings/slots?${query}`)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.slots
}
const startsOf = async (serviceId: string, more?: Record<string, string>): Promise<string[]> =>
  (await slotsOf(serviceId, more)).map(({ startAt }) => startAt)

test('lists each start with its free staff, soonest first', async () => {
  const staff = [await madeStaff(shop), await madeStaff(shop, { name: 'Ravi' })]
  const { id } = await madeService(shop, { staffIds: staff.map((member) => member.id) })
  const first = startIn(1)
  expect(await slotsOf(id, { to: startIn(1, 2) })).toEqual(
    [first, first, startIn(1, 1), startIn(1, 1)].map((startAt, i) => ({
      startAt,
      endAt: later(startAt, 30),
      staffId: staff[i % 2]!.id,
      remaining: 1,
    })),
  )
  await madeBooking(shop, { serviceId: id, staffId: staff[0]!.id, startAt: first })
  expect(await startsOf(id, { to: startIn(1, 2) })).toEqual([first, startIn(1, 1), startIn(1, 1)])
  expect(await startsOf(id, { to: startIn(1, 2), staffId: staff[0]!.id })).toEqual([startIn(1, 1)])
})

test('uses wall-clock ranges of the staff’s zone and overrides, in steps of elapsed time', async () => {
  const staff = await madeStaff(shop, {
    timeZone: 'America/New_York',
    weekly: ALWAYS.map(({ day }) => ({ day, from: '09:00', to: '10:00' })),
  })
  const { id } = await madeService(shop, { staffIds: [staff.id], stepMinutes: 20 })
  const day = startIn(3).slice(0, 10)
  const period = { from: `${day}T00:00:00-05:00`, to: later(`${day}T00:00:00-05:00`, 24 * 60) }
  const clock = (time: string): string =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'America/New_York',
      hour: '2-digit',
      minute: '2-digit',
    }).format(new Date(time))
  expect((await startsOf(id, period)).map(clock)).toEqual(['09:00', '09:20'])
  await shop.patch(`/booking-staff/${staff.id}`, {
    overrides: [{ date: day, ranges: [{ from: '15:00', to: '15:30' }] }],
  })
  expect((await startsOf(id, period)).map(clock)).toEqual(['15:00'])
})

describe('hours over midnight', () => {
  const night = (day: number) => ({ day, from: '20:00', to: '04:00' })
  // A Monday in Kolkata, far enough ahead to be free.
  const monday = (() => {
    const first = new Date(`${startIn(21).slice(0, 10)}T00:00:00Z`)
    const days = (8 - (first.getUTCDay() || 7)) % 7
    return later(first.toISOString(), days * 24 * 60).slice(0, 10)
  })()
  const dayAfter = (day: string, days: number) => later(`${day}T00:00:00Z`, days * 24 * 60).slice(0, 10)
  const clock = (time: string): string => later(time, 330).slice(0, 16).replace('T', ' ')
  const hourly = { durationMinutes: 60, stepMinutes: 60 }

  test('a service open 20:00 to 04:00 is free through the night, and the night belongs to the day on which it starts', async () => {
    const staff = await madeStaff(shop, { weekly: [night(1)] })
    const { id } = await madeService(shop, { staffIds: [staff.id], ...hourly })
    const tuesday = dayAfter(monday, 1)
    const evening = ['20:00', '21:00', '22:00', '23:00'].map((time) => `${monday} ${time}`)
    const tail = ['00:00', '01:00', '02:00', '03:00'].map((time) => `${tuesday} ${time}`)
    const starts = (from: string, to: string) => startsOf(id, { from, to })
    expect((await starts(monday, dayAfter(monday, 2))).map(clock)).toEqual([...evening, ...tail])
    expect((await starts(monday, monday)).map(clock)).toEqual(evening)
    expect((await starts(tuesday, tuesday)).map(clock)).toEqual(tail)
  })

  test('a booking may cross midnight and takes its time on both days', async () => {
    const staff = await madeStaff(shop, { weekly: [night(1)] })
    const { id } = await madeService(shop, { staffIds: [staff.id], durationMinutes: 60, stepMinutes: 30 })
    const startAt = new Date(`${monday}T23:30:00+05:30`).toISOString()
    await madeBooking(shop, { serviceId: id, startAt })
    const localTimes = (await startsOf(id, { from: monday, to: dayAfter(monday, 1) })).map((start) =>
      clock(start).slice(11),
    )
    expect(localTimes).toEqual([
      '20:00',
      '20:30',
      '21:00',
      '21:30',
      '22:00',
      '22:30',
      '00:30',
      '01:00',
      '01:30',
      '02:00',
      '02:30',
      '03:00',
    ])
    const late = new Date(`${dayAfter(monday, 1)}T03:00:00+05:30`).toISOString()
    expect(await madeBooking(shop, { serviceId: id, startAt: late })).toMatchObject({ startAt: late })
  })

  test('Sunday night continues into Monday, and no start is listed twice if the next day continues', async () => {
    const weekly = [night(7), { day: 1, from: '03:00', to: '06:00' }]
    const staff = await madeStaff(shop, { weekly })
    const { id } = await madeService(shop, { staffIds: [staff.id], ...hourly })
    const starts = await startsOf(id, { from: monday, to: monday })
    expect(starts.map((start) => clock(start).slice(11))).toEqual([
      '00:00',
      '01:00',
      '02:00',
      '03:00',
      '04:00',
      '05:00',
    ])
  })

  test('a closed day closes the hours that start on it; the rest of the night before stays open', async () => {
    const tuesday = dayAfter(monday, 1)
    const weekly = [1, 2, 3].map(night)
    const staff = await madeStaff(shop, { weekly, overrides: [{ date: tuesday, ranges: [] }] })
    const { id } = await madeService(shop, { staffIds: [staff.id], durationMinutes: 120, stepMinutes: 120 })
    const starts = async (day: string) =>
      (await startsOf(id, { from: day, to: day })).map((start) => clock(start).slice(11))
    expect(await starts(tuesday)).toEqual(['00:00', '02:00'])
    expect(await starts(dayAfter(monday, 2))).toEqual(['20:00', '22:00'])
    await shop.patch(`/booking-staff/${staff.id}`, {
      overrides: [{ date: tuesday, ranges: [{ from: '22:00', to: '02:00' }] }],
    })
    expect(await starts(tuesday)).toEqual(['00:00', '02:00', '22:00'])
    expect(await starts(dayAfter(monday, 2))).toEqual(['00:00', '20:00', '22:00'])
  })
})

describe('free times exclude', () => {
  test('busy time: Buffers count, those of both', async () => {
    const staff = await madeStaff(shop)
    const cut = await madeService(shop, { staffIds: [staff.id], bufferAfterMinutes: 30 })
    const shade = await madeService(shop, { staffIds: [staff.id], bufferBeforeMinutes: 30 })
    await madeBooking(shop, { serviceId: cut.id, startAt: startIn(1, 3) })
    expect(await startsOf(cut.id)).toEqual([0, 1, 5, 6, 7].map((step) => startIn(1, step)))
    expect(await startsOf(shade.id)).toEqual([0, 1, 2, 6, 7].map((step) => startIn(1, step)))
  })

  test('time off: Time off keeps bookings', async () => {
    const staff = await madeStaff(shop)
    const { id } = await madeService(shop, { staffIds: [staff.id] })
    const booking = await madeBooking(shop, { serviceId: id, startAt: startIn(1, 2) })
    await shop.patch(`/booking-staff/${staff.id}`, {
      timeOff: [{ startAt: later(startIn(1, 1), 10), endAt: later(startIn(1, 4), 10) }],
    })
    expect(await startsOf(id)).toEqual([0, 5, 6, 7].map((step) => startIn(1, step)))
    expect((await shop.get(`/bookings/${booking.id}`)).body.booking.status).toBe('confirmed')
  })

  test('times outside notice and horizon', async () => {
    const { id } = await madeService(shop, { minNoticeMinutes: 60, maxDaysAhead: 1 })
    const starts = await startsOf(id, { from: startIn(0), to: startIn(2) })
    expect(Date.parse(starts[0]!)).toBeGreaterThanOrEqual(Date.now() + 59 * MINUTE)
    expect(starts[0]! <= later(startIn(0), 120)).toBe(true)
    expect(starts.at(-1)! <= startIn(1, 1)).toBe(true)
  })

  test('staff who are turned off, and all times of a service that is turned off', async () => {
    const staff = await madeStaff(shop)
    const { id } = await madeService(shop, { staffIds: [staff.id] })
    await shop.patch(`/booking-staff/${staff.id}`, { active: false })
    expect(await slotsOf(id)).toEqual([])
    await shop.patch(`/booking-staff/${staff.id}`, { active: true })
    await shop.patch(`/booking-services/${id}`, { active: false })
    expect(await slotsOf(id)).toEqual([])
  })
})

test('No service starts inside a group; bookings of the group share its time', async () => {
  const staff = await madeStaff(shop)
  const yoga = await madeService(shop, { staffIds: [staff.id], durationMinutes: 60, capacity: 10 })
  const cut = await madeService(shop, { staffIds: [staff.id] })
  await madeBooking(shop, { serviceId: yoga.id, startAt: startIn(1, 2), partySize: 4 })
  expect(await startsOf(cut.id)).toEqual([0, 1, 4, 5, 6, 7].map((step) => startIn(1, step)))
  const places = new Map((await slotsOf(yoga.id)).map(({ startAt, remaining }) => [startAt, remaining]))
  expect([...places]).toEqual([0, 2, 4, 5, 6, 7].map((step) => [startIn(1, step), step === 2 ? 6 : 10]))
  expect(await startsOf(yoga.id, { partySize: '7' })).not.toContain(startIn(1, 2))
})

test('a service without staff is booked with a hidden resource, once for each time', async () => {
  const { id } = await madeService(shop, { staffIds: [] })
  expect(await slotsOf(id, { to: startIn(1, 1) })).toMatchObject([{ staffId: null, remaining: 1 }])
  expect(await madeBooking(shop, { serviceId: id, startAt: startIn(1) })).toMatchObject({ staff: null })
  expect(await startsOf(id, { to: startIn(1, 2) })).toEqual([startIn(1, 1)])
  expect((await shop.get('/booking-staff')).body.staff.map(({ name }: Body) => name)).not.toContain('Haircut')
})

describe('a service without staff', () => {
  const weekly = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '10:00', to: '12:00' }))
  const hours = { timeZone: 'Asia/Kolkata', weekly, overrides: [] }
  const day = startIn(50).slice(0, 10)
  const at = (time: string) => later(`${day}T${time}:00+05:30`, 0)

  test('is bookable in the business hours, and follows their changes', async () => {
    const other = await bookingShop(parley)
    const { id } = await madeService(other, { staffIds: [] })
    const startsThere = async () => {
      const query = new URLSearchParams({ serviceId: id, from: day, to: day })
      return (await other.get(`/bookings/slots?${query}`)).body.slots.map(({ startAt }: Body) => startAt)
    }
    const book = (startAt: string) =>
      other.post('/bookings', { serviceId: id, startAt, phone: '+919812300001', name: 'Asha Rao' })
    // Without business hours, the business is always open.
    expect(await startsThere()).toHaveLength(48)
    await other.call('PUT', '/business-hours', hours)
    const open = ['10:00', '10:30', '11:00', '11:30'].map(at)
    expect(await startsThere()).toEqual(open)
    const early = await book(at('03:00'))
    expect(early.status).toBe(409)
    expect(early.body.nextSlots[0].startAt).toBe(open[0])
    expect((await book(at('10:30'))).status).toBe(201)
    expect(await startsThere()).toEqual([open[0], open[2], open[3]])
    await other.call('PUT', '/business-hours', { ...hours, overrides: [{ date: day, ranges: [] }] })
    expect(await startsThere()).toEqual([])
    await other.call('PUT', '/business-hours', { timeZone: 'Asia/Kolkata', weekly: [] })
    expect(await startsThere()).toEqual([])
  })
})

test('from and to may be days of the workspace’s zone, including the last', async () => {
  const { id } = await madeService(shop)
  const day = startIn(40).slice(0, 10)
  const starts = await startsOf(id, { from: day, to: day })
  expect(starts).toHaveLength(48)
  expect(starts[0]).toBe(later(`${day}T00:00:00+05:30`, 0))
  expect(await startsOf(id, { from: later(starts[0]!, 30), to: day })).toEqual(starts.slice(1))
  expect(await startsOf(id, { from: day, to: starts[2]! })).toEqual(starts.slice(0, 2))
})

test('a query may cover a month of days, also if the clocks are put back in it', async () => {
  const other = await bookingShop(parley, { timezone: 'America/New_York' })
  const { id } = await madeService(other)
  const getSlots = (query: string) => other.get(`/bookings/slots?serviceId=${id}&${query}`)
  // The clocks of 2030 are put back on 3 November.
  expect((await getSlots('from=2030-10-15&to=2030-11-14')).status).toBe(200)
  expect((await getSlots('from=2030-10-15&to=2030-11-15')).status).toBe(400)
})

test.each([
  [{ from: '2026-12-02', to: '2026-12-01' }, 'to'],
  [{ from: '2026-12-01', to: '2027-01-01' }, 'to'],
  [{ from: '2026-02-30' }, 'from'],
  [{ to: startIn(33) }, 'to'],
  [{ to: startIn(1) }, 'to'],
  [{ from: 'soon' }, 'from'],
  [{ serviceId: 'cut' }, 'serviceId'],
  [{ partySize: '0' }, 'partySize'],
])('%j is 400 naming %s', async (more, path) => {
  const query = new URLSearchParams({ serviceId: shop.ownerId, from: startIn(1), to: startIn(1, 8), ...more })
  const answer = await shop.get(`/bookings/slots?${query}`)
  expect(answer, answer.text).toMatchObject({ status: 400, body: { error: 'invalid' } })
  expect(answer.body.issues.map((issue: Body) => issue.path)).toContain(path)
})

test('a foreign service is not found, foreign staff is invalid_reference', async () => {
  const { id } = await madeService(shop)
  const foreign = await madeService(await bookingShop(parley))
  const period = `from=${startIn(1)}&to=${startIn(2)}`
  expect(await shop.get(`/bookings/slots?serviceId=${foreign.id}&${period}`)).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  })
  expect(
    await shop.get(`/bookings/slots?serviceId=${id}&staffId=${foreign.staffIds[0]}&${period}`),
  ).toMatchObject({ status: 400, body: { error: 'invalid_reference' } })
})

test('a month for ten staff, with a hundred bookings each, is calculated quickly', async () => {
  const other = await bookingShop(parley)
  const staff = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      madeStaff(other, {
        name: `Staff ${i}`,
        weekly: ALWAYS.map(({ day }) => ({ day, from: '09:00', to: '18:00' })),
      }),
    ),
  )
  const { id } = await madeService(other, { staffIds: staff.map((member) => member.id), stepMinutes: 15 })
  await parley.system((tx) =>
    tx.sql(
      `insert into booking_sessions (workspace_id, id, service_id, staff_id, starts_at, busy_from, busy_to, capacity, seats, created_at)
       select $1, uuidv7(), $2, s.id, at, at, at + interval '30 minutes', 1, 1, at
       from booking_staff s, generate_series(1, 100) n,
            lateral (select $3::timestamptz + n * interval '7 hours' as at) t
       where s.workspace_id = $1 and s.hidden_for is null`,
      [other.workspaceId, id, new Date()],
    ),
  )
  const query = new URLSearchParams({ serviceId: id, from: startIn(0), to: startIn(31) })
  const took: number[] = []
  let slots: Body[] = []
  for (let round = 0; round < 5; round++) {
    const startedAt = performance.now()
    slots = (await other.get(`/bookings/slots?${query}`)).body.slots
    took.push(Math.round(performance.now() - startedAt))
  }
  console.log(
    `slots of a month for ten staff: ${slots.length} in ${Math.min(...took)} ms at best (${took.join(', ')})`,
  )
  expect(slots.length).toBeGreaterThan(8_000)
})
