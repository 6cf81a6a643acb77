import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../test/support/boot.ts'
import { afterChange } from '../../../test/support/clock-changes.ts'
import { whileReadsAreFull } from '../../../test/support/costly-reads.ts'
import { type Browser, DASHBOARD, signIn } from '../../../test/support/sessions.ts'
import { answersIn, quantile } from './answer-times.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

const read = async (by: Browser, path: string): Promise<Body> => {
  const answer = await by.get(`${DASHBOARD}/analytics/${path}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const send = async (by: Pick<Browser, 'post'>, to: string): Promise<void> => {
  const answer = await by.post('/send', { to, type: 'text', text: 'Hi' })
  expect(answer.status, answer.text).toBe(200)
}

describe('GET /analytics/answers', () => {
  let shop: TestWorkspace
  let ravi: Browser
  let asha: Browser
  beforeAll(async () => {
    shop = await parley.workspace({ sandbox: true })
    ravi = await signIn(parley, shop, 'agent')
    asha = await signIn(parley, shop, 'agent')
  })

  test('returns how long customers waited, and for whom', async () => {
    const [one, two] = ['+919812300001', '+919812300002']
    await shop.inbound(one, 'Hello')
    await shop.advance(100)
    await shop.inbound(one, 'Anybody?')
    await shop.advance(20)
    await send(ravi, one)
    await send(ravi, one)
    await shop.inbound(two, 'Hello')
    await shop.advance(600)
    await send(asha, two)
    await shop.inbound(two, 'Thanks')
    const times = await read(ravi, 'answers?days=7')
    expect(times).toMatchObject({ chats: 2, answers: 2 })
    expect(times.byDay).toHaveLength(7)
    expect(times.byDay.at(-1).date).toBe(times.to)
    expect(times.byDay.reduce((sum: number, day: Body) => sum + day.answers, 0)).toBe(2)
    // The clock moves on between the calls.
    const [mine, hers] = [ravi, asha].map((by) => times.team.find((of: Body) => of.memberId === by.memberId))
    expect([mine.messages, mine.answers, hers.messages, hers.answers]).toEqual([2, 1, 1, 1])
    expect(mine.medianSeconds).toBeGreaterThanOrEqual(120)
    expect(mine.medianSeconds).toBeLessThan(600)
    expect(hers.medianSeconds).toBeGreaterThanOrEqual(600)
    expect([times.medianSeconds, times.p90Seconds]).toEqual([mine.medianSeconds, hers.medianSeconds])
    await shop.advance(3 * 86_400)
    expect((await read(ravi, 'answers?days=2')).answers).toBe(0)
    expect((await read(await signIn(parley, await parley.workspace()), 'answers')).chats).toBe(0)
  })

  // At these times, a window of 7 × 24 hours would start on another day.
  test.each([
    ['shorter', 7, '00:30', 0],
    ['longer', 6, '23:30', 1],
  ] as const)('counts whole days if one of them is %s', async (which, daysAgo, asked, expected) => {
    const timezone = 'America/New_York'
    const there = await parley.workspace({ sandbox: true, timezone })
    const meera = await signIn(parley, there, 'agent')
    const { today, goTo } = await afterChange(there, which, timezone)
    await goTo(today.subtract({ days: daysAgo }).withPlainTime('12:00'))
    await there.inbound('+919812300001', 'Hello')
    await send(meera, '+919812300001')
    await goTo(today.withPlainTime(asked))
    const times = await read(meera, 'answers?days=7')
    expect(times.from).toBe(today.subtract({ days: 6 }).toPlainDate().toString())
    expect([times.answers, times.byDay[0].answers]).toEqual([expected, expected])
  })

  test('waits for its turn, and accepts only sessions', async () => {
    await whileReadsAreFull(parley, shop.workspaceId, async () => {
      expect((await ravi.get(`${DASHBOARD}/analytics/answers`)).body.error).toBe('rate_limited')
    })
    expect((await shop.get(`${DASHBOARD}/analytics/answers`)).status).toBe(401)
    expect((await ravi.get(`${DASHBOARD}/analytics/answers?days=91`)).status).toBe(400)
  })
})

test('GET /analytics/failures counts failures by cause, in the own workspace and the requested days', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const ravi = await signIn(parley, shop, 'viewer')
  expect((await read(ravi, 'failures')).failures).toEqual([])
  const failing = '+12125550126'
  await shop.inbound(failing, 'Hello')
  await send(shop, failing)
  await send(shop, failing)
  await shop.advance(5)
  const { failures, isPartial } = await read(ravi, 'failures?days=1')
  expect(failures).toEqual([{ code: expect.any(Number), title: expect.any(String), count: 2 }])
  expect(isPartial).toBe(false)
  await shop.advance(3 * 86_400)
  expect((await read(ravi, 'failures?days=2')).failures).toEqual([])
  expect((await read(ravi, 'failures?days=7')).failures[0].count).toBe(2)
  expect((await read(await signIn(parley, await parley.workspace()), 'failures')).failures).toEqual([])
})

test('an answer ends one wait, in its own chat', () => {
  const at = (seconds: number) => new Date(seconds * 1_000)
  const said = (conversationId: string, direction: 'inbound' | 'outbound', seconds: number) => ({
    conversationId,
    direction,
    at: at(seconds),
    sentBy: null,
  })
  expect(
    answersIn([
      said('a', 'outbound', 0),
      said('a', 'inbound', 10),
      said('a', 'inbound', 20),
      said('b', 'outbound', 30),
      said('b', 'inbound', 40),
      said('b', 'outbound', 45),
      said('b', 'outbound', 90),
    ]),
  ).toEqual([{ at: at(45), seconds: 5, by: null }])
  expect([quantile([], 0.5), quantile([3, 1, 2], 0.5), quantile([1, 2, 3, 4], 0.9)]).toEqual([null, 2, 4])
})
