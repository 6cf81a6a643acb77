import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley } from '../../../../../test/support/boot.ts'
import {
  answerPosts,
  bodyOf,
  type PhotoNetwork,
  startPhotoNetwork,
} from '../../../../../test/support/photo-network.ts'
import {
  armSocialFault,
  atNetwork,
  customerComments,
  openSocialShop,
  type SocialShop,
} from '../../../../../test/support/social-shop.ts'
import { until } from '../../../../../test/support/until.ts'
import { comment } from '../../../../social-network/simulator/customers.ts'

let parley: TestParley
let shop: SocialShop
let network: PhotoNetwork

beforeAll(async () => {
  network = await startPhotoNetwork()
  parley = await boot({ env: network.env })
  shop = await openSocialShop(parley)
})
afterAll(async () => {
  await parley?.close()
  await network?.close()
})
afterEach(() => network.calls.between())

const addComment = (more: object = {}) =>
  customerComments(parley, shop, { from: 'asha_r', text: 'Price?', ...more })
const list = async (query = ''): Promise<Body[]> =>
  (await shop.get(`/social/comments?limit=100${query}`)).body.comments
const find = async (id: string): Promise<Body> => (await list()).find((comment) => comment.id === id)
const ids = async (filter: string): Promise<string[]> => (await list(`&filter=${filter}`)).map(({ id }) => id)
const reply = (id: string, text = 'Thanks!', options: object = {}) =>
  shop.post(`/social/comments/${id}/reply`, { text }, options)
const hide = (id: string, hidden = true) => shop.post(`/social/comments/${id}/hide`, { hidden })
/**
 * Creates a shop with an account at the simulated network, and a comment under its post, or a mention
 * elsewhere.
 */
async function remarkOutside(more: object = {}) {
  const outside = await parley.workspace()
  const { simulated, report } = await network.connect(parley, outside)
  await comment(network.store, simulated, { from: 'asha_r', text: 'Price?', ...more })
  await report(bodyOf(simulated, network.events.at(-1)!.event))
  const [{ id, socialCommentId }] = (await outside.get('/social/comments')).body.comments
  return { outside, id, socialCommentId, networkId: simulated.networkId }
}
/** Returns the network's data of a comment. */
const atSimulator = (networkId: string) =>
  atNetwork(parley, shop, async (store) => (await store.find(networkId))?.value)
const replies = async (networkId: string): Promise<unknown[]> =>
  atNetwork(parley, shop, async (store, account) =>
    (await store.list(account, 'comment'))
      .filter(({ value }) => value.parent_id === networkId)
      .map(({ value }) => value.text),
  )

describe('GET /social/comments (spec 4.6)', () => {
  test('comments, replies in threads and mentions', async () => {
    const top = await addComment()
    const answer = await addComment({ from: 'ben', text: 'I ask too', replyTo: top.networkId })
    const mention = await addComment({ text: `@${shop.account.profile.username} hi`, mention: true })
    const [first, second, third] = await list()
    expect(first).toMatchObject({
      id: mention.commentId,
      kind: 'mention',
      socialCommentId: mention.networkId,
      text: expect.stringContaining('hi'),
      username: 'asha_r',
      permalink: expect.stringMatching(/^https:/),
    })
    expect(second).toMatchObject({
      id: answer.commentId,
      kind: 'reply',
      parentSocialCommentId: top.networkId,
    })
    expect(third).toMatchObject({
      id: top.commentId,
      kind: 'comment',
      hidden: false,
      needsReply: true,
      replies: [],
      permalink: expect.stringMatching(/^https:/),
      commentedAt: expect.any(String),
    })
  })

  test('filter: needs_reply, all, mentions, hidden', async () => {
    const [answeredComment, hidden, waiting] = [await addComment(), await addComment(), await addComment()]
    const mention = await addComment({ mention: true })
    await reply(answeredComment.commentId)
    await hide(hidden.commentId)
    const needing = await ids('needs_reply')
    expect(needing).toEqual(expect.arrayContaining([waiting.commentId, mention.commentId]))
    expect(needing).not.toContain(answeredComment.commentId)
    expect(needing).not.toContain(hidden.commentId)
    expect(await ids('mentions')).toContain(mention.commentId)
    expect(await ids('mentions')).not.toContain(waiting.commentId)
    expect(await ids('hidden')).toEqual([hidden.commentId])
    expect(await ids('all')).toEqual((await list()).map(({ id }) => id))
    expect(await shop.get('/social/comments?filter=unread')).toMatchObject({ status: 400 })
  })

  test('cursor-paginated, newest first', async () => {
    const comments = [await addComment(), await addComment(), await addComment()]
    const first = (await shop.get('/social/comments?limit=2&filter=needs_reply')).body
    const path = `/social/comments?limit=1&filter=needs_reply&cursor=${first.nextCursor}`
    const second = (await shop.get(path)).body
    expect([...first.comments, ...second.comments].map(({ id }: Body) => id)).toEqual(
      comments.map(({ commentId }) => commentId).reverse(),
    )
  })
})

describe('POST /social/comments/{id}/reply (spec 4.6)', () => {
  test('a public reply', async () => {
    const { commentId, networkId } = await addComment()
    const { status, body } = await reply(commentId, 'It is 40.')
    expect(status).toBe(200)
    expect(body).toEqual({
      ok: true,
      reply: {
        id: expect.any(String),
        text: 'It is 40.',
        status: 'sent',
        socialCommentId: expect.any(String),
        createdAt: expect.any(String),
        sentAt: expect.any(String),
      },
    })
    expect(await replies(networkId)).toEqual(['It is 40.'])
    // The network reports it too, but it is stored once, and not as a customer's comment.
    await waitUntilSettled()
    expect(await find(commentId)).toMatchObject({ needsReply: false, replies: [body.reply] })
    expect(await list()).not.toContainEqual(expect.objectContaining({ text: 'It is 40.' }))
  })

  test("a mention is answered under another account's post", async () => {
    const { commentId } = await addComment({ mention: true })
    expect(await reply(commentId)).toMatchObject({ status: 200, body: { reply: { status: 'sent' } } })
    expect(await find(commentId)).toMatchObject({ needsReply: false })
  })

  test('a reply to a reply is in the thread', async () => {
    const top = await addComment()
    const { commentId } = await addComment({ from: 'ben', text: 'And for two?', replyTo: top.networkId })
    await reply(commentId, 'It is 75.')
    expect(await replies(top.networkId)).toEqual(['And for two?', 'It is 75.'])
    await waitUntilSettled()
    expect(await find(commentId)).toMatchObject({ needsReply: false, replies: [{ text: 'It is 75.' }] })
  })

  test.each([[{}], [{ text: ' ' }], [{ text: 'x'.repeat(2_201) }], [{ text: 7 }], [{ text: 'Hi', more: 1 }]])(
    '%j is 400',
    async (body) => {
      const { commentId } = await addComment()
      const answer = await shop.post(`/social/comments/${commentId}/reply`, body)
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid' } })
    },
  )

  test.each(['7', randomUUID()])('%s is not a comment: 404', async (id) =>
    expect(await reply(id)).toMatchObject({ status: 404, body: { error: 'not_found' } }),
  )

  test("the network's refusal is returned in its own words, and nothing is stored", async () => {
    const { commentId } = await addComment()
    await armSocialFault(parley, shop, 'refuse')
    expect(await reply(commentId)).toMatchObject({ status: 400, body: { error: 'meta_error', code: 368 } })
    expect(await find(commentId)).toMatchObject({ needsReply: true, replies: [] })
  })

  test('no answer: 502 reply_unconfirmed; a retry with the same key sends no reply; a report settles it', async () => {
    const { commentId, networkId } = await addComment()
    const idempotencyKey = randomUUID()
    await armSocialFault(parley, shop, 'no-answer')
    const first = await reply(commentId, 'Thanks!', { idempotencyKey })
    expect(first).toMatchObject({ status: 502, body: { error: 'reply_unconfirmed' } })
    const repeated = await reply(commentId, 'Thanks!', { idempotencyKey })
    expect(repeated).toMatchObject({ status: 502, body: first.body })
    await until(
      async () => (await find(commentId)).replies[0]?.status === 'sent',
      'the report has settled it',
    )
    expect(await replies(networkId)).toEqual(['Thanks!'])
    expect(await find(commentId)).toMatchObject({
      needsReply: false,
      replies: [{ socialCommentId: expect.any(String) }],
    })
  })

  test.each([
    ['a comment', {}, '/replies'],
    ['a mention', { mention: true }, '/mentions'],
  ])(
    '%s: 5xx with an error of the network is not a final answer, and the same key sends no reply',
    async (_, more, edge) => {
      const { outside, id } = await remarkOutside(more)
      const path = `/social/comments/${id}/reply`
      const idempotencyKey = randomUUID()
      const send = () => outside.post(path, { text: 'Thanks!' }, { idempotencyKey })
      const before = network.calls.recorded.length
      network.calls.between(answerPosts(500, { error: { code: 2, is_transient: true } }))
      const first = await send()
      expect(first).toMatchObject({ status: 502, body: { error: 'reply_unconfirmed' } })
      network.calls.between()
      expect(await send()).toMatchObject({ status: 502, body: first.body })
      expect(network.calls.recorded.slice(before).filter((call) => call.path.endsWith(edge))).toHaveLength(1)
      network.calls.between(answerPosts(500, { error: { code: 190 } }))
      expect(await outside.post(path, { text: 'Thanks!' })).toMatchObject({
        status: 409,
        body: { error: 'reconnect_required' },
      })
    },
  )

  test('an expired token: 409 reconnect_required', async () => {
    const other = await openSocialShop(parley)
    const { commentId } = await customerComments(parley, other, { from: 'asha_r', text: 'Hi' })
    await armSocialFault(parley, other, 'token-expired')
    const idempotencyKey = randomUUID()
    const send = () => other.post(`/social/comments/${commentId}/reply`, { text: 'Hi' }, { idempotencyKey })
    expect(await send()).toMatchObject({ status: 409, body: { error: 'reconnect_required' } })
    expect(await other.post(`/social/comments/${commentId}/hide`, { hidden: true })).toMatchObject({
      status: 409,
    })
    // No reply was sent, so the same key sends it once the account is connected again.
    await other.reconnect()
    expect(await send()).toMatchObject({ status: 200 })
    const { comments } = (await other.get('/social/comments')).body
    expect(comments).toMatchObject([{ id: commentId, replies: [{ text: 'Hi' }] }])
  })
})

describe('POST /social/comments/{id}/hide (spec 3, 4.6)', () => {
  test('hides from everyone but its author, or shows again: reversible', async () => {
    const { commentId, networkId } = await addComment()
    expect(await hide(commentId)).toMatchObject({
      status: 200,
      body: { comment: { id: commentId, hidden: true } },
    })
    expect(await atSimulator(networkId)).toMatchObject({ hidden: true })
    expect(await hide(commentId, false)).toMatchObject({ status: 200, body: { comment: { hidden: false } } })
    expect(await atSimulator(networkId)).toMatchObject({ hidden: false })
    expect(await find(commentId)).toMatchObject({ hidden: false, needsReply: true })
  })

  test('without an answer of the network nothing is recorded, and the caller may try again', async () => {
    const { commentId } = await addComment()
    const idempotencyKey = randomUUID()
    await armSocialFault(parley, shop, 'no-answer')
    const path = `/social/comments/${commentId}/hide`
    const first = await shop.post(path, { hidden: true }, { idempotencyKey })
    expect(first).toMatchObject({
      status: 429,
      body: { error: 'meta_error' },
      headers: { 'retry-after': '5' },
    })
    expect(await find(commentId)).toMatchObject({ hidden: false })
    expect(await shop.post(path, { hidden: true }, { idempotencyKey })).toMatchObject({ status: 200 })
  })

  test.each([{ success: false }, {}, { success: 'yes' }])(
    '%j is not a final answer either',
    async (reply) => {
      const { outside, id } = await remarkOutside()
      const hide = () => outside.post(`/social/comments/${id}/hide`, { hidden: true })
      network.calls.between(answerPosts(200, reply))
      expect(await hide()).toMatchObject({ status: 429, body: { error: 'meta_error' } })
      expect((await outside.get('/social/comments')).body.comments).toMatchObject([{ id, hidden: false }])
      network.calls.between(answerPosts(200, { success: true }))
      expect(await hide()).toMatchObject({ status: 200, body: { comment: { id, hidden: true } } })
    },
  )

  test('hidden and shown in parallel, it has the same state here as at the network', async () => {
    const { outside, id, socialCommentId } = await remarkOutside()
    const set = (hidden: boolean) => outside.post(`/social/comments/${id}/hide`, { hidden })
    const [requested, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // The network has hidden it, and delays its answer.
    network.calls.between(async (_, forward) => {
      network.calls.between()
      const answer = await forward()
      requested.resolve()
      await released.promise
      return answer
    })
    const hiding = set(true)
    await requested.promise
    const showing = set(false)
    const another = await addComment()
    await hide(another.commentId)
    released.resolve()
    expect([(await hiding).status, (await showing).status]).toEqual([200, 200])
    const [{ hidden }] = (await outside.get('/social/comments')).body.comments
    const atNetwork = (await network.store.find(socialCommentId))?.value
    expect([hidden, atNetwork?.hidden]).toEqual([false, false])
  })

  test('a comment on a live video cannot be hidden: the network refuses it', async () => {
    const { commentId } = await addComment({ live: true })
    expect(await hide(commentId)).toMatchObject({ status: 400, body: { error: 'meta_error', code: 100 } })
  })

  test.each([[{}], [{ hidden: 'yes' }]])('%j is 400', async (body) => {
    const { commentId } = await addComment()
    expect(await shop.post(`/social/comments/${commentId}/hide`, body)).toMatchObject({ status: 400 })
  })
})

describe('rights', () => {
  test('any key may read, agents may reply and hide', async () => {
    const { commentId } = await addComment()
    const [viewer, agent] = [await shop.as('viewer'), await shop.as('agent')]
    expect(await viewer.get('/social/comments')).toMatchObject({ status: 200 })
    for (const [verb, body] of [
      ['reply', { text: 'Hi' }],
      ['hide', { hidden: true }],
    ] as const) {
      const path = `/social/comments/${commentId}/${verb}`
      expect(await viewer.post(path, body)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
      expect(await agent.post(path, body)).toMatchObject({ status: 200 })
    }
  })
})

const waitUntilSettled = (): Promise<unknown> =>
  until(async () => {
    const [row] = await parley.system((tx) =>
      tx.sql<{ waiting: number }>('select count(*)::int as waiting from social_updates'),
    )
    return row?.waiting === 0
  }, 'the reports were applied')
