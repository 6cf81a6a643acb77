import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { untilRead } from '../../../../../test/support/read-words.ts'

const [ASHA, BINOY] = ['+919812300001', '+919812300002']
let parley: TestParley
let shop: TestWorkspace
let chats: Record<string, string>

const found = async (query: string): Promise<string[]> => {
  const answer = await shop.get(`/messages?${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.messages.map(({ text }: Body) => text)
}
const inChat = (phone: string, search: string, more = ''): Promise<string[]> =>
  found(`conversationId=${chats[phone]}&search=${encodeURIComponent(search)}${more}`)

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  for (const text of ['The blue kettle', 'A red kettle, please', 'नीली केतली', 'Thanks!'])
    await shop.inbound(ASHA, text)
  await shop.inbound(BINOY, 'Is the kettle in stock?')
  const { conversations } = (await shop.get('/conversations')).body
  chats = Object.fromEntries(conversations.map(({ id, contact }: Body) => [contact.phone, id]))
  await shop.post('/send', { to: ASHA, type: 'text', text: 'Both kettles are in stock.' })
  await untilRead(parley, shop.workspaceId, 'both')
})
afterAll(() => parley?.close())

describe('GET /messages with search', () => {
  test('finds the messages of the chat with every word, or its beginning, newest first', async () => {
    expect(await inChat(ASHA, 'kettle')).toEqual([
      'Both kettles are in stock.',
      'A red kettle, please',
      'The blue kettle',
    ])
    expect(await inChat(ASHA, 'KETT blue')).toEqual(['The blue kettle'])
    expect(await inChat(ASHA, 'केत')).toEqual(['नीली केतली'])
    expect(await inChat(BINOY, 'kettle')).toEqual(['Is the kettle in stock?'])
    expect(await inChat(ASHA, 'teapot')).toEqual([])
    expect(await inChat(ASHA, '?!')).toEqual([])
  })

  test('all filters apply together, also with ids and pages', async () => {
    expect(await inChat(ASHA, 'kettle', '&direction=outbound')).toEqual(['Both kettles are in stock.'])
    expect(await found(`phone=${encodeURIComponent(BINOY)}&search=kettle`)).toEqual([
      'Is the kettle in stock?',
    ])
    const { messages } = (await shop.get(`/messages?conversationId=${chats[ASHA]}`)).body
    const ids = messages.map(({ id }: Body) => id).join()
    expect(await inChat(ASHA, 'red', `&ids=${ids}`)).toEqual(['A red kettle, please'])
    const path = `/messages?conversationId=${chats[ASHA]}&search=kettle&limit=2`
    const first = (await shop.get(path)).body
    const second = (await shop.get(`${path}&cursor=${first.nextCursor}`)).body
    expect([first.messages.length, second.messages.map(({ text }: Body) => text), second.nextCursor]).toEqual(
      [2, ['The blue kettle'], null],
    )
  })

  test('needs a chat or a contact', async () => {
    const answer = await shop.get('/messages?search=kettle')
    expect([answer.status, answer.body.issues[0].path]).toEqual([400, 'search'])
  })

  test('finds nothing of another workspace', async () => {
    const other = await parley.workspace()
    const { body } = await other.get(`/messages?conversationId=${chats[ASHA]}&search=kettle`)
    expect(body.messages).toEqual([])
  })
})
