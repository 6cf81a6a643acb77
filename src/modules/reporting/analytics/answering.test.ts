import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { afterChange } from '../../../../test/support/clock-changes.ts'
import { whileReadsAreFull } from '../../../../test/support/costly-reads.ts'
import { type Browser, DASHBOARD, signIn } from '../../../../test/support/sessions.ts'
import { findAnswers, quantile } from './answer-times.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

const read = async (user: Browser, path: string): Promise<Body> => {
  const answer = await user.get(`${DASHBOARD}/analytics/${path}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const send = async (user: Pick<Browser, 'post'>, to: string): Promise<void> => {
  const answer = await user.post('/send', { to, type: 'text', text: 'Hi' })
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
    const [firstPhone, secondPhone] = ['+919812300001', '+919812300002']
    await shop.inbound(firstPhone, 'Hello')
    await shop.advance(100)
    await shop.inbound(firstPhone, 'Anybody?')
    await shop.advance(20)
    await send(ravi, firstPhone)
    await send(ravi, firstPhone)
    await shop.inbound(secondPhone, 'Hello')
    await shop.advance(600)
    await send(asha, secondPhone)
    await shop.inbound(secondPhone, 'Thanks')
    const times = await read(ravi, 'answers?days=7')
    expect(times).toMatchObject({ chats: 2, answers: 2 })
    expect(times.byDay).toHaveLength(7)
    expect(times.byDay.at(-1).date).toBe(times.to)
    expect(times.byDay.reduce((sum: number, day: Body) => sum + day.answers, 0)).toBe(2)
    // The clock moves on between the calls.
    const [raviTimes, ashaTimes] = [ravi, asha].map((user) =>
      times.team.find((member: Body) => member.memberId === user.memberId),
    )
    expect([raviTimes.messages, raviTimes.answers, ashaTimes.messages, ashaTimes.answers]).toEqual([
      2, 1, 1, 1,
    ])
    expect(raviTimes.medianSeconds).toBeGreaterThanOrEqual(120)
    expect(raviTimes.medianSeconds).toBeLessThan(600)
    expect(ashaTimes.medianSeconds).toBeGreaterThanOrEqual(600)
    expect([times.medianSeconds, times.p90Seconds]).toEqual([
      raviTimes.medianSeconds,
      ashaTimes.medianSeconds,
    ])
    await shop.advance(3 * 86_400)
    expect((await read(ravi, 'answers?days=2')).answers).toBe(0)
    expect((await read(await signIn(parley, await parley.workspace()), 'answers')).chats).toBe(0)
  })

  // At these times, a window of 7 × 24 hours would start on another day.
  test.each([
    ['shorter', 7, '00:30', 0],
    ['longer', 6, '23:30', 1],
  ] as const)('counts whole days if one of them is %s', async (dayLength, daysAgo, time, expected) => {
    const timezone = 'America/New_York'
    const workspace = await parley.workspace({ sandbox: true, timezone })
    const meera = await signIn(parley, workspace, 'agent')
    const { today, goTo } = await afterChange(workspace, dayLength, timezone)
    await goTo(today.subtract({ days: daysAgo }).withPlainTime('12:00'))
    await workspace.inbound('+919812300001', 'Hello')
    await send(meera, '+919812300001')
    await goTo(today.withPlainTime(time))
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
  const time = (seconds: number) => new Date(seconds * 1_000)
  const message = (conversationId: string, direction: 'inbound' | 'outbound', seconds: number) => ({
    conversationId,
    direction,
    at: time(seconds),
    sentBy: null,
  })
  expect(
    findAnswers([
      message('a', 'outbound', 0),
      message('a', 'inbound', 10),
      message('a', 'inbound', 20),
      message('b', 'outbound', 30),
      message('b', 'inbound', 40),
      message('b', 'outbound', 45),
      message('b', 'outbound', 90),
    ]),
  ).toEqual([{ at: time(45), seconds: 5, sentBy: null }])
  expect([quantile([], 0.5), quantile([3, 1, 2], 0.5), quantile([1, 2, 3, 4], 0.9)]).toEqual([null, 2, 4])
})
