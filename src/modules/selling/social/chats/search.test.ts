/** Direct messages in the search (src/modules/reporting/search/DECISIONS.md). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type Client, type TestParley } from '../../../../../test/support/boot.ts'
import { customerWrites, openSocialShop, type SocialShop } from '../../../../../test/support/social-shop.ts'
import { until } from '../../../../../test/support/until.ts'
import { newId } from '../../../../core/ids.ts'

let parley: TestParley
let shop: SocialShop
beforeAll(async () => {
  parley = await boot()
  shop = await openSocialShop(parley)
})
afterAll(() => parley?.close())

const newName = (): string => `asha_${randomUUID().slice(0, 8)}`
const find = async (q: string, by: Client = shop): Promise<Body[]> =>
  (await by.get(`/search?q=${encodeURIComponent(q)}`)).body.results.filter(
    ({ kind }: Body) => kind === 'direct_message',
  )
const untilIndexed = () =>
  until(async () => {
    parley.wake()
    const rows = await parley.system((tx) =>
      tx.sql('select 1 from social_messages where workspace_id = $1 and not indexed', [shop.workspaceId]),
    )
    return rows.length === 0
  }, 'the messages are indexed')

test('finds the words of direct messages, with the customer and the chat', async () => {
  const from = newName()
  const started = await customerWrites(parley, shop, { from, text: 'Is the turquoise saree in stock?' })
  await untilIndexed()
  expect(await find('turq SAREE')).toEqual([
    {
      kind: 'direct_message',
      id: started.messageId,
      title: expect.any(String),
      snippet: 'Is the turquoise saree in stock?',
      parentId: started.conversationId,
      at: expect.any(String),
    },
  ])
  const sent = await shop.post(
    '/social/send',
    { conversationId: started.conversationId, text: 'Turquoise arrives on Monday.' },
    { idempotencyKey: randomUUID() },
  )
  expect(sent.status, sent.text).toBe(200)
  await untilIndexed()
  expect((await find('turquoise')).map(({ snippet }) => snippet)).toEqual([
    'Turquoise arrives on Monday.',
    'Is the turquoise saree in stock?',
  ])
  expect(await find('turquoise', await shop.as('agent', { scopes: ['messages:read'] }))).toEqual([])
  expect(await find('turquoise', await openSocialShop(parley))).toEqual([])
})

test('nothing remains of the words of an erased customer', async () => {
  const { conversationId, messageId } = await customerWrites(parley, shop, {
    from: newName(),
    text: 'A maroon scarf',
  })
  await untilIndexed()
  const { contact } = (await shop.get(`/conversations/${conversationId}`)).body.conversation
  expect((await shop.delete(`/contacts/${contact.id}`)).status).toBe(200)
  expect(await find('maroon')).toEqual([])
  const words = await parley.system((tx) =>
    tx.sql('select 1 from social_message_words where workspace_id = $1 and id = $2', [
      shop.workspaceId,
      messageId,
    ]),
  )
  expect(words).toEqual([])
})

test('a page of a chat around a message has the same number on each side', async () => {
  const from = newName()
  const messages: string[] = []
  let chat = ''
  for (let n = 0; n < 7; n++) {
    const written = await customerWrites(parley, shop, { from, text: `Message ${n}` })
    messages.unshift(written.messageId)
    chat = written.conversationId
  }
  const path = `/social/conversations/${chat}/messages`
  const page = (await shop.get(`${path}?around=${messages[3]}&limit=3`)).body
  expect(page.messages.map(({ id }: Body) => id)).toEqual(messages.slice(2, 5))
  const older = (await shop.get(`${path}?cursor=${page.nextCursor}&limit=3`)).body
  expect(older.messages.map(({ id }: Body) => id)).toEqual(messages.slice(5))
  const foreign = await customerWrites(parley, shop, { from: newName(), text: 'Another chat' })
  for (const id of [foreign.messageId, newId()])
    expect((await shop.get(`${path}?around=${id}`)).status).toBe(404)
  const both = await shop.get(`${path}?around=${messages[3]}&cursor=${page.nextCursor}`)
  expect([both.status, both.body.issues?.[0]?.path]).toEqual([400, 'around'])
})
