import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { signIn } from '../../../../../test/support/sessions.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

const PATH = '/api/v1/conversations/take-next'
const phoneOf = (index: number): string => `+9198123000${String(index).padStart(2, '0')}`

/** Starts `count` chats, the longest wait first, and returns their ids. */
async function waiting(count: number): Promise<string[]> {
  shop = await parley.workspace({ sandbox: true })
  for (let index = 1; index <= count; index++) await shop.inbound(phoneOf(index), 'Hello')
  const { conversations } = (await shop.get('/conversations?sort=waiting')).body
  return conversations.map(({ id }: Body) => id)
}

test('the longest wait is taken first; answered, assigned, resolved, archived, and snoozed chats are not', async () => {
  const ids = await waiting(7)
  const ravi = await signIn(parley, shop, 'agent')
  await shop.post('/send', { to: phoneOf(1), type: 'text', text: 'Hello' })
  await shop.patch(`/conversations/${ids[1]}`, { assignedAgentId: shop.ownerId })
  await shop.patch(`/conversations/${ids[2]}`, { state: 'resolved' })
  await shop.patch(`/conversations/${ids[3]}`, { isArchived: true })
  await shop.post(`/conversations/${ids[4]}/snooze`, { untilReply: true })
  const chatIds: string[] = []
  for (let turn = 0; turn < 2; turn++) {
    const { status, body } = await ravi.post(PATH, {})
    expect([status, body.conversation.assignedAgentId]).toEqual([200, ravi.memberId])
    chatIds.push(body.conversation.id)
  }
  expect(chatIds).toEqual([ids[5], ids[6]])
  const none = await ravi.post(PATH, {})
  expect([none.status, none.body.error]).toEqual([404, 'not_found'])
  expect(none.body.message).toBe('No unassigned chat is waiting for an answer.')
})

test('concurrent callers get different chats, also while customers write', async () => {
  const ids = await waiting(8)
  const agents = await Promise.all([signIn(parley, shop, 'agent'), signIn(parley, shop, 'agent')])
  const [first, second] = agents
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => first!.post(PATH, {})),
    ...Array.from({ length: 4 }, () => second!.post(PATH, {})),
    ...ids.map((_, index) => shop.inbound(phoneOf(index + 1), 'Anyone there?')),
  ])
  const chatIds = answers.slice(0, 8).map(({ body }) => body.conversation?.id)
  expect(chatIds.toSorted()).toEqual(ids.toSorted())
})

test('a chat of a former member is taken; a key without a member takes none', async () => {
  const [id] = await waiting(1)
  const [ravi, meera] = [await signIn(parley, shop, 'agent'), await signIn(parley, shop, 'agent')]
  await shop.patch(`/conversations/${id}`, { assignedAgentId: ravi.memberId })
  expect((await meera.post(PATH, {})).status).toBe(404)
  await parley.system((tx) => tx.sql('update members set left_at = now() where id = $1', [ravi.memberId]))
  expect((await meera.post(PATH, {})).body.conversation).toMatchObject({
    id,
    assignedAgentId: meera.memberId,
  })
})
