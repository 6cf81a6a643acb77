// Tests how each documented webhook is read. The files are in test/fixtures/photo-network/.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SocialReport } from '../port.ts'
import { countReported, readWebhook } from './reports.ts'

const FOLDER = join(import.meta.dirname, '../../../test/fixtures/photo-network')
const ACCOUNT = { networkId: '17841400000000000', scopedId: null, username: 'our_shop' }
const RECEIVED = new Date('2026-01-01T00:00:00.000Z')

const CUSTOMER = '1254459154682919'
/** 1767168499873 ms and 1767168500 s. */
const WROTE = new Date('2025-12-31T08:08:19.873Z')
const ENTRY = new Date('2025-12-31T08:08:20.000Z')

const message = (mid: string, items: object[], more: object = {}) => ({
  kind: 'message',
  customerId: CUSTOMER,
  mid,
  items,
  replyTo: null,
  at: WROTE,
  ...more,
})
const text = (words: string, more: object = {}) => ({ type: 'text', content: { text: words, ...more } })
const commented = (more: object) => ({
  kind: 'comment',
  mediaId: '17911111111111111',
  parentId: null,
  mention: false,
  own: false,
  live: false,
  authorId: CUSTOMER,
  username: 'asha_r',
  at: ENTRY,
  ...more,
})
const mentioned = (commentId: string | null) =>
  commented({
    commentId,
    mediaId: '17944444444444444',
    mention: true,
    authorId: null,
    username: null,
    text: null,
  })
const cdn = 'https://lookaside.fbsbx.com/'

const SAYS: Record<string, object[]> = {
  'webhook_dm_text.json': [message('aWdfZAG1faXRlbToxOk...', [text('Is this in stock?')])],
  'webhook_dm_two_images.json': [
    message('mid-2', [
      { type: 'image', content: { url: `${cdn}ig_messaging_cdn/?asset_id=1&signature=x` } },
      { type: 'image', content: { url: `${cdn}ig_messaging_cdn/?asset_id=2&signature=y` } },
    ]),
  ],
  'webhook_dm_echo.json': [
    message('mid-3', [text('Yes')], { kind: 'echo', at: new Date('2025-12-31T08:08:19.900Z') }),
  ],
  'webhook_dm_unsupported.json': [message('mid-4', [{ type: 'unsupported', content: {} }])],
  'webhook_dm_story_reply.json': [
    message('mid-5', [text('Love it', { story: { id: '18000000000000000', url: `${cdn}...` } })]),
  ],
  'webhook_dm_inline_reply.json': [message('mid-6', [text('this one')], { replyTo: 'mid-3' })],
  'webhook_dm_story_mention.json': [
    message('mid-7', [{ type: 'story_mention', content: { url: `${cdn}...` } }]),
  ],
  'webhook_dm_quick_reply.json': [message('mid-8', [text('Red', { quickReply: { payload: 'COLOR_RED' } })])],
  'webhook_dm_ad_referral.json': [
    message('mid-9', [
      text('Hi', {
        referral: {
          ref: 'REF',
          ad_id: '120200000',
          source: 'ADS',
          type: 'OPEN_THREAD',
          ads_context_data: { ad_title: 'Sale', photo_url: 'https://example.com/p.jpg' },
        },
      }),
    ]),
  ],
  'webhook_dm_postback.json': [
    message('mid-10', [{ type: 'postback', content: { title: 'Talk to us', payload: 'TALK' } }]),
  ],
  'webhook_dm_deleted.json': [{ kind: 'deleted', mid: 'mid-1' }],
  'webhook_dm_edit.json': [{ kind: 'edited', mid: 'mid-1', text: 'Is this in stock now?', edition: 1 }],
  'webhook_dm_reaction.json': [{ kind: 'reaction', mid: 'mid-3', reaction: '❤️' }],
  'webhook_dm_unreact.json': [{ kind: 'reaction', mid: 'mid-3', reaction: null }],
  'webhook_dm_seen.json': [{ kind: 'seen', mid: 'mid-3', at: WROTE }],
  'webhook_dm_referral_igme.json': [{ kind: 'unrecognized', field: 'messaging.referral' }],
  'webhook_comment_changes.json': [commented({ commentId: '17900000000000001', text: 'Price?' })],
  'webhook_comment_reply_changes.json': [
    commented({ commentId: '17900000000000002', parentId: '17900000000000001', text: 'ok' }),
  ],
  'webhook_comment_own.json': [
    commented({
      commentId: '17900000000000003',
      parentId: '17900000000000001',
      own: true,
      authorId: '17841400000000000',
      username: 'our_shop',
      text: 'DM sent',
    }),
  ],
  'webhook_comment_flat_variant.json': [commented({ commentId: '17900000000000004', text: 'hi' })],
  'webhook_comment_fb_login_variant.json': [commented({ commentId: '17900000000000005', text: 'hi' })],
  'webhook_live_comment.json': [
    commented({ commentId: '17900000000000006', mediaId: '17933333333333333', live: true, text: 'hello' }),
  ],
  'webhook_mention_in_comment.json': [mentioned('17900000000000007')],
  'webhook_mention_in_caption.json': [mentioned(null)],
  'webhook_story_insights.json': [{ kind: 'unrecognized', field: 'story_insights' }],
}

const read = (body: unknown): SocialReport[] => readWebhook(body, ACCOUNT, RECEIVED)
const fixture = (name: string) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))

describe('every documented webhook', () => {
  test.each(Object.entries(SAYS))('%s', (name, expected) => expect(read(fixture(name))).toEqual(expected))

  test('is in the table', () =>
    expect(readdirSync(FOLDER).filter((name) => name.startsWith('webhook_'))).toEqual(
      Object.keys(SAYS).sort(),
    ))
})

describe('an undocumented body', () => {
  const entry = (more: object) => ({ object: 'instagram', entry: [{ id: ACCOUNT.networkId, ...more }] })
  const messaging = (more: object) =>
    entry({ messaging: [{ sender: { id: '1' }, recipient: { id: ACCOUNT.networkId }, ...more }] })

  test.each([null, 7, 'text', [], {}, { entry: 7 }, { entry: [null, []] }, entry({}), entry({ changes: 7 })])(
    '%j contains no report',
    (body) => expect(read(body)).toEqual([]),
  )

  test.each([
    [entry({ messaging: [{}] }), 'messaging.unknown'],
    [messaging({ message: {} }), 'messaging.message'],
    [messaging({ standby: {} }), 'messaging.standby'],
    [messaging({ read: {} }), 'messaging.read'],
    [messaging({ message_edit: { mid: 'm' } }), 'messaging.message_edit'],
    [entry({ changes: [{ field: 'comments', value: {} }] }), 'comments'],
    [entry({ changes: [{ field: 'mentions', value: {} }] }), 'mentions'],
    [entry({ changes: [{ value: {} }] }), 'unknown'],
    [{ entry: [{ id: '1', messaging: [{}] }] }, 'entry of another account'],
  ])('%j is ignored', (body, field) => expect(read(body)).toEqual([{ kind: 'unrecognized', field }]))

  test('characters that PostgreSQL rejects are removed from texts, and ids too long for an index are dropped', () => {
    expect(read(messaging({ message: { mid: 'm', text: 'a\0b\ud800' } }))).toMatchObject([
      { mid: 'm', items: [{ content: { text: 'ab\ufffd' } }], at: RECEIVED },
    ])
    expect(read(messaging({ message: { mid: 'm'.repeat(513), text: 'hi' } }))).toEqual([
      { kind: 'unrecognized', field: 'messaging.message' },
    ])
  })

  test('the text of several photos is in the first', () => {
    const attachments = [1, 2, 3].map((n) => ({ type: 'image', payload: { url: `https://a.example/${n}` } }))
    const [report] = read(messaging({ message: { mid: 'm', text: 'These three', attachments } }))
    expect(report).toMatchObject({
      items: [{ content: { text: 'These three' } }, { content: { url: 'https://a.example/2' } }, {}],
    })
    expect(report).toHaveProperty('items.length', 3)
    expect(report).not.toHaveProperty('items.1.content.text')
  })

  test('a message of the account to itself is ignored', () =>
    expect(read(messaging({ message: { mid: 'm', text: 'hi', is_self: true } }))).toEqual([]))

  test('the account is also recognized by its other id and by its name', () => {
    const account = { ...ACCOUNT, scopedId: '24601' }
    const value = { id: '1', parent_id: '2', text: 'Thanks', media: { id: '3' } }
    const own = (from: object) =>
      readWebhook(
        { entry: [{ id: '24601', changes: [{ field: 'comments', value: { ...value, from } }] }] },
        account,
        RECEIVED,
      )
    expect(own({ id: '24601' })).toMatchObject([{ own: true }])
    expect(own({ id: '9', username: 'Our_Shop' })).toMatchObject([{ own: true }])
    expect(own({ id: '9', self_ig_scoped_id: '9' })).toMatchObject([{ own: true }])
    expect(own({ id: '9', username: 'our_shop_fan' })).toMatchObject([{ own: false }])
  })

  test('the items of a body are counted before it is read', () => {
    const attachments = Array.from({ length: 5 }, () => ({}))
    expect(countReported({ entry: [{ messaging: [{ message: { attachments } }, {}] }] })).toBe(8)
    expect(countReported(7)).toBe(0)
  })
})
