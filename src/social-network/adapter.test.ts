// Tests the port with graph/ and the simulator: the answers, and that every request matches the network's
// documentation.
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type RecordingProxy, startRecordingProxy } from '../../test/support/recording-proxy.ts'
import { createEgress } from '../egress/egress.ts'
import { createGraphNetwork } from './graph/network.ts'
import { classifyNetworkError } from './network-errors.ts'
import type { NewContainer, SocialAccount, SocialNetwork } from './port.ts'
import { comment, writeDm } from './simulator/customers.ts'
import { createMemoryStore, type MemoryStore } from './simulator/memory-store.ts'
import { startSocialSimulator } from './simulator/start.ts'
import type { NetworkEvent, SimulatedAccount } from './simulator/store.ts'

const EXAMPLES = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../test/fixtures/photo-network/api_examples.json'), 'utf8'),
)
const SHOP: SimulatedAccount = {
  networkId: '17841400000000000',
  username: 'our_shop',
  token: '17841400000000000.secret',
}

let store: MemoryStore
let simulator: { url: string; close(): Promise<void> }
let proxy: RecordingProxy
let network: SocialNetwork
let account: SocialAccount
let reported: NetworkEvent[]
const egress = createEgress({ allow: ['127.0.0.0/8'] })

const accountAt = (baseUrl: string, token = SHOP.token): SocialAccount => ({
  id: 'ours',
  workspaceId: 'w',
  network: 'graph',
  networkId: SHOP.networkId,
  username: SHOP.username,
  baseUrl,
  token,
})

beforeAll(async () => {
  store = createMemoryStore({ accounts: [SHOP], report: async (_, event) => void reported.push(event) })
  simulator = await startSocialSimulator({ store, host: '127.0.0.1', port: 0 })
  proxy = await startRecordingProxy(simulator.url)
  network = createGraphNetwork({ egress, timeoutMs: 2_000 })
  account = accountAt(proxy.url)
})
beforeEach(() => {
  reported = []
})
afterAll(async () => {
  await egress.close()
  await proxy?.close()
  await simulator?.close()
})

/** Returns whether `value` has only fields of the documented value, of the same types. */
const fits = (value: unknown, documented: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return typeof value === typeof documented
  if (typeof documented !== 'object' || documented === null) return false
  return Object.entries(value).every(([key, item]) =>
    fits(item, (documented as Record<string, unknown>)[key]),
  )
}

/**
 * Compares the latest request with a documented one; if that has only a body, `requestName` names one with
 * the same address.
 */
function expectDocumented(name: string, requestName = name): void {
  const req = { ...EXAMPLES[requestName].req, body: EXAMPLES[name].req.body }
  const sent = proxy.last()
  const [path, search = ''] = req.path.split('?')
  const pattern = new RegExp(
    `^${path.replace(/\{IG_ID(\|me)?\}/g, SHOP.networkId).replace(/\{\w+\}/g, '[^/]+')}$`,
  )
  expect(sent.method).toBe(req.method)
  expect(sent.path).toMatch(pattern)
  const documented = Object.fromEntries(new URLSearchParams(search))
  expect(Object.keys(documented)).toEqual(expect.arrayContaining(Object.keys(sent.query)))
  const names = (fields = '') => fields.replaceAll(/\([^()]*\)/g, '()').split(/[,{}]/)
  expect(names(documented.fields)).toEqual(expect.arrayContaining(names(sent.query.fields)))
  if (sent.body !== undefined) expect([sent.body, fits(sent.body, req.body)]).toEqual([sent.body, true])
  expect(sent.headers.authorization).toBe(`Bearer ${SHOP.token}`)
}

const customer = async (): Promise<string> =>
  (await writeDm(store, SHOP, { from: 'asha_r', text: 'Is this in stock?' })).customerId

describe('chats', () => {
  test('a text is sent to a customer who wrote, and is reported as written by the account', async () => {
    const customerId = await customer()
    const answered = await network.sendText(account, { customerId, text: 'Yes' })
    expect(answered).toEqual({ kind: 'done', value: { mid: expect.any(String) } })
    expectDocumented('send_text')
    const mid = answered.kind === 'done' && answered.value.mid
    expect(reported.at(-1)).toMatchObject({
      messaging: { recipient: { id: customerId }, message: { mid, text: 'Yes', is_echo: true } },
    })
  })

  test('a text later than 24 hours after their last message is rejected as outside the window', async () => {
    const { customerId } = await writeDm(store, SHOP, { from: 'late', text: 'Hi', agoSeconds: 86_401 })
    expect(await network.sendText(account, { customerId, text: 'Yes' })).toMatchObject({
      kind: 'refused',
      error: { kind: 'window', code: 10, subcode: 2534022 },
    })
  })

  test('a text of 1,000 bytes is accepted, a longer one is rejected', async () => {
    const customerId = await customer()
    const send = (text: string) => network.sendText(account, { customerId, text })
    expect(await send('é'.repeat(500))).toMatchObject({ kind: 'done' })
    expect(await send(`${'é'.repeat(500)}.`)).toMatchObject({ kind: 'refused', error: { kind: 'content' } })
  })

  test("a customer who never wrote can't be messaged", async () =>
    expect(await network.sendText(account, { customerId: '17000000000000000', text: 'Hi' })).toMatchObject({
      kind: 'refused',
    }))

  test('a customer has a name and a username', async () => {
    expect(await network.findCustomer(account, await customer())).toEqual({
      kind: 'done',
      value: { name: 'asha_r', username: 'asha_r' },
    })
    expectDocumented('customer_profile')
  })
})

describe('comments', () => {
  test('a comment is answered, and the reply is reported like any comment', async () => {
    const { networkId } = await comment(store, SHOP, { from: 'asha_r', text: 'Price?' })
    const answered = await network.replyToComment(account, { commentId: networkId, text: 'Thanks!' })
    expectDocumented('comment_reply')
    expect(answered).toEqual({ kind: 'done', value: { id: expect.any(String) } })
    expect(reported.at(-1)).toMatchObject({
      field: 'comments',
      value: { parent_id: networkId, from: { username: 'our_shop' }, text: 'Thanks!' },
    })
  })

  test('a reply to a reply belongs to the top comment', async () => {
    const top = await comment(store, SHOP, { from: 'asha_r', text: 'Price?' })
    const reply = await comment(store, SHOP, { from: 'ben', text: 'ok', replyTo: top.networkId })
    await network.replyToComment(account, { commentId: reply.networkId, text: 'Thanks!' })
    expect(reported.at(-1)).toMatchObject({ value: { parent_id: top.networkId } })
  })

  test('a comment is hidden and shown again', async () => {
    const { networkId: commentId } = await comment(store, SHOP, { from: 'asha_r', text: 'Price?' })
    const hidden = async () => (await store.find(commentId))?.value.hidden
    expect(await network.setCommentHidden(account, { commentId, hidden: true })).toMatchObject({
      kind: 'done',
    })
    expectDocumented('comment_hide')
    expect(await hidden()).toBe(true)
    await network.setCommentHidden(account, { commentId, hidden: false })
    expect(await hidden()).toBe(false)
  })

  test("a comment on a live video can't be hidden", async () => {
    const { networkId: commentId } = await comment(store, SHOP, { from: 'asha_r', text: 'Hi', live: true })
    expect(await network.setCommentHidden(account, { commentId, hidden: true })).toMatchObject({
      kind: 'refused',
    })
  })

  test("a mention's text is requested, and answered with a separate call", async () => {
    const { networkId: commentId } = await comment(store, SHOP, {
      from: 'asha_r',
      text: '@our_shop hi',
      mention: true,
      mediaId: '17944444444444444',
    })
    const mention = { mediaId: '17944444444444444', commentId }
    expect(await network.findMention(account, mention)).toEqual({
      kind: 'done',
      value: {
        ...mention,
        text: '@our_shop hi',
        username: 'asha_r',
        permalink: expect.stringMatching(/^https:/),
        at: expect.any(Date),
      },
    })
    expect(proxy.last()).toMatchObject({
      path: `/v24.0/${SHOP.networkId}`,
      query: { fields: expect.stringMatching(/^mentioned_comment\.comment_id\(\d+\)\{id,text,/) },
    })
    const answered = await network.replyToMention(account, { ...mention, text: 'Thank you' })
    expect(answered).toEqual({ kind: 'done', value: { id: expect.any(String) } })
    expectDocumented('mention_reply')
  })

  test('a reply to a deleted comment is rejected', async () =>
    expect(await network.replyToComment(account, { commentId: '1', text: 'Hi' })).toMatchObject({
      kind: 'refused',
      error: { code: 100, subcode: 33 },
    }))
})

describe('publishing', () => {
  const image = { kind: 'image', imageUrl: 'https://example.com/a.jpg', caption: 'Hello' } as const
  const container = async (of: NewContainer = image): Promise<string> => {
    const container = await network.createContainer(account, of)
    if (container.kind !== 'done') throw new Error(`no container: ${JSON.stringify(container)}`)
    return container.value.id
  }
  const statusOf = async (id: string) => {
    const found = await network.findContainer(account, id)
    return found.kind === 'done' ? found.value.status : found
  }

  test('a photo: a container is published and becomes a post', async () => {
    const id = await container()
    expectDocumented('container_image')
    expect(await statusOf(id)).toBe('finished')
    expectDocumented('container_status')
    const published = await network.publishContainer(account, id)
    expectDocumented('publish')
    expect(published).toEqual({ kind: 'done', value: { id: expect.any(String) } })
    expect(await statusOf(id)).toBe('published')
    const mediaId = published.kind === 'done' ? published.value.id : ''
    expect(await network.findMedia(account, mediaId)).toMatchObject({
      kind: 'done',
      value: {
        id: mediaId,
        caption: 'Hello',
        mediaType: 'IMAGE',
        productType: 'FEED',
        url: 'https://example.com/a.jpg',
        permalink: expect.stringMatching(/^http/),
        publishedAt: expect.any(Date),
        likes: expect.any(Number),
        comments: 0,
      },
    })
  })

  test('one container becomes one post, for any number of publications', async () => {
    const id = await container()
    store.armFault('no-answer', 1)
    expect(await network.publishContainer(account, id)).toMatchObject({ kind: 'unknown' })
    expect(await statusOf(id)).toBe('published')
    expect(await network.publishContainer(account, id)).toMatchObject({
      kind: 'refused',
      error: { code: 9007, subcode: 2207027, kind: 'transient' },
    })
    const before = (await store.list(SHOP, 'media')).length
    await network.publishContainer(account, id)
    expect((await store.list(SHOP, 'media')).length).toBe(before)
  })

  test('a carousel of its items, and a reel when its video is ready', async () => {
    const item = () => container({ kind: 'carousel_item', imageUrl: 'https://example.com/a.jpg' })
    const children = [await item(), await item()]
    expectDocumented('container_carousel_item', 'container_image')
    const carousel = await container({ kind: 'carousel', children, caption: 'Hi' })
    expectDocumented('container_carousel', 'container_image')
    const published = await network.publishContainer(account, carousel)
    const mediaId = published.kind === 'done' ? published.value.id : ''
    const file = { mediaType: 'IMAGE', url: 'https://example.com/a.jpg', thumbnailUrl: null }
    expect(await network.findMedia(account, mediaId)).toMatchObject({ value: { children: [file, file] } })
    expect(await network.publishContainer(account, children[0]!)).toMatchObject({ kind: 'refused' })
    for (const wrong of [[children[0]!], [children[0]!, carousel], Array(11).fill(children[0])])
      expect(
        await network.createContainer(account, { kind: 'carousel', children: wrong, caption: null }),
      ).toMatchObject({ kind: 'refused', error: { code: 100, subcode: 2207028 } })
    const reel = await container({ kind: 'reel', videoUrl: 'https://example.com/a.mp4', caption: null })
    expect(await statusOf(reel)).toBe('in_progress')
    expect(await network.publishContainer(account, reel)).toMatchObject({
      kind: 'refused',
      error: { kind: 'transient' },
    })
  })

  test("publish-fails: the post isn't published, and can't be published later", async () => {
    const id = await container()
    store.armFault('publish-fails', 1)
    expect(await network.publishContainer(account, id)).toMatchObject({
      kind: 'refused',
      error: { code: 25, subcode: 2207050, kind: 'blocked' },
    })
    expect(await statusOf(id)).toBe('error')
    expect(await network.publishContainer(account, await container())).toMatchObject({ kind: 'done' })
  })

  test("a file that can't be fetched, or a caption that is too long, is rejected", async () => {
    expect(await network.createContainer(account, { ...image, imageUrl: 'file:///a.jpg' })).toMatchObject({
      kind: 'refused',
      error: { code: 9004, subcode: 2207052, kind: 'content' },
    })
    expect(await network.createContainer(account, { ...image, caption: 'x'.repeat(2_201) })).toMatchObject({
      kind: 'refused',
      error: { code: 36004, subcode: 2207010, kind: 'content' },
    })
    expect(await network.publishContainer(account, '17000000000000000')).toMatchObject({
      kind: 'refused',
      error: { code: 24, subcode: 2207006 },
    })
  })

  test('a hundred posts a day: the quota is reported and enforced', async () => {
    const quota = async () => {
      const found = await network.findPublishingQuota(account)
      return found.kind === 'done' ? found.value : undefined
    }
    const before = (await quota())!
    expectDocumented('publishing_limit')
    expect(before).toMatchObject({ total: 100, durationSeconds: 86_400 })
    for (let used = before.used; used < before.total; used++)
      await network.publishContainer(account, await container())
    expect((await quota())!.used).toBe(100)
    expect(await network.publishContainer(account, await container())).toMatchObject({
      kind: 'refused',
      error: { code: 9, subcode: 2207042, kind: 'quota' },
    })
  })

  test('the documented errors of publishing', () => {
    const kinds = Object.fromEntries(
      EXAMPLES.publish_errors.map((error: { code: number; error_subcode: number }) => [
        error.error_subcode,
        classifyNetworkError({ ...error }).kind,
      ]),
    )
    expect(kinds).toEqual({
      2207001: 'transient',
      2207003: 'transient',
      2207004: 'content',
      2207005: 'content',
      2207006: 'missing',
      2207008: 'transient',
      2207009: 'content',
      2207010: 'content',
      2207020: 'content',
      2207026: 'content',
      2207027: 'transient',
      2207028: 'content',
      2207032: 'transient',
      2207042: 'quota',
      2207050: 'blocked',
      2207051: 'blocked',
      2207052: 'content',
    })
  })
})

describe('posts and figures', () => {
  test('posts are listed newest first, by pages, with their comments', async () => {
    const listed = await network.listMedia(account, { limit: 2, after: null })
    expectDocumented('media_list')
    const [first, second] = listed.kind === 'done' ? listed.value.media : []
    await comment(store, SHOP, { from: 'asha_r', text: 'Lovely', mediaId: first!.id })
    expect(await network.findMedia(account, first!.id)).toMatchObject({ value: { comments: 1 } })
    const after = listed.kind === 'done' ? listed.value.after : null
    const next = await network.listMedia(account, { limit: 2, after })
    const ids = next.kind === 'done' ? next.value.media.map(({ id }) => id) : []
    expect([...ids, first!.id, second!.id]).toHaveLength(new Set([...ids, first!.id, second!.id]).size)
  })

  const DAY_MS = 86_400_000
  const period = (days: number) => {
    const until = new Date()
    return { since: new Date(until.getTime() - days * DAY_MS), until }
  }

  test('figures of the account cover at most 30 days', async () => {
    expect(await network.findAccountInsights(account, period(30))).toEqual({
      kind: 'done',
      value: {
        reach: expect.any(Number),
        views: expect.any(Number),
        accountsEngaged: expect.any(Number),
        totalInteractions: expect.any(Number),
      },
    })
    expectDocumented('insights_total')
    expect(await network.findAccountInsights(account, period(31))).toMatchObject({ kind: 'refused' })
  })

  test('figures of one post', async () => {
    const listed = await network.listMedia(account, { limit: 1, after: null })
    const id = listed.kind === 'done' ? listed.value.media[0]!.id : ''
    expect(await network.findMediaInsights(account, id)).toMatchObject({
      kind: 'done',
      value: { likes: expect.any(Number), comments: 1 },
    })
    expectDocumented('media_insights')
  })
})

describe('the account', () => {
  test('returns its profile', async () => {
    expect(await network.findProfile(account)).toEqual({
      kind: 'done',
      value: {
        networkId: SHOP.networkId,
        scopedId: null,
        username: 'our_shop',
        name: 'our_shop',
        followers: 1200,
        pictureUrl: expect.stringMatching(/^http/),
      },
    })
    expectDocumented('profile')
  })

  test('gets a token that is valid longer, and the old token still works', async () => {
    const answered = await network.refreshToken(account)
    expect(answered).toMatchObject({ kind: 'done', value: { expiresInSeconds: 60 * 86_400 } })
    expect(proxy.last()).toMatchObject({
      method: 'GET',
      path: '/v24.0/refresh_access_token',
      query: { grant_type: 'ig_refresh_token', access_token: SHOP.token },
    })
    const token = answered.kind === 'done' ? answered.value.token : ''
    expect(await network.findProfile(accountAt(simulator.url, token))).toMatchObject({ kind: 'done' })
    expect(await network.findProfile(account)).toMatchObject({ kind: 'done' })
  })

  test('with an unknown token is rejected', async () =>
    expect(await network.findProfile(accountAt(simulator.url, 'stolen'))).toMatchObject({
      kind: 'refused',
      error: { kind: 'token', code: 190 },
    }))

  test("can't reach objects of another account", async () => {
    const other = { networkId: '17841400000000001', username: 'other', token: '17841400000000001.x' }
    store.accounts.push(other)
    const { networkId } = await comment(store, other, { from: 'asha_r', text: 'Price?' })
    expect(await network.replyToComment(account, { commentId: networkId, text: 'Hi' })).toMatchObject({
      kind: 'refused',
    })
  })
})

describe('faults of the simulator', () => {
  test('no-answer: the request took effect, but gets no answer', async () => {
    const customerId = await customer()
    reported = []
    store.armFault('no-answer', 1)
    expect(await network.sendText(account, { customerId, text: 'Yes' })).toMatchObject({ kind: 'unknown' })
    expect(reported).toHaveLength(1)
    expect(await network.sendText(account, { customerId, text: 'Yes' })).toMatchObject({ kind: 'done' })
  })

  test('refuse: the request has no effect', async () => {
    const customerId = await customer()
    reported = []
    store.armFault('refuse', 1)
    expect(await network.sendText(account, { customerId, text: 'Yes' })).toMatchObject({ kind: 'refused' })
    expect(reported).toEqual([])
  })

  test('token-expired: every request is rejected', async () => {
    store.armFault('token-expired', 2)
    const expired = { kind: 'refused', error: { kind: 'token', code: 190, subcode: 463 } }
    expect(await network.findProfile(account)).toMatchObject(expired)
    expect(await network.sendText(account, { customerId: '1', text: 'Hi' })).toMatchObject(expired)
    expect(await network.findProfile(account)).toMatchObject({ kind: 'done' })
  })
})

describe('unexpected answers', () => {
  let play: (res: ServerResponse) => void
  const server = createServer((req, res) => {
    req.resume()
    req.on('end', () => play(res))
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const sendTo = (answer: (res: ServerResponse) => void) => {
    play = answer
    const { port } = server.address() as AddressInfo
    return network.sendText(accountAt(`http://127.0.0.1:${port}`), { customerId: '1', text: 'Hi' })
  }
  const answers =
    (status: number, body: string, headers = {}) =>
    (res: ServerResponse) =>
      res.writeHead(status, headers).end(body)

  test.each([
    ['an error page of a proxy', answers(502, '<html>'), { kind: 'unknown' }],
    ['a page of a proxy that blocks the call', answers(403, '<html>'), { kind: 'not_sent' }],
    ['a sign-in page of a proxy', answers(401, '<html>'), { kind: 'not_sent' }],
    ['a proxy that redirects', answers(302, '', { location: '/login' }), { kind: 'not_sent' }],
    ['a missing page', answers(404, '<html>'), { kind: 'refused', error: { kind: 'other' } }],
    ['a proxy that throttles', answers(429, ''), { kind: 'refused', error: { kind: 'throttle' } }],
    ['200 and no JSON', answers(200, 'ok'), { kind: 'unknown' }],
    ['200 without the id', answers(200, '{}'), { kind: 'unknown' }],
    [
      'an answer that is compressed',
      (res: ServerResponse) =>
        res
          .writeHead(200, { 'content-encoding': 'gzip' })
          .end(gzipSync(JSON.stringify({ recipient_id: '1', message_id: 'm1' }))),
      { kind: 'done' },
    ],
    ['a broken connection', (res: ServerResponse) => void res.destroy(), { kind: 'unknown' }],
    ['nothing', () => {}, { kind: 'unknown' }],
    ['an answer that is too large', answers(200, `{"a":"${'x'.repeat(2 ** 20)}"}`), { kind: 'unknown' }],
  ])('%s', async (_, answer, expected) => expect(await sendTo(answer)).toMatchObject(expected))

  test('a requested wait is reported', async () => {
    const body = JSON.stringify({ error: { code: 613, message: 'Calls within one hour exceeded' } })
    expect(await sendTo(answers(400, body, { 'retry-after': '30' }))).toMatchObject({
      kind: 'refused',
      error: { kind: 'throttle', code: 613 },
      retryAfterSeconds: 30,
    })
  })

  test('the documented errors', async () => {
    for (const [name, kind] of [
      ['error_outside_window', 'window'],
      ['error_token', 'token'],
    ] as const) {
      const { status, body } = EXAMPLES[name]
      expect(await sendTo(answers(status, JSON.stringify(body)))).toMatchObject({
        kind: 'refused',
        error: { kind, message: body.error.message },
      })
    }
  })

  test('an address where no server listens: certainly not sent', async () => {
    const unused = createServer()
    await new Promise<void>((resolve) => unused.listen(0, '127.0.0.1', resolve))
    const { port } = unused.address() as AddressInfo
    await new Promise((resolve) => unused.close(resolve))
    expect(
      await network.sendText(accountAt(`http://127.0.0.1:${port}`), { customerId: '1', text: 'Hi' }),
    ).toMatchObject({ kind: 'not_sent' })
  })

  test('an address that must not be reached: certainly not sent', async () =>
    expect(
      await network.sendText(accountAt('http://169.254.169.254'), { customerId: '1', text: 'Hi' }),
    ).toMatchObject({ kind: 'not_sent' }))
})

describe('classes of errors (docs/formats.md section 14)', () => {
  const KINDS: Record<string, string[]> = {
    token: ['190'],
    permission: ['10', '200', '299'],
    throttle: ['4', '17', '32', '613'],
    window: ['10/2534022'],
    quota: ['9/2207042'],
    content: [
      '9004/2207052',
      '36000/2207004',
      '36001/2207005',
      '36003/2207009',
      '36004/2207010',
      '100/2207028',
      '352/2207026',
      '-2/2207020',
    ],
    transient: ['-1/2207001', '-1/2207032', '-2/2207003', '9007/2207027', '24/2207008', '1', '2'],
    missing: ['24/2207006'],
    blocked: ['25/2207050', '4/2207051', '368'],
    other: ['31', '0', '300'],
  }
  const rows = Object.entries(KINDS).flatMap(([kind, codes]) => codes.map((code) => [code, kind]))
  test.each(rows)('%s is %s', (code, kind) => {
    const [number, subcode] = code!.split('/')
    expect(
      classifyNetworkError({ code: Number(number), ...(subcode ? { error_subcode: Number(subcode) } : {}) })
        .kind,
    ).toBe(kind)
  })

  test('every documented error of publishing is in the table', () => {
    const documented = EXAMPLES.publish_errors.map(
      (publishError: { code: number; error_subcode: number }) =>
        `${publishError.code}/${publishError.error_subcode}`,
    )
    expect(Object.values(KINDS).flat()).toEqual(expect.arrayContaining(documented))
  })

  test("errors that the network calls transient are transient, and a code that isn't a number is ignored", () => {
    expect(classifyNetworkError({ code: 100, is_transient: true }).kind).toBe('transient')
    expect(classifyNetworkError({ code: 'x', message: '' })).toEqual({
      code: 0,
      subcode: null,
      message: 'The network gave no reason.',
      kind: 'other',
    })
  })
})
