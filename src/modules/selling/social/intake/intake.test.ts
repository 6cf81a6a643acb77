// The network's reports, from the signed bytes at the callback to the results in API and events.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import {
  fixture,
  type OutsideAccount,
  type PhotoNetwork,
  startPhotoNetwork,
} from '../../../../../test/support/photo-network.ts'
import { until } from '../../../../../test/support/until.ts'
import { DAY_MS, HOUR_MS, later, systemClock } from '../../../../core/clock.ts'
import { socialRetentionSource } from '../work/social-retention-source.ts'

const CUSTOMER = '1254459154682919'
const ACCOUNT = { networkId: '17841400000000000', username: 'our_shop' }
const PERMALINK = 'https://photos.example.com/p/Abc/'

let network: PhotoNetwork
let parley: TestParley
let shop: TestWorkspace
let account: OutsideAccount

beforeAll(async () => {
  network = await startPhotoNetwork()
  parley = await boot({ env: network.env })
})
afterAll(async () => {
  await parley?.close()
  await network?.close()
})

/** Each test has its own workspace, because the documented bodies name one account. */
beforeEach(async () => {
  if (shop)
    await parley.system((tx) =>
      tx.sql(`update social_accounts set state = 'disconnected', token_sealed = null`),
    )
  network.store.accounts.length = 0
  shop = await parley.workspace()
  account = await network.connect(parley, shop, ACCOUNT)
  const keep = (kind: string, id: string, value: Record<string, unknown>) =>
    network.store.keep(account.simulated, { kind, id, value, expiresAt: null })
  await keep('customer', CUSTOMER, { name: 'Asha R', username: 'asha_r' })
  await keep('media', '17911111111111111', { permalink: PERMALINK })
  await keep('media', '17933333333333333', { permalink: `${PERMALINK}live/` })
  const mention = {
    mention: true,
    username: 'asha_r',
    permalink: PERMALINK,
    timestamp: '2025-12-31T08:00:00+0000',
  }
  await keep('comment', '17900000000000007', {
    ...mention,
    text: '@our_shop hi',
    media_id: '17944444444444444',
  })
  await keep('comment', '17944444444444444', { ...mention, text: 'Thanks to @our_shop' })
})

const events = async (): Promise<Body[]> => {
  const { body } = await shop.get('/events?limit=100')
  return body.events
    .filter(({ event }: Body) => event.startsWith('social.'))
    .map(({ event, data }: Body) => ({ event, data }))
    .reverse()
}
const chats = async (): Promise<Body[]> => (await shop.get('/social/conversations')).body.conversations
const comments = async (): Promise<Body[]> => (await shop.get('/social/comments')).body.comments
/** Returns the messages of the only chat, oldest first. */
const messages = async (): Promise<Body[]> => {
  const [chat] = await chats()
  return (await shop.get(`/social/conversations/${chat.id}/messages`)).body.messages.reverse()
}

const received = (mid: string, type: string, content: object) => ({
  event: 'social.message.received',
  data: {
    messageId: expect.any(String),
    mid,
    conversationId: expect.any(String),
    contact: { id: expect.any(String), name: 'Asha R', username: 'asha_r' },
    type,
    content,
    receivedAt: '2025-12-31T08:08:19.873Z',
  },
})
const commented = (more: object) => ({
  event: 'social.comment.received',
  data: {
    commentId: expect.any(String),
    kind: 'comment',
    socialMediaId: '17911111111111111',
    username: 'asha_r',
    permalink: PERMALINK,
    commentedAt: '2025-12-31T08:08:20.000Z',
    ...more,
  },
})
const cdn = 'https://lookaside.fbsbx.com/'

describe('every documented report', () => {
  const FIRES: Record<string, object[]> = {
    webhook_dm_text: [received('aWdfZAG1faXRlbToxOk...', 'text', { text: 'Is this in stock?' })],
    webhook_dm_two_images: [
      received('mid-2', 'image', { url: `${cdn}ig_messaging_cdn/?asset_id=1&signature=x` }),
      received('mid-2', 'image', { url: `${cdn}ig_messaging_cdn/?asset_id=2&signature=y` }),
    ],
    webhook_dm_unsupported: [received('mid-4', 'unsupported', {})],
    webhook_dm_story_reply: [
      received('mid-5', 'text', { text: 'Love it', story: { id: '18000000000000000', url: `${cdn}...` } }),
    ],
    webhook_dm_inline_reply: [received('mid-6', 'text', { text: 'this one' })],
    webhook_dm_story_mention: [received('mid-7', 'story_mention', { url: `${cdn}...` })],
    webhook_dm_quick_reply: [
      received('mid-8', 'text', { text: 'Red', quickReply: { payload: 'COLOR_RED' } }),
    ],
    webhook_dm_ad_referral: [
      received('mid-9', 'text', {
        text: 'Hi',
        referral: {
          ref: 'REF',
          ad_id: '120200000',
          source: 'ADS',
          type: 'OPEN_THREAD',
          ads_context_data: { ad_title: 'Sale', photo_url: 'https://example.com/p.jpg' },
        },
      }),
    ],
    webhook_dm_postback: [received('mid-10', 'postback', { title: 'Talk to us', payload: 'TALK' })],
    webhook_comment_changes: [commented({ socialCommentId: '17900000000000001', text: 'Price?' })],
    webhook_comment_reply_changes: [
      commented({ socialCommentId: '17900000000000002', kind: 'reply', text: 'ok' }),
    ],
    webhook_comment_flat_variant: [commented({ socialCommentId: '17900000000000004', text: 'hi' })],
    webhook_comment_fb_login_variant: [commented({ socialCommentId: '17900000000000005', text: 'hi' })],
    webhook_live_comment: [
      commented({
        socialCommentId: '17900000000000006',
        socialMediaId: '17933333333333333',
        permalink: `${PERMALINK}live/`,
        text: 'hello',
      }),
    ],
    webhook_mention_in_comment: [
      commented({
        socialCommentId: '17900000000000007',
        kind: 'mention',
        socialMediaId: '17944444444444444',
        text: '@our_shop hi',
        commentedAt: '2025-12-31T08:00:00.000Z',
      }),
    ],
    webhook_mention_in_caption: [
      commented({
        socialCommentId: null,
        kind: 'mention',
        socialMediaId: '17944444444444444',
        text: 'Thanks to @our_shop',
        commentedAt: '2025-12-31T08:00:00.000Z',
      }),
    ],
    // The account's own messages, changes of earlier messages, and reports on which Parley does not act.
    webhook_dm_echo: [],
    webhook_dm_deleted: [],
    webhook_dm_edit: [],
    webhook_dm_reaction: [],
    webhook_dm_unreact: [],
    webhook_dm_seen: [],
    webhook_dm_referral_igme: [],
    webhook_comment_own: [],
    webhook_story_insights: [],
  }

  test.each(Object.entries(FIRES))('%s', async (name, fires) => {
    await account.report(fixture(name))
    expect(await events()).toEqual(fires)
    // The network repeats reports: nothing is announced or stored twice.
    const before = [await chats(), await comments()]
    await account.report(fixture(name), fixture(name))
    expect(await events()).toEqual(fires)
    expect([await chats(), await comments()]).toEqual(before)
    const failed = await parley.system((tx) => tx.sql('select last_error from social_updates'))
    expect(failed).toEqual([])
  })

  test('several photos arrive as one event each, with the text on the first and the same mid (spec 6.3)', async () => {
    const body = fixture('webhook_dm_two_images')
    body.entry[0].messaging[0].message.text = 'Which one?'
    await account.report(body)
    const messageEvents = await events()
    expect(messageEvents.map(({ data }) => [data.mid, data.content.text])).toEqual([
      ['mid-2', 'Which one?'],
      ['mid-2', undefined],
    ])
    expect(messageEvents[0].data.messageId).not.toBe(messageEvents[1].data.messageId)
    expect((await messages()).map(({ id }) => id)).toEqual(messageEvents.map(({ data }) => data.messageId))
  })
})

describe('changes of a message', () => {
  const message = { ...fixture('webhook_dm_text') }
  const sayMid1 = () => {
    const body = structuredClone(message)
    body.entry[0].messaging[0].message.mid = 'mid-1'
    return body
  }

  test('an edit shows the current and the first text, and emits no event again', async () => {
    await account.report(sayMid1(), fixture('webhook_dm_edit'))
    expect(await messages()).toMatchObject([
      {
        content: { text: 'Is this in stock now?' },
        originalContent: { text: 'Is this in stock?' },
        editedAt: expect.any(String),
      },
    ])
    expect(await events()).toHaveLength(1)
  })

  test('a deleted message keeps its place and no content', async () => {
    await account.report(sayMid1(), fixture('webhook_dm_deleted'))
    expect(await messages()).toMatchObject([
      { mid: 'mid-1', content: {}, originalContent: null, deletedAt: expect.any(String) },
    ])
  })

  test('search finds the new text of an edited message, and nothing of a deleted one', async () => {
    const find = async (q: string) => {
      parley.wake()
      return (await shop.get(`/search?q=${q}`)).body.results.map(({ snippet }: Body) => snippet)
    }
    await account.report(sayMid1())
    await until(async () => (await find('stock')).length === 1, 'the message is found')
    await account.report(fixture('webhook_dm_edit'))
    await until(async () => (await find('now'))[0] === 'Is this in stock now?', 'the new text is found')
    await account.report(fixture('webhook_dm_deleted'))
    expect(await find('stock')).toEqual([])
  })

  test.each([
    ['after', ['message', 'edit', 'deleted']],
    ['before', ['deleted', 'edit', 'message']],
    ['around', ['edit', 'message', 'deleted']],
  ])('in any order of arrival, the result is the same: changes %s', async (_, order) => {
    const bodies: Record<string, unknown> = {
      message: sayMid1(),
      edit: fixture('webhook_dm_edit'),
      deleted: fixture('webhook_dm_deleted'),
    }
    for (const name of order) await account.report(bodies[name])
    expect(await messages()).toMatchObject([{ content: {}, originalContent: null }])
    expect(await events()).toMatchObject([{ data: { content: { text: 'Is this in stock?' } } }])
  })

  test('a reaction appears on our message and can be removed; the seen mark appears too', async () => {
    await account.report(fixture('webhook_dm_echo'), fixture('webhook_dm_reaction'))
    expect(await messages()).toMatchObject([
      { direction: 'outbound', status: 'sent', content: { text: 'Yes' }, reaction: '❤️' },
    ])
    await account.report(fixture('webhook_dm_unreact'), fixture('webhook_dm_seen'))
    expect(await messages()).toMatchObject([
      { reaction: null, status: 'read', readAt: '2025-12-31T08:08:19.873Z' },
    ])
  })

  test('a seen mark before the report of the send counts too', async () => {
    await account.report(fixture('webhook_dm_seen'), fixture('webhook_dm_echo'))
    expect(await messages()).toMatchObject([{ status: 'read' }])
  })
})

describe('the account’s own messages (spec 6.3: own replies never fire)', () => {
  test('a message typed in the network’s app appears in the chat', async () => {
    await account.report(fixture('webhook_dm_echo'))
    expect(await messages()).toMatchObject([
      { direction: 'outbound', type: 'text', content: { text: 'Yes' }, status: 'sent', mid: 'mid-3' },
    ])
    expect(await chats()).toMatchObject([{ windowOpen: false, windowExpiresAt: null }])
  })

  describe('a reply reported before its comment waits for it: reports arrive in any order', () => {
    const reply = (id: string, text: string, parentId = '17900000000000001') => {
      const body = fixture('webhook_comment_own')
      Object.assign(body.entry[0].changes[0].value, { id, text, parent_id: parentId })
      return body
    }
    const waiting = () =>
      parley.system((tx) =>
        tx.sql('select text from social_waiting_replies where workspace_id = $1', [shop.workspaceId]),
      )

    test('and appears under it once, which then needs no reply', async () => {
      await account.report(reply('179', 'DM sent'), reply('179', 'DM sent'), reply('178', 'And again'))
      expect(await comments()).toEqual([])
      await account.report(reply('177', 'Elsewhere', '17900000000000099'))
      await account.report(fixture('webhook_comment_changes'), reply('179', 'DM sent'))
      expect(await comments()).toMatchObject([{ text: 'Price?', needsReply: false }])
      const [{ replies }] = await comments()
      expect(replies.map(({ text, status }: Body) => [text, status]).sort()).toEqual([
        ['And again', 'sent'],
        ['DM sent', 'sent'],
      ])
      expect(await waiting()).toEqual([{ text: 'Elsewhere' }])
      expect((await events()).map(({ event }) => event)).toEqual(['social.comment.received'])
    })

    test('also when both arrive in one report', async () => {
      const body = reply('179', 'DM sent')
      body.entry[0].changes.push(fixture('webhook_comment_changes').entry[0].changes[0])
      await account.report(body)
      expect(await comments()).toMatchObject([{ needsReply: false, replies: [{ text: 'DM sent' }] }])
      expect(await waiting()).toEqual([])
    })

    test('and is deleted after a week if the comment has not arrived', async () => {
      await account.report(reply('179', 'DM sent'))
      const inAWeek = later(systemClock.now(), 7 * DAY_MS)
      for (const [now, left] of [
        [later(inAWeek, -HOUR_MS), 1],
        [inAWeek, 0],
      ] as const) {
        await parley.system(({ sql: query }) =>
          socialRetentionSource({
            database: { query },
            clock: { ...systemClock, now: () => now },
            operatorDays: 7,
          }).runDue({}),
        )
        expect(await waiting()).toHaveLength(left)
      }
    })
  })

  test('a reply typed there appears under its comment, which then needs none', async () => {
    await account.report(fixture('webhook_comment_changes'), fixture('webhook_comment_own'))
    expect(await comments()).toMatchObject([
      { text: 'Price?', needsReply: false, replies: [{ text: 'DM sent', status: 'sent' }] },
    ])
  })
})

describe('comments', () => {
  test('a comment that names the account under another account’s post is a mention', async () => {
    const body = fixture('webhook_comment_changes')
    const { value } = body.entry[0].changes[0]
    value.text = 'Look, @Our_Shop!'
    value.media.id = '17955555555555555'
    await account.report(body)
    expect(await comments()).toMatchObject([{ kind: 'mention', permalink: null }])
    value.id = '17900000000000008'
    value.media.id = '17911111111111111'
    await account.report(body)
    expect((await comments())[0]).toMatchObject({ kind: 'comment', permalink: PERMALINK })
  })

  test('the address of a post is looked up once', async () => {
    await account.report(fixture('webhook_comment_changes'), fixture('webhook_comment_reply_changes'))
    const requestCount = network.calls.recorded.filter(({ path }) =>
      path.endsWith('/17911111111111111'),
    ).length
    await account.report(fixture('webhook_comment_flat_variant'))
    const after = network.calls.recorded.filter(({ path }) => path.endsWith('/17911111111111111')).length
    expect(after).toBe(requestCount)
  })
})

describe('bodies that differ from the documentation', () => {
  test('unknown fields and kinds are ignored', async () => {
    const body = fixture('webhook_dm_text')
    body.entry[0].messaging[0].message.is_from_the_future = { deep: [1, 2, 3] }
    body.entry[0].messaging.push({ sender: { id: CUSTOMER }, novelty: {} })
    body.entry[0].changes = [{ field: 'novelties', value: 7 }]
    await account.report(body)
    expect(await events()).toHaveLength(1)
  })

  test.each([
    ['a list of changes', (message: object) => ({ changes: [{ field: 'messages', value: message }] })],
    ['the entry itself', (message: object) => ({ field: 'messages', value: message })],
    ['the chats that another app answers', (message: object) => ({ standby: [message] })],
  ])('a message in %s is a message', async (_, place) => {
    const { id, time, messaging } = fixture('webhook_dm_text').entry[0]
    await account.report({ object: 'instagram', entry: [{ id, time, ...place(messaging[0]) }] })
    expect(await events()).toMatchObject([{ data: { content: { text: 'Is this in stock?' } } }])
    expect(await chats()).toMatchObject([{ contact: { e164: `sx:${CUSTOMER}` } }])
  })

  test('ids may be numbers of any length, and the text may be a number', async () => {
    const asNumbers = (name: string) =>
      JSON.stringify(fixture(name)).replaceAll(/"(id|timestamp)":"(\d+)"/g, '"$1":$2')
    const message = asNumbers('webhook_dm_text').replace('"Is this in stock?"', '42')
    const comment = asNumbers('webhook_comment_changes').replace('"Price?"', '500')
    await account.report(message, comment)
    expect(await events()).toMatchObject([
      { data: { content: { text: '42' } } },
      { data: { socialCommentId: '17900000000000001', text: '500' } },
    ])
    expect(await chats()).toMatchObject([{ contact: { e164: `sx:${CUSTOMER}` } }])
  })

  test('a message may be nested to any depth', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const body = JSON.stringify(fixture('webhook_dm_text')).replace('"text":', `"novelty":${deep},"text":`)
    await account.report(body)
    expect(await events()).toMatchObject([{ data: { content: { text: 'Is this in stock?' } } }])
  })

  test('the account’s own message is in its customer’s chat, with any id that the network uses for the account', async () => {
    const body = fixture('webhook_dm_echo')
    body.entry[0].messaging[0].sender.id = '24601'
    await account.report(body)
    expect(await chats()).toMatchObject([{ contact: { e164: `sx:${CUSTOMER}` } }])
    expect(await messages()).toMatchObject([{ direction: 'outbound', content: { text: 'Yes' } }])
  })

  test('a body with more items than the network sends in one body is set aside, and later bodies are applied', async () => {
    const messaging = Array.from({ length: 10_001 }, () => ({}))
    await account.report({ entry: [{ id: ACCOUNT.networkId, messaging }] }, fixture('webhook_dm_text'))
    expect(await events()).toHaveLength(1)
    const failed = await parley.system((tx) =>
      tx.sql<{ lastError: string }>('select last_error from social_updates where workspace_id = $1', [
        shop.workspaceId,
      ]),
    )
    expect(failed).toEqual([{ lastError: expect.stringContaining('more items than the network sends') }])
    await parley.system((tx) => tx.sql('delete from social_updates'))
  })

  test('reports of another account of the same app are dropped', async () => {
    const body = fixture('webhook_dm_text')
    body.entry[0].id = '17841400000000009'
    await account.report(body)
    expect(await events()).toEqual([])
  })

  test('data that PostgreSQL refuses blocks nothing', async () => {
    const body = fixture('webhook_dm_text')
    body.entry[0].messaging[0].message.text = 'nul \0 and half \ud800'
    await account.report(body)
    expect(await messages()).toMatchObject([{ content: { text: 'nul  and half \ufffd' } }])
  })
})

describe('the network is unavailable during a look-up', () => {
  afterEach(() => network.calls.between())

  test('a report is answered before any look-up, and a customer’s message waits a few seconds at most', async () => {
    const requested = Promise.withResolvers<void>()
    network.calls.between(() => {
      requested.resolve()
      return new Promise(() => {})
    })
    expect(await account.post(fixture('webhook_dm_text'))).toMatchObject({ status: 200, body: { ok: true } })
    await requested.promise
    expect(await events()).toEqual([])
    await account.applied()
    expect(await events()).toMatchObject([{ data: { contact: { name: null, username: null } } }])
  })

  test('customers’ messages do not wait for the text of a mention: their look-ups run once, together with it', async () => {
    const from = (id: string) => {
      const body = structuredClone(fixture('webhook_dm_text'))
      const [messaging] = body.entry[0].messaging
      Object.assign(messaging, { sender: { id }, message: { mid: `mid of ${id}`, text: 'Hi' } })
      return body
    }
    const [first, ...others] = ['71', '72', '73'] as const
    const held = Promise.withResolvers<void>()
    const requested = Promise.withResolvers<void>()
    network.calls.between(async ({ path, query }, forward) => {
      if (query.fields?.startsWith('mentioned')) throw new Error('broken')
      requested.resolve()
      if (path.endsWith(`/${first}`)) await held.promise
      return forward()
    })
    const before = network.calls.recorded.length
    await account.post(from(first))
    await requested.promise
    // They arrive during the first look-up, and so are processed together.
    for (const body of [fixture('webhook_mention_in_comment'), ...others.map(from)]) await account.post(body)
    held.resolve()
    await until(async () => (await events()).length === 3, 'the messages are reported')
    const calls = network.calls.recorded.slice(before).map(({ path }) => path.split('/').at(-1))
    expect(others.map((id) => calls.filter((requestedId) => requestedId === id).length)).toEqual([1, 1])
  })

  test('not even if they arrive in one body with it', async () => {
    network.calls.between(({ query }, forward) =>
      query.fields?.startsWith('mentioned') ? Promise.reject(new Error('broken')) : forward(),
    )
    const [message, mention] = ['webhook_dm_text', 'webhook_mention_in_comment'].map(
      (name) => fixture(name).entry[0],
    )
    const { changes } = fixture('webhook_comment_changes').entry[0]
    await account.post({ entry: [{ ...message, changes }, mention] })
    await until(async () => (await events()).length === 2, 'the messages are reported')
    network.calls.between()
    await account.applied()
    expect((await events()).map(({ data }) => data.text ?? data.content.text)).toEqual([
      'Is this in stock?',
      'Price?',
      '@our_shop hi',
    ])
  })

  test('the text of a mention is requested again', async () => {
    let requestCount = 0
    network.calls.between((_, forward) =>
      requestCount++ === 0 ? Promise.reject(new Error('broken')) : forward(),
    )
    await account.report(fixture('webhook_mention_in_comment'))
    expect(requestCount).toBeGreaterThan(1)
    expect(await events()).toMatchObject([{ data: { text: '@our_shop hi' } }])
  })
  test('a customer’s message is reported without their name; the next one has it', async () => {
    network.store.armFault('token-expired', 1)
    await account.report(fixture('webhook_dm_text'))
    expect(await events()).toMatchObject([{ data: { contact: { name: null, username: null } } }])
  })

  test('an account whose token has expired still receives reports', async () => {
    await parley.system((tx) =>
      tx.sql(`update social_accounts set state = 'reconnect_required' where token_sealed is not null`),
    )
    await account.report(fixture('webhook_dm_text'), fixture('webhook_mention_in_comment'))
    expect(await events()).toMatchObject([
      { event: 'social.message.received' },
      { event: 'social.comment.received', data: { kind: 'mention', text: null } },
    ])
  })
})
