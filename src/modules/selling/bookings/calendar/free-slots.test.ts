/** Free times, compared with an independent calculation that checks each minute by local clock time. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Hours, openHours } from '../../../../core/values/open-hours.ts'
import { type Calendar, freeSlots, isStart, placesAt, type SlotRules, type TakenTime } from './free-slots.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const offsets = new Map<string, Intl.DateTimeFormat>()
/** Returns the offset of a zone from UTC at a moment, in milliseconds, as Intl reports it. */
function offsetMs(timeMs: number, timeZone: string): number {
  const format =
    offsets.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  offsets.set(timeZone, format)
  const text = format.formatToParts(timeMs).find(({ type }) => type === 'timeZoneName')!.value
  const [, sign, hours = '0', minutes = '0'] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(text)!
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE
}

/**
 * Returns the moment of a local time. For a repeated hour, `which` selects the moment; a missing time moves
 * forward.
 */
function momentOf(date: string, time: string, timeZone: string, which: 'first' | 'second'): number {
  const [hours, minutes] = time.split(':').map(Number) as [number, number]
  const wall = Date.parse(`${date}T00:00:00Z`) + hours * HOUR + minutes * MINUTE
  const [before, after] = [offsetMs(wall - DAY, timeZone), offsetMs(wall + DAY, timeZone)]
  const instants = [wall - before, wall - after].filter(
    (instant) => instant + offsetMs(instant, timeZone) === wall,
  )
  if (instants.length === 0) return wall - before
  return which === 'first' ? Math.min(...instants) : Math.max(...instants)
}

/**
 * Returns the open stretches around some days by the same rules, calculated differently: unsorted and not
 * joined.
 */
function stretchesOf(hours: Hours, from: number, to: number): { from: number; to: number }[] {
  const stretches: { from: number; to: number }[] = []
  for (let day = from - 2 * DAY; day <= to + 2 * DAY; day += DAY) {
    const date = new Date(day).toISOString().slice(0, 10)
    const nextDate = new Date(day + DAY).toISOString().slice(0, 10)
    const weekday = new Date(`${date}T12:00:00Z`).getUTCDay() || 7
    const ranges =
      hours.overrides.find((override) => override.date === date)?.ranges ??
      hours.weekly.filter((weeklyHours) => weeklyHours.day === weekday)
    for (const range of ranges)
      stretches.push({
        from: momentOf(date, range.from, hours.timeZone, 'first'),
        to: momentOf(range.to <= range.from ? nextDate : date, range.to, hours.timeZone, 'second'),
      })
  }
  return stretches
}

/** Finds free starts by checking each minute of the period. */
function slotsByTrying(rules: SlotRules, hours: Hours, calendar: Calendar, from: number, to: number) {
  const open = new Set<number>()
  const stretches = stretchesOf(hours, from, to)
  for (const stretch of stretches)
    for (let minute = stretch.from; minute < stretch.to; minute += MINUTE) open.add(minute)
  const isOnStep = (time: number) =>
    stretches.some(
      (stretch) =>
        stretch.from <= time &&
        time < stretch.to &&
        (time - stretch.from) % (rules.stepMinutes * MINUTE) === 0,
    )
  const found: { startAt: number; remaining: number }[] = []
  for (let time = from; time < to; time += MINUTE) {
    const end = time + rules.durationMinutes * MINUTE
    let isFree = isOnStep(time)
    for (let minute = time; minute < end; minute += MINUTE) isFree &&= open.has(minute)
    isFree &&= calendar.off.every((stretch) => stretch.to <= time || stretch.from >= end)
    const [busyFrom, busyTo] = [
      time - rules.bufferBeforeMinutes * MINUTE,
      end + rules.bufferAfterMinutes * MINUTE,
    ]
    const overlapping = calendar.taken.filter(
      (session) => session.busyFrom < busyTo && busyFrom < session.busyTo,
    )
    const group = overlapping.find((session) => session.serviceId === rules.id && session.startsAt === time)
    const remaining = group ? group.capacity - group.seats : overlapping.length === 0 ? rules.capacity : 0
    if (isFree && remaining > 0) found.push({ startAt: time, remaining })
  }
  return found
}

// Days on which the clocks of each zone change, and ordinary days.
const PLACES = [
  { timeZone: 'Asia/Kolkata', day: '2026-11-30' },
  { timeZone: 'America/New_York', day: '2026-03-08' },
  { timeZone: 'America/New_York', day: '2026-11-01' },
  { timeZone: 'Europe/Berlin', day: '2026-03-29' },
  { timeZone: 'Europe/Berlin', day: '2026-10-25' },
  { timeZone: 'Australia/Lord_Howe', day: '2026-04-05' },
  { timeZone: 'Australia/Lord_Howe', day: '2026-10-04' },
  { timeZone: 'Pacific/Auckland', day: '2026-09-27' },
] as const

const quarter = fc.integer({ min: 0, max: 96 })
const clockOf = (quarters: number): string =>
  `${String(Math.floor(quarters / 4)).padStart(2, '0')}:${String((quarters % 4) * 15).padStart(2, '0')}`
const range = fc
  .tuple(fc.integer({ min: 0, max: 95 }), quarter)
  .filter(([from, to]) => from !== to)
  .map(([from, to]) => ({ from: clockOf(from), to: clockOf(to) }))
const weekly = fc.array(
  fc.tuple(fc.integer({ min: 1, max: 7 }), range).map(([day, hours]) => ({ day, ...hours })),
  { maxLength: 12 },
)
const rules = fc.record({
  id: fc.constantFrom('cut', 'class'),
  durationMinutes: fc.integer({ min: 1, max: 30 }).map((n) => n * 5),
  bufferBeforeMinutes: fc.constantFrom(0, 10, 30),
  bufferAfterMinutes: fc.constantFrom(0, 15),
  stepMinutes: fc.constantFrom(15, 20, 30, 60),
  capacity: fc.constantFrom(1, 3),
})
const takenTimes = fc.array(
  fc.record({
    serviceId: fc.constantFrom('cut', 'class'),
    quarters: fc.integer({ min: -8, max: 260 }),
    lasts: fc.integer({ min: 1, max: 8 }),
    before: fc.constantFrom(0, 10),
    seats: fc.integer({ min: 1, max: 3 }),
  }),
  { maxLength: 10 },
)

/** Drops overlapping times: the table never contains them. */
function withoutOverlaps(times: TakenTime[]): TakenTime[] {
  const accepted: TakenTime[] = []
  for (const time of times.sort((a, b) => a.busyFrom - b.busyFrom))
    if (time.busyFrom >= (accepted.at(-1)?.busyTo ?? Number.NEGATIVE_INFINITY)) accepted.push(time)
  return accepted
}

describe('free times', () => {
  test('match a check of each minute, also when the clocks change', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PLACES),
        weekly,
        fc.option(fc.array(range, { maxLength: 3 }), { nil: undefined }),
        rules,
        takenTimes,
        fc.integer({ min: 0, max: 100 }),
        ({ timeZone, day }, week, differing, service, busy, offQuarter) => {
          const from = Date.parse(`${day}T00:00:00Z`) - 12 * HOUR
          const to = from + 2.5 * DAY
          const hours: Hours = {
            timeZone,
            weekly: week,
            overrides: differing ? [{ date: day, ranges: differing }] : [],
          }
          const calendar: Calendar = {
            open: openHours(hours, new Date(from), new Date(to + DAY)),
            off: [{ from: from + offQuarter * 15 * MINUTE, to: from + offQuarter * 15 * MINUTE + HOUR }],
            taken: withoutOverlaps(
              busy.map(({ serviceId, quarters, lasts, before, seats }) => {
                const startsAt = from + quarters * 15 * MINUTE
                const busyTo = startsAt + lasts * 15 * MINUTE
                return {
                  serviceId,
                  startsAt,
                  busyFrom: startsAt - before * MINUTE,
                  busyTo,
                  capacity: 3,
                  seats,
                }
              }),
            ),
          }
          const found = freeSlots(service, calendar, { first: from, end: to, seats: 1 })
          expect(found).toEqual(slotsByTrying(service, hours, calendar, from, to))
          for (const { startAt, remaining } of found) {
            expect(isStart(service, calendar, startAt)).toBe(true)
            expect(placesAt(service, calendar.taken, startAt)).toBe(remaining)
            expect(isStart(service, calendar, startAt + MINUTE)).toBe(false)
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  const simple: SlotRules = {
    id: 'cut',
    durationMinutes: 30,
    bufferBeforeMinutes: 0,
    bufferAfterMinutes: 0,
    stepMinutes: 30,
    capacity: 1,
  }
  const startsOn = (timeZone: string, date: string, from: string, to: string): string[] => {
    const noon = new Date(`${date}T12:00:00Z`)
    const open = openHours(
      { timeZone, weekly: [], overrides: [{ date, ranges: [{ from, to }] }] },
      noon,
      noon,
    )
    const query = { first: 0, end: Number.MAX_SAFE_INTEGER, seats: 1 }
    return freeSlots(simple, { open, off: [], taken: [] }, query).map(({ startAt }) =>
      new Date(startAt).toISOString(),
    )
  }

  test('No slot in the DST gap: missing times move forward', () => {
    expect(startsOn('America/New_York', '2026-03-08', '02:00', '03:00')).toEqual([])
    expect(startsOn('America/New_York', '2026-03-08', '01:30', '03:30')).toEqual([
      '2026-03-08T06:30:00.000Z',
      '2026-03-08T07:00:00.000Z',
    ])
    expect(startsOn('America/New_York', '2026-03-08', '02:30', '04:30')).toEqual([
      '2026-03-08T07:30:00.000Z',
      '2026-03-08T08:00:00.000Z',
    ])
  })

  test('a repeated hour once per instant: from uses the first, to the second', () => {
    expect(startsOn('America/New_York', '2026-11-01', '01:00', '02:00')).toEqual([
      '2026-11-01T05:00:00.000Z',
      '2026-11-01T05:30:00.000Z',
      '2026-11-01T06:00:00.000Z',
      '2026-11-01T06:30:00.000Z',
    ])
  })

  test('a night is an hour shorter or longer when the clocks change during it', () => {
    const nightOf = (date: string) => startsOn('Europe/Berlin', date, '20:00', '04:00')
    expect(nightOf('2026-03-27')).toHaveLength(16)
    expect(nightOf('2026-03-28')).toHaveLength(14)
    expect(nightOf('2026-10-24')).toHaveLength(18)
    expect(nightOf('2026-03-28').at(-1)).toBe('2026-03-29T01:30:00.000Z')
    expect(nightOf('2026-10-24').at(-1)).toBe('2026-10-25T02:30:00.000Z')
  })

  test('continue past midnight if a day ends at 24:00 and the next starts at 00:00', () => {
    const night = {
      timeZone: 'Asia/Kolkata',
      weekly: [
        { day: 1, from: '23:30', to: '24:00' },
        { day: 2, from: '00:00', to: '00:30' },
      ],
      overrides: [],
    }
    const open = openHours(night, new Date('2026-11-30T12:00:00Z'), new Date('2026-12-01T00:00:00Z'))
    const long = { ...simple, durationMinutes: 60 }
    const slots = freeSlots(
      long,
      { open, off: [], taken: [] },
      { first: 0, end: Number.MAX_SAFE_INTEGER, seats: 1 },
    )
    expect(slots.map(({ startAt }) => new Date(startAt).toISOString())).toEqual(['2026-11-30T18:00:00.000Z'])
  })
})
