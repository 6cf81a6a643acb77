/** A shop answers on the photo network, which reports everything twice and in any order. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSealer } from '../../src/core/sealing.ts'
import { connectAccount } from '../../src/modules/selling/social/operations/accounts.ts'
import {
  type StandaloneSocialSimulator,
  startStandaloneSocialSimulator,
} from '../../src/social-network/simulator/standalone/start.ts'
import { type Body, boot, SECRET_KEY, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { makeReceivers, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const ACCOUNT = { networkId: '17841400000000000', username: 'silk_house', token: 'token-1' }
const APP_SECRET = 'app-secret'

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let receiver: Receiver
let simulator: StandaloneSocialSimulator
let parley: TestParley
let shop: TestWorkspace

beforeAll(async () => {
  receivers = await makeReceivers()
  receiver = await receivers.open()
  simulator = await startStandaloneSocialSimulator({
    port: 0,
    host: '127.0.0.1',
    account: ACCOUNT,
    appSecret: APP_SECRET,
    settings: { webhooks: { duplicate: 1, shuffle: true, gatherMs: 20 } },
  })
  parley = await boot({ env: { ...receivers.env, PARLEY_SOCIAL_URL: simulator.url } })
  shop = await parley.workspace()
  await shop.set({ socialAddon: true })
  await parley.system((tx) =>
    connectAccount(
      tx,
      {
        workspaceId: shop.workspaceId,
        network: 'graph',
        profile: { ...ACCOUNT, scopedId: null, name: null },
        token: ACCOUNT.token,
        appSecret: APP_SECRET,
        verifyToken: 'verify',
      },
      new Date(),
      createSealer(SECRET_KEY),
    ),
  )
  simulator.settings.current.callbackUrl = `${parley.url}/api/social/${shop.workspaceId}`
  await shop.post('/webhooks', {
    url: receiver.url,
    events: ['social.message.received', 'social.comment.received'],
  })
})
afterAll(async () => {
  await simulator?.close()
  await parley?.close()
  await receivers?.close()
})

/** Sends a control call to the simulator. */
async function control(path: string, body: object): Promise<Body> {
  const answer = await fetch(`${simulator.url}/_simulator${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ACCOUNT.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
  return answer.json()
}
const eventsOf = (name: string): Body[] =>
  receiver.received.filter(({ body }) => body.event === name).map(({ body }) => body.data)
/** Waits until no report of the network is under way. */
const waitUntilQuiet = (): Promise<unknown> =>
  until(async () => {
    // First checks that all reports were posted: a report posted after the check of the table would be in
    // neither.
    if (simulator.posted().waiting > 0) return false
    const [row] = await parley.system((tx) =>
      tx.sql<{ waiting: number }>('select count(*)::int as waiting from social_updates'),
    )
    return row?.waiting === 0
  }, 'all reports were applied')

test('a direct message can be answered inside its window, and not outside', async () => {
  const { customerId } = await control('/dm', {
    from: 'asha_r',
    text: 'Is the blue one in stock?',
    photos: 2,
  })
  await until(() => eventsOf('social.message.received').length >= 2, 'both photos arrive')
  const [first, second] = eventsOf('social.message.received').sort((a, b) =>
    a.messageId < b.messageId ? -1 : 1,
  )
  expect(first).toMatchObject({
    mid: second.mid,
    contact: { username: 'asha_r' },
    type: 'image',
    content: { text: 'Is the blue one in stock?' },
  })
  expect(second.content).not.toHaveProperty('text')
  const { conversationId } = first
  const sent = await shop.post(
    '/social/send',
    { conversationId, text: 'It is: 40, in blue and in red.' },
    { idempotencyKey: 'answer-1' },
  )
  expect(sent, sent.text).toMatchObject({ status: 200, body: { ok: true } })
  await control('/reports', {
    messaging: {
      sender: { id: customerId },
      recipient: { id: ACCOUNT.networkId },
      timestamp: Date.now(),
      read: { mid: sent.body.mid },
    },
  })
  await waitUntilQuiet()
  const { body } = await shop.get(`/social/conversations/${conversationId}/messages`)
  expect(body.messages).toMatchObject([
    { id: sent.body.messageId, direction: 'outbound', status: 'read' },
    { id: second.messageId },
    { id: first.messageId },
  ])
  expect(eventsOf('social.message.received')).toHaveLength(2)

  await control('/dm', { from: 'ben', text: 'Hello?', agoSeconds: 86_400 })
  await until(() => eventsOf('social.message.received').length >= 3, 'the late message arrives')
  const late = eventsOf('social.message.received').find(({ contact }) => contact.username === 'ben')
  expect(
    await shop.post('/social/send', { conversationId: late.conversationId, text: 'Yes?' }),
  ).toMatchObject({
    status: 422,
    body: { error: 'outside_24h_window' },
  })
})

test("a comment is answered and hidden; the shop's own comments are not reported", async () => {
  const { id } = await control('/comments', { from: 'ben', text: 'Price? And where is my order?' })
  await until(() => eventsOf('social.comment.received').length >= 1, 'the comment arrives')
  const [{ commentId }] = eventsOf('social.comment.received')
  expect(eventsOf('social.comment.received')[0]).toMatchObject({
    kind: 'comment',
    socialCommentId: id,
    username: 'ben',
    permalink: expect.stringMatching(/^https:/),
  })
  const listNeedingReply = async () => (await shop.get('/social/comments?filter=needs_reply')).body.comments
  expect(await listNeedingReply()).toMatchObject([{ id: commentId }])
  const replied = await shop.post(`/social/comments/${commentId}/reply`, {
    text: 'We have sent you the details.',
  })
  expect(replied, replied.text).toMatchObject({ status: 200, body: { reply: { status: 'sent' } } })
  expect(await shop.post(`/social/comments/${commentId}/hide`, { hidden: true })).toMatchObject({
    status: 200,
  })
  await waitUntilQuiet()
  expect(await listNeedingReply()).toEqual([])
  expect((await shop.get('/social/comments?filter=hidden')).body.comments).toMatchObject([
    { id: commentId, hidden: true, replies: [{ text: 'We have sent you the details.', status: 'sent' }] },
  ])
  expect(await simulator.store.find(id)).toMatchObject({ value: { hidden: true } })
  expect(eventsOf('social.comment.received')).toHaveLength(1)
})
