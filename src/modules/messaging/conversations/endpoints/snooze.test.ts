import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { signIn } from '../../../../../test/support/sessions.ts'

const HOUR_S = 3_600
let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

const freshShop = async (): Promise<void> => {
  shop = await parley.workspace({ sandbox: true })
}
const ASHA = '+919812300001'
const BINOY = '+919812300002'

const chatWith = async (phone: string): Promise<string> => {
  await shop.inbound(phone, 'Hello')
  return (await shop.get(`/messages?phone=${encodeURIComponent(phone)}`)).body.messages[0].conversationId
}
const inHours = async (hours: number): Promise<string> => {
  const { now } = (await shop.get('/sandbox/clock')).body
  return new Date(Date.parse(now) + hours * HOUR_S * 1_000).toISOString()
}
const snooze = (id: string, body: object) => shop.post(`/conversations/${id}/snooze`, body)
const chat = async (id: string): Promise<Body> => (await shop.get(`/conversations/${id}`)).body.conversation
const listed = async (query: string): Promise<string[]> =>
  (await shop.get(`/conversations?${query}`)).body.conversations.map(({ id }: Body) => id)
const changesOf = async (id: string): Promise<Body[]> =>
  (await shop.get(`/conversations/${id}/changes`)).body.changes
const counts = async (): Promise<Body> => (await shop.get('/conversations/counts')).body

describe('POST /conversations/{id}/snooze', () => {
  test('takes the chat out of the open lists and counts until it is back', async () => {
    await freshShop()
    const [asha, binoy] = [await chatWith(ASHA), await chatWith(BINOY)]
    expect(await counts()).toMatchObject({ open: 2, unassigned: 2, unread: 2, snoozed: 0 })
    const until = await inHours(3)
    const answer = await snooze(asha, { until, untilReply: true })
    expect(answer.status).toBe(200)
    expect(answer.body.conversation).toMatchObject({
      isSnoozed: true,
      snoozedUntil: until,
      snoozedUntilReply: true,
      snoozeEndedAt: null,
      state: 'open',
    })
    expect(await counts()).toMatchObject({ open: 1, unassigned: 1, unread: 1, snoozed: 1 })
    expect(await listed('state=open,pending&snoozed=false')).toEqual([binoy])
    expect(await listed('snoozed=true')).toEqual([asha])
    expect(await listed(`snoozed=true&ids=${asha},${binoy}`)).toEqual([asha])
    expect((await listed('')).sort()).toEqual([asha, binoy].sort())
    expect(await changesOf(asha)).toMatchObject([{ action: 'snoozed', until, source: { kind: 'api_key' } }])
  })

  test('at its time, the chat is open, unread, and at the top, once', async () => {
    await freshShop()
    const asha = await chatWith(ASHA)
    await shop.post(`/conversations/${asha}/read`, {})
    await shop.patch(`/conversations/${asha}`, { state: 'pending' })
    const until = await inHours(3)
    await snooze(asha, { until })
    const binoy = await chatWith(BINOY)
    await shop.advance(3 * HOUR_S - 60)
    expect(await chat(asha)).toMatchObject({ isSnoozed: true, unreadCount: 0 })
    await shop.advance(120)
    expect(await chat(asha)).toMatchObject({
      isSnoozed: false,
      snoozedUntil: null,
      state: 'open',
      unreadCount: 1,
      snoozeEndedAt: expect.any(String),
    })
    expect((await chat(asha)).snoozeEndedAt >= until).toBe(true)
    expect(await listed('state=open&snoozed=false')).toEqual([asha, binoy])
    await shop.advance(24 * HOUR_S)
    const back = (await changesOf(asha)).filter(({ action }) => action === 'unsnoozed')
    expect(back).toMatchObject([{ source: null, until: null }])
  })

  test("until the customer writes: the customer's message ends it", async () => {
    await freshShop()
    const asha = await chatWith(ASHA)
    await snooze(asha, { untilReply: true })
    expect(await chat(asha)).toMatchObject({ isSnoozed: true, snoozedUntil: null })
    await shop.inbound(ASHA, 'Any news?')
    expect(await chat(asha)).toMatchObject({
      isSnoozed: false,
      snoozedUntilReply: false,
      snoozeEndedAt: null,
    })
    expect((await changesOf(asha)).map(({ action, source }) => [action, source.kind])).toEqual([
      ['unsnoozed', 'customer'],
      ['snoozed', 'api_key'],
    ])
  })

  test('until a time or the reply, the earlier ends it, and the time then changes nothing', async () => {
    await freshShop()
    const asha = await chatWith(ASHA)
    await snooze(asha, { until: await inHours(2), untilReply: true })
    await shop.inbound(ASHA, 'Any news?')
    await shop.post(`/conversations/${asha}/read`, {})
    await shop.advance(3 * HOUR_S)
    expect(await chat(asha)).toMatchObject({ isSnoozed: false, snoozeEndedAt: null, unreadCount: 0 })
    expect(await changesOf(asha)).toHaveLength(2)
  })

  test("until a time only: the customer's message leaves it", async () => {
    await freshShop()
    const asha = await chatWith(ASHA)
    await snooze(asha, { until: await inHours(2) })
    await shop.inbound(ASHA, 'Any news?')
    expect(await chat(asha)).toMatchObject({ isSnoozed: true, unreadCount: 2 })
  })

  test('a second snooze replaces the first; the first time changes nothing', async () => {
    await freshShop()
    const asha = await chatWith(ASHA)
    await snooze(asha, { until: await inHours(1) })
    const until = await inHours(5)
    await Promise.all([snooze(asha, { until }), snooze(asha, { until }), snooze(asha, { until })])
    expect((await changesOf(asha)).map(({ action }) => action)).toEqual(['snoozed', 'snoozed'])
    await shop.advance(2 * HOUR_S)
    expect(await chat(asha)).toMatchObject({ isSnoozed: true, snoozedUntil: until })
    await shop.advance(4 * HOUR_S)
    expect((await changesOf(asha)).map(({ action }) => action)).toEqual(['unsnoozed', 'snoozed', 'snoozed'])
  })

  test.each([
    ['resolved', { state: 'resolved' }],
    ['archived', { isArchived: true }],
  ])('ends when the chat is %s, and its time then changes nothing', async (_, patch) => {
    await freshShop()
    const asha = await chatWith(ASHA)
    await snooze(asha, { until: await inHours(1), untilReply: true })
    const answer = await shop.patch(`/conversations/${asha}`, patch)
    expect(answer.body.conversation).toMatchObject({ isSnoozed: false, ...patch })
    await shop.advance(2 * HOUR_S)
    expect(await chat(asha)).toMatchObject({ ...patch, snoozeEndedAt: null })
    const refused = await snooze(asha, { untilReply: true })
    expect([refused.status, refused.body.error]).toEqual([409, 'conflict'])
  })

  test('assigning and sending leave it', async () => {
    await freshShop()
    const asha = await chatWith(ASHA)
    await snooze(asha, { untilReply: true })
    await shop.patch(`/conversations/${asha}`, { assignedAgentId: shop.ownerId, priority: 'high' })
    await shop.post('/send', { to: ASHA, type: 'text', text: 'We are checking.' })
    expect(await chat(asha)).toMatchObject({ isSnoozed: true })
  })

  test('a body without an end, or with a time in the past or too far ahead, is not valid', async () => {
    await freshShop()
    const asha = await chatWith(ASHA)
    for (const body of [
      {},
      { untilReply: false },
      { until: await inHours(-1) },
      { until: await inHours(24 * 400), untilReply: true },
      { until: 'tomorrow' },
    ]) {
      const answer = await snooze(asha, body)
      expect([body, answer.status, answer.body.issues?.[0]?.path]).toEqual([body, 400, 'until'])
    }
    expect(await chat(asha)).toMatchObject({ isSnoozed: false })
  })

  test('a merge leaves the chat in the lists if either chat was there', async () => {
    await freshShop()
    const asha = await chatWith(ASHA)
    await chatWith(BINOY)
    await snooze(asha, { untilReply: true })
    const kept = (await chat(asha)).contact.id
    const merged = await shop.post(`/contacts/${kept}/merge`, { from: BINOY })
    expect(merged.status).toBe(200)
    expect(await chat(asha)).toMatchObject({ isSnoozed: false })
  })
})

describe('DELETE /conversations/{id}/snooze', () => {
  test('ends the snooze, once; the chat keeps its place', async () => {
    await freshShop()
    const ravi = await signIn(parley, shop, 'agent')
    const asha = await chatWith(ASHA)
    const binoy = await chatWith(BINOY)
    await shop.post(`/conversations/${asha}/read`, {})
    await snooze(asha, { until: await inHours(1) })
    const path = `/api/v1/conversations/${asha}/snooze`
    const answers = await Promise.all([ravi.delete(path), ravi.delete(path), ravi.delete(path)])
    for (const answer of answers)
      expect([answer.status, answer.body.conversation.isSnoozed]).toEqual([200, false])
    await shop.advance(2 * HOUR_S)
    expect(await chat(asha)).toMatchObject({ unreadCount: 0, snoozeEndedAt: null })
    expect(await listed('snoozed=false')).toEqual([binoy, asha])
    expect((await changesOf(asha)).map(({ action, source }) => [action, source.kind])).toEqual([
      ['unsnoozed', 'member'],
      ['snoozed', 'api_key'],
    ])
  })
})
