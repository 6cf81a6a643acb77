/** How often each auto-reply answered. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley } from '../../../../../test/support/boot.ts'
import { madeReply } from '../../../../../test/support/replies.ts'
import { DAY_MS } from '../../../../core/clock.ts'

const DAY_SECONDS = DAY_MS / 1_000
let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

test('each message counts for the auto-reply that sent it, for 30 days', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const make = (body: object) => madeReply(parley, shop, { schedule: 'always', ...body })
  const keyword = await make({ kind: 'keyword', keywords: ['price'], reply: { text: 'From 100.' } })
  const welcome = await make({ kind: 'welcome', reply: { text: 'Welcome!' } })
  const away = await make({ kind: 'away', reply: { text: 'We are away.' } })
  const counts = async (): Promise<Body> => {
    const { counts } = (await shop.get('/auto-replies/counts')).body
    return Object.fromEntries(counts.map(({ autoReplyId, sent }: Body) => [autoReplyId, sent]))
  }
  expect(await counts()).toEqual({})
  // The first message gets two answers, which have one source each.
  await shop.inbound('+919812345678', 'Hello')
  const { messages } = (await shop.get('/messages?direction=outbound')).body
  expect(Object.fromEntries(messages.map(({ text, source }: Body) => [text, source.id]))).toEqual({
    'Welcome!': welcome.id,
    'We are away.': away.id,
  })
  await shop.advance(DAY_SECONDS)
  for (const from of ['+919812345678', '+919812345678', '+919812345679'])
    await shop.inbound(from, 'the price')
  expect(await counts()).toEqual({ [keyword.id]: 3, [welcome.id]: 1, [away.id]: 1 })
  await shop.advance(29 * DAY_SECONDS)
  expect(await counts()).toEqual({ [keyword.id]: 3 })
  await shop.call('DELETE', `/auto-replies/${keyword.id}`)
  expect(await counts()).toEqual({})
  const other = await parley.workspace({ sandbox: true })
  expect((await other.get('/auto-replies/counts')).body.counts).toEqual([])
})
