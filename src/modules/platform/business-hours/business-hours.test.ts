import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { listenAs } from '../../../../test/support/live-page.ts'
import { signIn } from '../../../../test/support/sessions.ts'
import { until } from '../../../../test/support/until.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley?.close())

const PATH = '/business-hours'
const hours = {
  timeZone: 'Asia/Kolkata',
  weekly: [
    { day: 2, from: '15:00', to: '20:00' },
    { day: 1, from: '00:00', to: '24:00' },
    { day: 2, from: '10:00', to: '13:30' },
  ],
  overrides: [
    {
      date: '2027-01-26',
      ranges: [
        { from: '16:00', to: '18:00' },
        { from: '10:00', to: '12:00' },
      ],
    },
    { date: '2026-12-25', ranges: [] },
  ],
}

test('hours are replaced as a whole, returned in order, and announced to the dashboard', async () => {
  const before = (await shop.get(PATH)).body.businessHours
  expect(before).toEqual({ timeZone: 'Asia/Kolkata', weekly: [], overrides: [], updatedAt: null })
  const meera = await signIn(parley, shop)
  const page = await listenAs(parley.url, { by: meera, workspaceId: shop.workspaceId })
  const answer = await shop.call('PUT', PATH, hours)
  expect(answer.status, answer.text).toBe(200)
  const [afternoon, monday, morning] = hours.weekly
  const [republic, christmas] = hours.overrides
  expect(answer.body.businessHours).toEqual({
    timeZone: 'Asia/Kolkata',
    weekly: [monday, morning, afternoon],
    overrides: [christmas, { ...republic, ranges: republic!.ranges.toReversed() }],
    updatedAt: expect.any(String),
  })
  await until(() => page.changed('businessHours').includes(shop.workspaceId), 'the stream names the change')
  page.close()
  // Omitted fields are cleared: a workspace has one set of hours.
  const fewerHours = { timeZone: 'Europe/Berlin', weekly: [{ day: 6, from: '08:00', to: '12:00' }] }
  expect((await meera.put(`/api/v1${PATH}`, fewerHours)).status).toBe(200)
  expect((await shop.get(PATH)).body.businessHours).toMatchObject({ ...fewerHours, overrides: [] })
})

test('an invalid time, day, or zone, or an overlap, is a 400 with its path', async () => {
  const issuePaths = async (patch: object): Promise<string[]> => {
    const { status, body } = await shop.call('PUT', PATH, { ...hours, ...patch })
    expect(status).toBe(400)
    return body.issues.map(({ path }: { path: string }) => path)
  }
  const range = (from: string, to: string) => ({ day: 1, from, to })
  expect(await issuePaths({ timeZone: 'Mars/Olympus' })).toEqual(['timeZone'])
  expect(await issuePaths({ weekly: [range('9:00', '24:01')] })).toEqual(['weekly[0].from', 'weekly[0].to'])
  expect(await issuePaths({ weekly: [range('09:00', '09:00')] })).toEqual(['weekly[0].to'])
  expect(await issuePaths({ weekly: [range('24:00', '04:00')] })).toEqual(['weekly[0].from'])
  expect(await issuePaths({ weekly: [{ ...range('09:00', '10:00'), day: 8 }] })).toEqual(['weekly[0].day'])
  expect(await issuePaths({ weekly: [range('09:00', '12:00'), range('11:59', '13:00')] })).toEqual(['weekly'])
  expect(await issuePaths({ overrides: [{ date: '2026-02-30', ranges: [] }] })).toEqual(['overrides[0].date'])
  const day = { date: '2026-12-25', ranges: [] }
  const nightRanges = [
    { from: '20:00', to: '04:00' },
    { from: '22:00', to: '23:00' },
  ]
  expect(await issuePaths({ overrides: [{ ...day, ranges: nightRanges }] })).toEqual(['overrides[0].ranges'])
  expect(await issuePaths({ overrides: [{ ...day, ranges: [{ from: '09:00', to: '09:00' }] }] })).toEqual([
    'overrides[0].ranges[0].to',
  ])
  expect(await issuePaths({ overrides: [day, day] })).toEqual(['overrides'])
  expect(await issuePaths({ weekly: undefined })).toEqual(['weekly'])
})

test('every role reads hours, admins change them, and each workspace has its own', async () => {
  const viewer = await signIn(parley, shop, 'viewer')
  const agent = await signIn(parley, shop, 'agent')
  expect((await viewer.get(`/api/v1${PATH}`)).status).toBe(200)
  expect((await agent.put(`/api/v1${PATH}`, hours)).status).toBe(403)
  const other = await parley.workspace()
  expect((await other.get(PATH)).body.businessHours.updatedAt).toBeNull()
})

describe('a range of hours may run over midnight', () => {
  const weeklyRange = (day: number, from: string, to: string) => ({ day, from, to })
  const put = (weekly: object[], fields: object = {}) =>
    shop.call('PUT', PATH, { timeZone: 'Asia/Kolkata', weekly, ...fields })

  test('it is saved and returned as one range, and 24:00 stays valid as an end', async () => {
    const weekly = [
      weeklyRange(5, '20:00', '04:00'),
      weeklyRange(6, '20:00', '24:00'),
      weeklyRange(7, '22:00', '00:00'),
    ]
    const overrides = [{ date: '2026-12-31', ranges: [{ from: '18:00', to: '05:00' }] }]
    const answer = await put(weekly, { overrides })
    expect(answer.status, answer.text).toBe(200)
    expect((await shop.get(PATH)).body.businessHours).toMatchObject({ weekly, overrides })
  })

  test.each([
    [[weeklyRange(1, '20:00', '04:00'), weeklyRange(2, '04:00', '12:00')], 200],
    [[weeklyRange(1, '20:00', '04:00'), weeklyRange(2, '03:59', '12:00')], 400],
    [[weeklyRange(1, '20:00', '04:00'), weeklyRange(1, '23:00', '24:00')], 400],
    [[weeklyRange(1, '20:00', '04:00'), weeklyRange(1, '22:00', '02:00')], 400],
    [[weeklyRange(1, '09:00', '20:00'), weeklyRange(1, '20:00', '09:00')], 200],
    [[weeklyRange(7, '20:00', '04:00'), weeklyRange(1, '04:00', '05:00')], 200],
    [[weeklyRange(7, '20:00', '04:00'), weeklyRange(1, '03:00', '05:00')], 400],
    [[1, 2, 3, 4, 5, 6, 7].map((day) => weeklyRange(day, '10:00', '09:59')), 200],
    [[1, 2, 3, 4, 5, 6, 7].map((day) => weeklyRange(day, '00:00', '24:00')), 200],
  ])('it must not overlap the hours of the next day: %j is %i', async (weekly, status) => {
    const answer = await put(weekly)
    expect(answer.status, answer.text).toBe(status)
    if (status === 400)
      expect(answer.body.issues).toEqual([
        {
          path: 'weekly',
          message: 'Must not overlap. A range that ends past midnight continues on the next day.',
        },
      ])
  })

  test('an empty range is invalid, and the error says how to be open all day', async () => {
    const answer = await put([weeklyRange(1, '09:00', '09:00')])
    expect(answer.body.issues).toEqual([
      { path: 'weekly[0].to', message: 'Must not equal `from`. For a whole day, use 00:00 to 24:00.' },
    ])
  })
})
