/** The preview of the automatic answer to a message, compared with the answer that a customer then gets. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { connectNumber } from '../../../../../test/support/operator-webhooks.ts'
import { inKolkata, listReplies, madeBot, madeReply } from '../../../../../test/support/replies.ts'
import { DAY_MS } from '../../../../core/clock.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
})

const ASHA = '+919812345678'
const make = (kind: string, text: string, more: object = {}) =>
  madeReply(parley, shop, { kind, reply: { text }, ...more })
const keyword = (text: string, more: object = {}) => make('keyword', text, { keywords: ['price'], ...more })
const hours = (weekly: object[]) => shop.call('PUT', '/business-hours', { timeZone: 'Asia/Kolkata', weekly })

async function preview(body: object): Promise<Body> {
  const answer = await shop.post('/auto-replies/preview', body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
/** Returns the reason for each auto-reply, by its text. */
async function reasonsFor(body: object): Promise<Record<string, string | null>> {
  const { autoReplies } = await preview(body)
  const { autoReplies: stored } = (await shop.get('/auto-replies')).body
  return Object.fromEntries(
    autoReplies.map(({ autoReplyId, skipped }: Body) => [
      stored.find(({ id }: Body) => id === autoReplyId).reply.text,
      skipped,
    ]),
  )
}
const textsFor = async (body: object): Promise<string[]> =>
  (await preview(body)).messages.map(({ text }: Body) => text)

test('shows the message that a customer then gets, and stores nothing', async () => {
  await hours([])
  await keyword('From 100, {{contact.name}}.')
  await make('welcome', 'Welcome!')
  await make('away', 'We are away.')
  for (const text of ['What is the PRICE?', 'Hello', 'stop']) {
    const expected = await textsFor({ text, customerName: 'Asha' })
    const before = (await listReplies(shop)).length
    const from = `+9198123456${text.length}0`
    await shop.inbound(from, text, { name: 'Asha' })
    expect((await listReplies(shop)).slice(before), text).toEqual(expected)
  }
  expect(await listReplies(shop)).toEqual(['From 100, Asha.', 'Welcome!', 'We are away.'])
  expect(await preview({ text: 'STOP' })).toMatchObject({ answeredBy: 'consent_word', messages: [] })
  expect(await listReplies(shop)).toHaveLength(3)
})

test('names the reason for each auto-reply, in the order of the check', async () => {
  await connectNumber(parley, shop)
  const [first, second] = (await shop.get('/phone-numbers')).body.phoneNumbers
  const now = Date.now()
  const time = (days: number) => new Date(now + days * DAY_MS).toISOString()
  await keyword('off', { position: 0, enabled: false })
  await keyword('other number', { position: 1, phoneNumberIds: [second.id] })
  await keyword('later', { position: 2, validFrom: time(1) })
  await keyword('over', { position: 3, validUntil: time(-1) })
  await keyword('another word', { position: 4, keywords: ['delivery'] })
  await keyword('answers', { position: 5 })
  await keyword('below', { position: 6 })
  await make('welcome', 'Welcome!')
  await make('away', 'Away.')
  const body = { text: 'the price', phoneNumberId: first.id }
  expect(Object.entries(await reasonsFor(body))).toEqual([
    ['off', 'off'],
    ['other number', 'other_number'],
    ['later', 'not_started'],
    ['over', 'ended'],
    ['another word', 'no_keyword'],
    ['answers', null],
    ['below', 'earlier_reply'],
    ['Welcome!', 'answered_before'],
    ['Away.', 'hours_unknown'],
  ])
  expect((await preview(body)).autoReplies[5]).toMatchObject({ keyword: 'price' })
  expect(await reasonsFor({ ...body, phoneNumberId: second.id })).toMatchObject({
    'other number': null,
    answers: 'earlier_reply',
  })
  expect(await textsFor({ ...body, at: time(2) })).toEqual(['later'])
  expect(await reasonsFor({ text: 'Hello', daysSinceLast: 3 })).toMatchObject({
    'Welcome!': 'not_first',
    'Away.': 'hours_unknown',
  })
  expect(await preview({ text: 'Hello', daysSinceLast: 3 })).toMatchObject({ answeredBy: null, messages: [] })
})

test('at a time of the opening hours, and after days of silence', async () => {
  await hours([1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '10:00', to: '18:00' })))
  await keyword('Only while open.', { schedule: 'business_hours' })
  await make('welcome', 'Welcome back!', { daysSilent: 7 })
  await make('away', 'Away.')
  const tomorrow = inKolkata(new Date(Date.now() + DAY_MS)).slice(0, 10)
  const at = (time: string) => ({ at: `${tomorrow}T${time}:00+05:30` })
  expect(await reasonsFor({ text: 'price', daysSinceLast: 6, ...at('20:00') })).toEqual({
    'Only while open.': 'closed',
    'Welcome back!': 'not_first',
    'Away.': null,
  })
  expect(await reasonsFor({ text: 'Hello', daysSinceLast: 7, ...at('12:00') })).toEqual({
    'Only while open.': 'no_keyword',
    'Welcome back!': null,
    'Away.': 'open',
  })
})

test('names the bot that starts instead of a welcome', async () => {
  await make('welcome', 'Welcome!')
  const bot = await madeBot(parley, shop, {
    name: 'Menu',
    entry: { keywords: ['menu'] },
    start: 'hello',
    nodes: [{ id: 'hello', type: 'message', text: 'Our menu.' }],
  })
  expect(await preview({ text: 'Menu' })).toMatchObject({
    answeredBy: 'bot',
    bot: { id: bot.id, name: 'Menu' },
    messages: [],
    autoReplies: [{ skipped: 'answered_before' }],
  })
  await shop.inbound(ASHA, 'Menu')
  expect(await listReplies(shop)).toEqual(['Our menu.'])
})

test('an unknown number is an invalid reference', async () => {
  const missing = '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a11'
  const answer = await shop.post('/auto-replies/preview', { text: 'Hi', phoneNumberId: missing })
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_reference' } })
  expect(answer.body.issues[0].path).toBe('phoneNumberId')
})
