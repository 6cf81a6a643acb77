/** Reports of a small week that is counted by hand (spec 4.10; DECISIONS.md). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Body,
  boot,
  type Client,
  type TestParley,
  type TestWorkspace,
} from '../../../../test/support/boot.ts'
import { campaignsOf, makeContacts } from '../../../../test/support/campaigns.ts'
import { afterChange } from '../../../../test/support/clock-changes.ts'
import { whileReadsAreFull } from '../../../../test/support/costly-reads.ts'
import { inWorkspace } from '../../../../test/support/in-workspace.ts'
import { type Browser, signIn } from '../../../../test/support/sessions.ts'
import { newId } from '../../../core/ids.ts'
import { recordReceivedMoney } from '../../selling/crm/operations/received-money.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

const ZONE = 'Asia/Kolkata'
const [MINUTE, HOUR] = [60, 3_600]
const [ASHA, BINA, CHANDRA, DEV] = ['+919812300001', '+919812300002', '+919812300003', '+919812300004']

const read = async (client: Pick<Client, 'get'>, path: string): Promise<Body> => {
  const answer = await client.get(`/reports/${path}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
/** The clock moves on between the calls of a test. */
const near = (seconds: number | null, expected: number) => {
  expect(seconds).toBeGreaterThan(expected - 30)
  expect(seconds).toBeLessThan(expected + 30)
}

describe('a week of chats', () => {
  let shop: TestWorkspace
  let ravi: Browser
  let meera: Browser
  let monday: Temporal.PlainDate
  const day = (n: number): string => monday.add({ days: n }).toString()
  /** Moves the clock to a time of the n-th day. */
  const goTo = async (n: number, time: string) => {
    const now = Temporal.Instant.from((await shop.get('/sandbox/clock')).body.now)
    const goal = monday.add({ days: n }).toZonedDateTime({ timeZone: ZONE, plainTime: time })
    await shop.advance(Math.ceil((goal.epochMilliseconds - now.epochMilliseconds) / 1_000))
  }
  const chatOf = async (phone: string): Promise<Body> =>
    (await shop.get('/conversations')).body.conversations.find((chat: Body) => chat.contact.phone === phone)
  const send = async (user: Browser, to: string) => {
    const answer = await user.post('/api/v1/send', { to, type: 'text', text: 'Hi' })
    expect(answer.status, answer.text).toBe(200)
  }
  const change = async (user: Browser, phone: string, patch: object) => {
    const answer = await user.patch(`/api/v1/conversations/${(await chatOf(phone)).id}`, patch)
    expect(answer.status, answer.text).toBe(200)
  }

  beforeAll(async () => {
    shop = await parley.workspace({ sandbox: true, timezone: ZONE })
    ravi = await signIn(parley, shop, 'agent')
    meera = await signIn(parley, shop, 'agent')
    const hours = [1, 2, 3, 4, 5].map((weekday) => ({ day: weekday, from: '10:00', to: '18:00' }))
    await shop.call('PUT', '/business-hours', { timeZone: ZONE, weekly: hours })
    await shop.call('PUT', '/rating-settings', { enabled: true })
    const today = Temporal.Instant.from((await shop.get('/sandbox/clock')).body.now).toZonedDateTimeISO(ZONE)
    monday = today.toPlainDate().add({ days: 8 - today.dayOfWeek })
    await goTo(0, '10:00')
    await shop.inbound(ASHA, 'Hello')
    await goTo(0, '10:05')
    await send(ravi, ASHA)
    await goTo(0, '10:06')
    await shop.inbound(ASHA, 'And in blue?')
    await shop.inbound(ASHA, 'Or green?')
    await goTo(0, '10:16')
    await send(ravi, ASHA)
    await send(ravi, ASHA)
    await goTo(0, '10:30')
    await change(ravi, ASHA, { state: 'resolved' })
    await shop.advance(5)
    await shop.inbound(ASHA, '', { text: undefined, listId: 'rating:4', title: '4' })
    await goTo(0, '17:50')
    await shop.inbound(BINA, 'Hello')
    await goTo(1, '10:05')
    await change(meera, BINA, { assignedAgentId: meera.memberId })
    await goTo(1, '10:10')
    await send(meera, BINA)
    await goTo(1, '11:00')
    await shop.inbound(CHANDRA, 'Hello')
    await goTo(1, '12:00')
    await change(meera, BINA, { state: 'resolved' })
    await goTo(1, '13:00')
    await shop.inbound(DEV, 'Thanks')
    await goTo(1, '13:30')
    await change(meera, DEV, { state: 'resolved' })
    await goTo(2, '10:00')
    await shop.inbound(ASHA, 'One more thing')
    await goTo(2, '10:02')
    await send(ravi, ASHA)
    await goTo(2, '12:00')
  })

  test('volume counts messages by day and by hour of the week', async () => {
    const report = await read(shop, `volume?from=${day(0)}&to=${day(6)}`)
    // The rating is a message, and so is its question.
    expect([report.received, report.sent, report.timezone, report.countedSince]).toEqual([8, 8, ZONE, null])
    expect(report.byDay.slice(0, 4)).toEqual([
      { date: day(0), received: 5, sent: 4 },
      { date: day(1), received: 2, sent: 3 },
      { date: day(2), received: 1, sent: 1 },
      { date: day(3), received: 0, sent: 0 },
    ])
    expect(report.byHour).toHaveLength(168)
    expect(report.byHour.filter(({ received }: Body) => received > 0)).toEqual([
      { weekday: 1, hour: 10, received: 4, sent: 4 },
      { weekday: 1, hour: 17, received: 1, sent: 0 },
      { weekday: 2, hour: 11, received: 1, sent: 0 },
      { weekday: 2, hour: 13, received: 1, sent: 1 },
      { weekday: 3, hour: 10, received: 1, sent: 1 },
    ])
  })

  test('response times are measured until a person answers, in real time and in business hours', async () => {
    const report = await read(shop, `response-times?from=${day(0)}&to=${day(6)}`)
    // A customer who rates a chat, or whose chat is resolved, waits for no answer.
    expect([report.waits, report.unanswered]).toEqual([5, 1])
    expect([report.first.count, report.answers.count]).toEqual([3, 4])
    near(report.first.medianSeconds, 5 * MINUTE)
    near(report.first.p90Seconds, 16 * HOUR + 20 * MINUTE)
    near(report.answers.medianSeconds, 5 * MINUTE)
    near(report.answers.businessP90Seconds, 20 * MINUTE)
    const [ofRavi, ofMeera] = [ravi, meera].map(({ memberId }) =>
      report.byMember.find((member: Body) => member.memberId === memberId),
    )
    expect([ofRavi.first.count, ofRavi.answers.count, ofRavi.name]).toEqual([2, 3, 'The agent'])
    near(ofRavi.answers.p90Seconds, 10 * MINUTE)
    near(ofMeera.first.businessMedianSeconds, 20 * MINUTE)
    expect(report.byDay.map(({ answers }: Body) => answers.count)).toEqual([3, 0, 1, 0, 0, 0, 0])
    const tuesday = await read(shop, `response-times?from=${day(1)}&to=${day(1)}`)
    expect([tuesday.waits, tuesday.unanswered, tuesday.answers.count]).toEqual([1, 1, 0])
  })

  test('a chat is resolved and assigned within a time since the first message of its case', async () => {
    const report = await read(shop, `resolution-times?from=${day(0)}&to=${day(6)}`)
    const [ofRavi, ofMeera] = [ravi, meera].map(({ memberId }) =>
      report.byMember.find((member: Body) => member.memberId === memberId),
    )
    expect([report.queue.count, report.resolution.count, report.isPartial]).toEqual([1, 3, false])
    near(ofRavi.resolution.medianSeconds, 30 * MINUTE)
    near(ofMeera.resolution.medianSeconds, 30 * MINUTE)
    near(ofMeera.resolution.p90Seconds, 18 * HOUR + 10 * MINUTE)
    near(ofMeera.resolution.businessP90Seconds, 2 * HOUR + 10 * MINUTE)
    near(ofMeera.queue.medianSeconds, 16 * HOUR + 15 * MINUTE)
    near(ofMeera.queue.businessMedianSeconds, 15 * MINUTE)
    expect(report.byDay.map(({ resolution }: Body) => resolution.count)).toEqual([1, 2, 0, 0, 0, 0, 0])
  })

  test('times belong to the team of the chat now', async () => {
    const query = `?from=${day(0)}&to=${day(6)}`
    expect((await read(shop, `response-times${query}`)).byTeam).toEqual([])
    const { team } = (await shop.post('/teams', { name: 'Support' })).body
    for (const { id } of (await shop.get('/conversations?limit=100')).body.conversations)
      await shop.patch(`/conversations/${id}`, { teamId: team.id })
    const response = await read(shop, `response-times${query}`)
    expect(response.byTeam).toEqual([
      { teamId: team.id, name: 'Support', first: response.first, answers: response.answers },
    ])
    const resolution = await read(shop, `resolution-times${query}`)
    expect(resolution.byTeam).toEqual([
      { teamId: team.id, name: 'Support', queue: resolution.queue, resolution: resolution.resolution },
    ])
    await shop.delete(`/teams/${team.id}`)
    expect((await read(shop, `response-times${query}`)).byTeam).toEqual([])
  })

  test('a rating belongs to the member who had resolved the chat', async () => {
    const report = await read(shop, `satisfaction?from=${day(0)}&to=${day(6)}`)
    expect(report).toMatchObject({ asked: 3, rated: 1, average: 4, isPartial: false })
    expect(report.byScore[3]).toEqual({ score: 4, ratings: 1 })
    expect(report.byDay[0]).toEqual({ date: day(0), asked: 1, rated: 1, average: 4 })
    expect(report.byMember).toEqual([
      { memberId: ravi.memberId, name: 'The agent', asked: 1, rated: 1, average: 4 },
      { memberId: meera.memberId, name: 'The agent', asked: 2, rated: 0, average: null },
    ])
  })

  test('a period without days in it is empty, and so is another workspace', async () => {
    const before = monday.subtract({ days: 7 })
    const query = `?from=${before}&to=${before.add({ days: 6 })}`
    const other = await parley.workspace()
    for (const client of [shop, other]) {
      expect(await read(client, `volume${query}`)).toMatchObject({ received: 0, sent: 0 })
      expect(await read(client, `response-times${query}`)).toMatchObject({ waits: 0, byMember: [] })
      expect(await read(client, `resolution-times${query}`)).toMatchObject({ byMember: [] })
      expect(await read(client, `satisfaction${query}`)).toMatchObject({ asked: 0, average: null })
      expect(await read(client, `sales${query}`)).toMatchObject({ leads: 0, bySource: [] })
      expect(await read(client, `campaigns${query}`)).toMatchObject({ campaigns: [] })
    }
  })

  test('reports wait for their turn, and have at most 366 days', async () => {
    await whileReadsAreFull(parley, shop.workspaceId, async () => {
      for (const name of [
        'volume',
        'response-times',
        'resolution-times',
        'satisfaction',
        'sales',
        'campaigns',
      ])
        expect((await shop.get(`/reports/${name}`)).body.error).toBe('rate_limited')
    })
    const issuesOf = async (query: string) => (await shop.get(`/reports/volume?${query}`)).body.issues
    expect(await issuesOf('from=2025-01-01&to=2026-01-02')).toEqual([
      { path: 'from', message: 'Must be at most 366 days before `to`.' },
    ])
    expect(await issuesOf('from=2026-01-02&to=2026-01-01')).toEqual([
      { path: 'to', message: 'Must not be before `from`.' },
    ])
    expect(await issuesOf('from=2026-02-30')).toMatchObject([{ path: 'from' }])
  })
})

// At these times, a window of whole 24 hours would end on another day.
test.each([
  ['shorter', '23:30'],
  ['longer', '23:30'],
  ['longer', '00:15'],
] as const)('a day that is %s has its own messages, until midnight: %s', async (dayLength, time) => {
  const timezone = 'America/New_York'
  const shop = await parley.workspace({ sandbox: true, timezone })
  const { today, goTo } = await afterChange(shop, dayLength, timezone)
  const changed = today.subtract({ days: 3 })
  await goTo(changed.withPlainTime(time))
  await shop.inbound(ASHA, 'Hello')
  await goTo(changed.add({ days: 1 }).withPlainTime('00:10'))
  await shop.inbound(ASHA, 'Hello again')
  const date = changed.toPlainDate().toString()
  const report = await read(shop, `volume?from=${date}&to=${date}`)
  expect(report.received).toBe(1)
  expect(report.byHour.filter(({ received }: Body) => received > 0)).toEqual([
    { weekday: 7, hour: Number(time.slice(0, 2)), received: 1, sent: 0 },
  ])
})

test('sales counts the leads of the period by their stage and source', async () => {
  const shop = await parley.workspace({ timezone: ZONE })
  const create = async (n: number, stage: string, more: object) => {
    const answer = await shop.post('/leads', { phone: `+91981230010${n}`, ...more })
    expect(answer.status, answer.text).toBeLessThan(300)
    if (stage !== 'New')
      expect(
        (
          await shop.patch(`/leads/+91981230010${n}`, {
            stage,
            ...(stage === 'Lost' && { lostReason: 'Price' }),
          })
        ).status,
      ).toBe(200)
  }
  await create(1, 'New', { source: 'website', dealValue: 100 })
  await create(2, 'Qualified', { source: 'website', dealValue: 200.5 })
  await create(3, 'Won', { source: 'website', dealValue: 1_000 })
  await create(4, 'Lost', { source: 'fair', dealValue: 50 })
  await create(5, 'Won', {})
  const report = await read(shop, 'sales')
  expect(report).toMatchObject({
    leads: 5,
    won: 2,
    lost: 1,
    dealValue: 1_350.5,
    wonValue: 1_000,
    otherLeads: 0,
  })
  expect(report.byStage.map(({ name, leads, reached }: Body) => [name, leads, reached])).toEqual([
    ['New', 1, 4],
    ['Contacted', 0, 3],
    ['Qualified', 1, 3],
    ['Proposal', 0, 2],
    ['Won', 2, 2],
    ['Lost', 1, 1],
  ])
  expect(
    report.bySource.map(({ source, leads, won, lost, wonValue }: Body) => [
      source,
      leads,
      won,
      lost,
      wonValue,
    ]),
  ).toEqual([
    ['website', 3, 1, 0, 1_000],
    ['fair', 1, 0, 1, 0],
    [null, 1, 1, 0, 0],
  ])
  expect((await read(shop, 'sales?from=2026-01-01&to=2026-01-31')).leads).toBe(0)
})

test('campaigns returns results, cost, payments, and orders of recipients', async () => {
  const shop = await parley.workspace({ sandbox: true })

  const campaigns = await campaignsOf(parley, shop)
  const [paying, replying] = await makeContacts(shop, 3, { optInStatus: 'opted_in' })
  const pay = (contactId: string, amountMinor: number) =>
    inWorkspace(parley, shop, (ctx) =>
      recordReceivedMoney(ctx, {
        source: 'document_payment',
        sourceId: newId(),
        contactId,
        amountMinor,
        currency: 'INR',
        lead: undefined,
      }),
    )
  await pay(paying!, 700)
  await shop.advance(60)
  const { id } = (await campaigns.create({ sendNow: true })).body
  await shop.advance(60)
  await pay(paying!, 50_000)
  await pay(paying!, 25_000)
  const { phone } = (await shop.get(`/contacts/${replying}`)).body.contact
  await shop.inbound(phone, 'Which colors?')
  const order = { kind: 'order', store: 'shopify', type: 'order_placed', reference: '#1', from: phone }
  expect((await shop.post('/sandbox/simulate', order)).status).toBe(202)
  await shop.advance(5)
  const report = await read(shop, 'campaigns')
  expect(report.campaigns).toMatchObject([
    {
      broadcastId: id,
      name: 'Lights',
      sent: 3,
      replied: 1,
      tapped: 0,
      optedOut: 0,
      orders: 1,
      payments: [{ currency: 'INR', count: 2, amountMinor: 75_000, amount: '₹750.00' }],
      cost: { costMinor: null },
    },
  ])
  const narrowed = await shop.as('viewer', { scopes: ['broadcasts:read'] })
  expect((await read(narrowed, 'campaigns')).campaigns[0]).toMatchObject({
    orders: null,
    payments: null,
    cost: null,
  })
  await shop.advance(8 * 86_400)
  await pay(paying!, 900)
  // One template's campaigns, for the results of a template.
  const { templateId } = await campaigns.of(id)
  expect((await read(shop, `campaigns?templateId=${templateId}`)).campaigns).toHaveLength(1)
  expect((await read(shop, `campaigns?templateId=${newId()}`)).campaigns).toEqual([])
  const later = await read(shop, 'campaigns')
  expect(later.campaigns[0].payments[0].amountMinor).toBe(75_000)
})
