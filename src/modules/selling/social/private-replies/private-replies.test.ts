/** Private replies to comments (src/modules/selling/social/DECISIONS.md "Private replies"). */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley } from '../../../../../test/support/boot.ts'
import { movingClock } from '../../../../../test/support/moving-clock.ts'
import { bodyOf, type PhotoNetwork, startPhotoNetwork } from '../../../../../test/support/photo-network.ts'
import {
  armSocialFault,
  atNetwork,
  customerComments,
  customerWrites,
  openSocialShop,
  type SocialShop,
} from '../../../../../test/support/social-shop.ts'
import { until } from '../../../../../test/support/until.ts'
import { DAY_MS } from '../../../../core/clock.ts'
import { comment } from '../../../../social-network/simulator/customers.ts'

const clock = movingClock()
let parley: TestParley
let shop: SocialShop
let network: PhotoNetwork

beforeAll(async () => {
  network = await startPhotoNetwork()
  parley = await boot({ env: network.env, clock })
  shop = await openSocialShop(parley, clock)
})
afterAll(async () => {
  await parley?.close()
  await network?.close()
})
afterEach(() => network.calls.between())

const newName = (): string => `asha_${randomUUID().slice(0, 8)}`
const comments = (more: object = {}) =>
  customerComments(parley, shop, { from: newName(), text: 'Price?', ...more })
const reply = (id: string, text = 'It is 450.', options: object = {}) =>
  shop.post(`/social/comments/${id}/private-reply`, { text }, options)
const find = async (id: string, client: Pick<SocialShop, 'get'> = shop): Promise<Body> =>
  (await client.get('/social/comments?limit=100')).body.comments.find((row: Body) => row.id === id)
const messagesOf = async (conversationId: string, client: Pick<SocialShop, 'get'> = shop): Promise<Body[]> =>
  (await client.get(`/social/conversations/${conversationId}/messages`)).body.messages

describe('POST /social/comments/{id}/private-reply', () => {
  test('sends a direct message to the author, whose chat is then in the inbox', async () => {
    const from = newName()
    const { commentId } = await comments({ from })
    expect(await find(commentId)).toMatchObject({ privateReply: null, needsReply: true })
    const sent = await reply(commentId)
    expect(sent).toMatchObject({ status: 200, body: { ok: true, mid: expect.any(String) } })
    const { conversationId, messageId } = sent.body
    expect(await messagesOf(conversationId)).toMatchObject([
      { id: messageId, direction: 'outbound', content: { text: 'It is 450.' }, source: { kind: 'api_key' } },
    ])
    expect(await find(commentId)).toMatchObject({
      needsReply: false,
      privateReply: { text: 'It is 450.', status: 'sent', messageId, conversationId },
    })
    const { conversation } = (await shop.get(`/conversations/${conversationId}`)).body
    expect(conversation.contact).toMatchObject({ username: from })
    expect(conversation).toMatchObject({ channel: 'social', windowOpen: false, waitingSince: null })
    // Another message needs an answer of the author.
    expect((await shop.post('/social/send', { conversationId, text: 'And?' })).body.error).toBe(
      'outside_24h_window',
    )
    await customerWrites(parley, shop, { from, text: 'One, please.' })
    expect((await shop.post('/social/send', { conversationId, text: 'Here you are.' })).status).toBe(200)
    expect(await messagesOf(conversationId)).toHaveLength(3)
  })

  test('continues a chat that the author began', async () => {
    const from = newName()
    const { conversationId } = await customerWrites(parley, shop, { from, text: 'Hello' })
    const { commentId } = await comments({ from })
    expect((await reply(commentId)).body.conversationId).toBe(conversationId)
  })

  test('once for each comment: a second one gets an error, and a retry with the same key gets the first answer', async () => {
    const { commentId } = await comments()
    const headers = { 'idempotency-key': randomUUID() }
    const first = await reply(commentId, 'It is 450.', { headers })
    expect((await reply(commentId, 'It is 450.', { headers })).body).toEqual(first.body)
    expect(await reply(commentId, 'Or 400?')).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect(await messagesOf(first.body.conversationId)).toHaveLength(1)
  })

  test('two requests at the same moment send one message', async () => {
    const { commentId } = await comments()
    const answers = await Promise.all([reply(commentId, 'One'), reply(commentId, 'Two')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const sent = answers.find(({ status }) => status === 200)!
    expect(await messagesOf(sent.body.conversationId)).toHaveLength(1)
  })

  test('within seven days of the comment', async () => {
    const { commentId } = await comments()
    clock.aheadMs += 7 * DAY_MS
    expect(await reply(commentId)).toMatchObject({
      status: 409,
      body: { error: 'conflict', message: expect.stringContaining('seven days') },
    })
    clock.aheadMs -= 7 * DAY_MS
  })

  test('not to a mention under a post of another account', async () => {
    const { commentId } = await comments({ text: `@${shop.account.profile.username} hi`, mention: true })
    expect(await reply(commentId)).toMatchObject({ status: 409, body: { error: 'conflict' } })
  })

  test('a deleted comment: the network refuses, and nothing is stored', async () => {
    const { commentId, networkId } = await comments()
    await atNetwork(parley, shop, (store, account) => store.drop(account, 'comment', networkId))
    expect(await reply(commentId)).toMatchObject({ status: 400, body: { error: 'meta_error' } })
    expect(await find(commentId)).toMatchObject({ privateReply: null, needsReply: true })
    expect((await shop.get('/contacts?channel=social&search=Price')).body.contacts).toEqual([])
  })

  test('an author who opted out gets no message', async () => {
    const from = newName()
    const { conversationId } = await customerWrites(parley, shop, { from, text: 'Hello' })
    const { contact } = (await shop.get(`/conversations/${conversationId}`)).body.conversation
    await shop.patch(`/contacts/${contact.id}`, { optInStatus: 'opted_out' })
    const { commentId } = await comments({ from })
    expect(await reply(commentId)).toMatchObject({ status: 409, body: { error: 'contact_opted_out' } })
  })

  test('at most 1,000 bytes of UTF-8', async () => {
    const { commentId } = await comments()
    expect((await reply(commentId, 'é'.repeat(501))).status).toBe(400)
    expect((await reply(commentId, ' ')).status).toBe(400)
  })

  test('agents with social:write; viewers and other keys may not', async () => {
    const { commentId } = await comments()
    const path = `/social/comments/${commentId}/private-reply`
    expect((await (await shop.as('viewer')).post(path, { text: 'Hi' })).status).toBe(403)
    expect((await (await shop.as('agent')).post(path, { text: 'Hi' })).status).toBe(200)
    expect((await shop.post(`/social/comments/${randomUUID()}/private-reply`, { text: 'Hi' })).status).toBe(
      404,
    )
  })
})

describe('no answer from the network: 502 reply_unconfirmed', () => {
  test('it may have been sent; a retry gets this answer, and a report of the network settles it', async () => {
    const outside = await parley.workspace()
    const { simulated, report } = await network.connect(parley, outside)
    await comment(network.store, simulated, { from: 'asha_r', text: 'Price?' })
    await report(bodyOf(simulated, network.events.at(-1)!.event))
    const [{ id }] = (await outside.get('/social/comments')).body.comments
    // The network sends the message, and its answer is lost.
    network.calls.between(async (_, forward) => {
      await forward()
      return { status: 502, type: 'application/json', bytes: Buffer.from('{}') }
    })
    const options = { headers: { 'idempotency-key': randomUUID() } }
    const path = `/social/comments/${id}/private-reply`
    const sent = await outside.post(path, { text: 'It is 450.' }, options)
    expect(sent).toMatchObject({ status: 502, body: { error: 'reply_unconfirmed' } })
    expect((await outside.post(path, { text: 'It is 450.' }, options)).body).toEqual(sent.body)
    expect((await outside.post(path, { text: 'It is 450.' })).status).toBe(409)
    expect((await find(id, outside)).privateReply).toMatchObject({
      status: 'unconfirmed',
      conversationId: null,
    })
    network.calls.between()
    await report(bodyOf(simulated, network.events.at(-1)!.event))
    const settled = await until(async () => {
      const { privateReply } = await find(id, outside)
      return privateReply.status === 'sent' && privateReply
    }, 'the report')
    expect(await messagesOf(settled.conversationId, outside)).toMatchObject([
      { id: settled.messageId, content: { text: 'It is 450.' }, source: { kind: 'api_key' } },
    ])
  })

  test('an expired token asks to connect the account again, and nothing is stored', async () => {
    const { commentId } = await comments()
    await armSocialFault(parley, shop, 'token-expired')
    expect((await reply(commentId)).body.error).toBe('reconnect_required')
    await shop.reconnect()
    expect((await reply(commentId)).status).toBe(200)
  })
})
