/** Posts on the photo network (spec 2.9, 3, 4.6; docs/formats.md section 14). */
import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley } from '../../../../../../test/support/boot.ts'
import { photoId, videoId } from '../../../../../../test/support/post-media.ts'
import { connectSocial, openSocialShop, type SocialShop } from '../../../../../../test/support/social-shop.ts'
import { until } from '../../../../../../test/support/until.ts'

const DAY_MS = 86_400_000
const inFuture = (ms: number): string => new Date(Date.now() + ms).toISOString()

let parley: TestParley
let shop: SocialShop
let photo: string
beforeAll(async () => {
  parley = await boot()
})
// Each test starts with a full bucket.
beforeEach(async () => {
  shop = await openSocialShop(parley)
  photo = await photoId(shop)
})
afterAll(() => parley.close())

const write = (body: object, workspace: Pick<SocialShop, 'post'> = shop) =>
  workspace.post('/social/posts', { kind: 'image', caption: 'New silks', media: [photo], ...body })
/** Waits until the post is published or failed, and returns it. */
const settledPost = (id: string, workspace: SocialShop = shop): Promise<Body> =>
  until(async () => {
    const { post } = (await workspace.get(`/social/posts/${id}`)).body
    return ['published', 'failed'].includes(post.status) && post
  }, 'the post is published or failed')
const eventsOf = async (workspace: SocialShop, postId: string): Promise<Body[]> =>
  (await workspace.get('/events?limit=100')).body.events.filter(
    (event: Body) => event.event === 'social.post.published' && event.data.postId === postId,
  )

describe('POST /social/posts', () => {
  test('action draft: a draft, which is not published', async () => {
    const { status, body } = await write({ action: 'draft', caption: 'New silks #handloom' })
    expect([status, body]).toEqual([
      201,
      {
        post: {
          id: expect.any(String),
          kind: 'image',
          caption: 'New silks #handloom',
          media: [photo],
          status: 'draft',
          publishing: false,
          scheduledAt: null,
          publishedAt: null,
          socialMediaId: null,
          permalink: null,
          failure: null,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      },
    ])
  })

  test('action publish: published, with social.post.published once', async () => {
    const { status, body } = await write({ action: 'publish' })
    expect([status, body.post.status]).toEqual([201, 'scheduled'])
    const post = await settledPost(body.post.id)
    expect(post).toMatchObject({
      status: 'published',
      publishing: false,
      publishedAt: expect.any(String),
      socialMediaId: expect.stringMatching(/^\d+$/),
      permalink: expect.stringMatching(/^http/),
      failure: null,
    })
    const { id, kind, caption, socialMediaId, permalink, scheduledAt, publishedAt } = post
    expect((await eventsOf(shop, id)).map(({ data }) => data)).toEqual([
      { postId: id, kind, caption, socialMediaId, permalink, scheduledAt, publishedAt },
    ])
  })

  test('a carousel of 2 to 10 photos, in their order; a reel of one video', async () => {
    const photos = [photo, await photoId(shop), photo]
    const carousel = (await write({ kind: 'carousel', media: photos, action: 'publish' })).body.post
    expect(carousel.media).toEqual(photos)
    const reel = (await write({ kind: 'reel', media: [await videoId(shop)], action: 'publish' })).body.post
    expect(await settledPost(carousel.id)).toMatchObject({ status: 'published', kind: 'carousel' })
    expect(await settledPost(reel.id)).toMatchObject({ status: 'published', kind: 'reel' })
  })

  test('action schedule: scheduled', async () => {
    const scheduledAt = inFuture(DAY_MS)
    const { status, body } = await write({ action: 'schedule', scheduledAt })
    expect([status, body.post]).toMatchObject([201, { status: 'scheduled', scheduledAt, publishing: false }])
  })

  test('the network fetches our copy, from a signed public address', async () => {
    const { id } = (await write({ action: 'publish', caption: 'Fetched' })).body.post
    await settledPost(id)
    const [container] = await parley.system((tx) =>
      tx.sql<{ value: Body }>(
        `select value from simulator_objects where workspace_id = $1 and kind = 'container' and value ->> 'caption' = 'Fetched'`,
        [shop.workspaceId],
      ),
    )
    const { pathname, origin } = new URL(container!.value.source)
    expect(origin).toBe(new URL(parley.config.siteUrl).origin)
    const answer = await request(parley.url + pathname)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/jpeg'])
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    const forged = pathname.replace(
      /([^/])([^/]*\/photo)/,
      (_, first, rest) => `${first === 'A' ? 'B' : 'A'}${rest}`,
    )
    expect((await request(parley.url + forged)).statusCode).toBe(403)
  })

  test('a retry with the same key creates one post', async () => {
    const idempotencyKey = randomUUID()
    const create = () =>
      shop.post('/social/posts', { kind: 'image', media: [photo], action: 'publish' }, { idempotencyKey })
    const [first, second] = [await create(), await create()]
    expect(second.body).toEqual(first.body)
    await settledPost(first.body.post.id)
    const { posts } = (await shop.get('/social/posts/recent?limit=50')).body
    expect(posts.filter((post: Body) => post.postId === first.body.post.id)).toHaveLength(1)
  })
})

describe('roles: drafts agent; scheduling, publishing and canceling admin (spec 4.6)', () => {
  test('an agent may create drafts, and nothing else', async () => {
    const agent = await shop.as('agent')
    expect((await write({ action: 'draft' }, agent)).status).toBe(201)
    for (const more of [
      { action: 'schedule' },
      { action: 'schedule', scheduledAt: inFuture(DAY_MS) },
      { action: 'publish' },
    ])
      expect(await write(more, agent)).toMatchObject({
        status: 403,
        body: { error: 'forbidden', required: 'admin' },
      })
    const { id } = (await write({ action: 'schedule', scheduledAt: inFuture(DAY_MS) })).body.post
    expect((await agent.post(`/social/posts/${id}/cancel`)).status).toBe(403)
    expect((await agent.get(`/social/posts/${id}`)).body.post.status).toBe('scheduled')
  })
})

describe('422 invalid_schedule', () => {
  test.each([
    ['without a time', {}],
    ['with null for one', { scheduledAt: null }],
    ['in the past', { scheduledAt: '2020-01-01T00:00:00Z' }],
    ['farther than 75 days', { scheduledAt: inFuture(75 * DAY_MS + 60_000) }],
  ])('%s', async (_, more) => {
    expect(await write({ action: 'schedule', ...more })).toMatchObject({
      status: 422,
      body: { error: 'invalid_schedule' },
    })
  })

  test('a time together with publishing immediately', async () => {
    expect(await write({ action: 'publish', scheduledAt: inFuture(DAY_MS) })).toMatchObject({
      status: 422,
      body: { error: 'invalid_schedule' },
    })
  })

  test('75 days ahead are allowed', async () => {
    const scheduledAt = inFuture(75 * DAY_MS - 60_000)
    expect(await write({ action: 'schedule', scheduledAt })).toMatchObject({
      status: 201,
      body: { post: { status: 'scheduled', scheduledAt } },
    })
  })
})

describe('422 invalid_post', () => {
  const expectRefusal = async (body: object, path: string) => {
    const answer = await write(body)
    expect(answer).toMatchObject({ status: 422, body: { error: 'invalid_post' } })
    expect(answer.body.issues.map((issue: Body) => issue.path)).toEqual([path])
  }

  test.each(['draft', 'publish'])(
    'a caption too long, with too many hashtags or mentions (%s)',
    async (action) => {
      await expectRefusal({ action, caption: 'x'.repeat(2_201) }, 'caption')
      await expectRefusal(
        { action, caption: Array.from({ length: 31 }, (_, i) => `#tag${i}`).join(' ') },
        'caption',
      )
      await expectRefusal(
        { action, caption: Array.from({ length: 21 }, (_, i) => `@user${i}`).join(' ') },
        'caption',
      )
    },
  )

  test('the longest valid caption', async () => {
    const many = (count: number, mark: string) =>
      Array.from({ length: count }, (_, i) => `${mark}s${i}`).join(' ')
    for (const caption of ['🧵'.repeat(2_200), `${many(30, '#')} ${many(20, '@')} mail@shop.example`])
      expect((await write({ caption })).status).toBe(201)
  })

  test('an image has exactly one photo, a carousel 2 to 10, a reel one video', async () => {
    const video = await videoId(shop)
    const cases: [string, string[]][] = [
      ['image', [photo, photo]],
      ['image', [video]],
      ['carousel', [photo]],
      ['carousel', Array(11).fill(photo)],
      ['carousel', [photo, video]],
      ['reel', [photo]],
      ['reel', [video, video]],
    ]
    for (const [kind, media] of cases) await expectRefusal({ kind, media }, 'media')
    for (const kind of ['image', 'carousel', 'reel']) {
      await expectRefusal({ kind, media: [], action: 'publish' }, 'media')
      expect((await write({ kind, media: [], action: 'draft' })).status).toBe(201)
    }
  })
})

test('media unknown to the workspace is 400 invalid_reference, even if another workspace has it', async () => {
  const other = await openSocialShop(parley)
  for (const media of [[randomUUID()], [await photoId(other)]])
    expect(await write({ media })).toMatchObject({ status: 400, body: { error: 'invalid_reference' } })
})

test.each([
  [{ kind: 'story' }, 'kind'],
  [{ action: 'send' }, 'action'],
  [{ caption: 7 }, 'caption'],
  [{ media: 'x' }, 'media'],
  [{ media: ['x'] }, 'media[0]'],
  [{ scheduledAt: 'tomorrow', action: 'schedule' }, 'scheduledAt'],
  [{ shade: 'red' }, 'shade'],
])('%j is 400 naming the field', async (more, path) => {
  const answer = await write(more)
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid' } })
  expect(answer.body.issues[0].path).toBe(path)
})

describe('gates in their order (docs/clarifications.md): 402 add-on, 403 off, 409 connection, then the rest', () => {
  const CALLS: [string, string, unknown][] = [
    ['POST', '/social/media', { url: 7 }],
    ['POST', '/social/media/upload', { fileBase64: 7 }],
    ['GET', '/social/posts?limit=x', undefined],
    ['POST', '/social/posts', { kind: 7 }],
    ['GET', '/social/posts/recent?limit=x', undefined],
    ['GET', `/social/posts/${randomUUID()}`, undefined],
    ['POST', `/social/posts/${randomUUID()}/cancel`, undefined],
    ['GET', '/social/insights?days=3', undefined],
  ]

  test.each(CALLS)('%s %s', async (method, path, body) => {
    const free = await parley.workspace()
    const publish = async () => {
      const answer = await free.call(method, path, body)
      return [answer.status, answer.body.error]
    }
    expect(await publish()).toEqual([402, 'social_addon_required'])
    await free.set({ socialAddon: true, socialEnabled: false })
    expect(await publish()).toEqual([403, 'social_disabled'])
    await free.set({ socialEnabled: true })
    const needsAccount = /recent|insights/.test(path)
    expect((await publish())[1]).toBe(
      needsAccount ? 'not_connected' : path.includes('-') ? 'not_found' : 'invalid',
    )
  })

  test('drafts, lists and canceling need no account; schedule and publish do, before the post is checked', async () => {
    const unconnected = await parley.workspace()
    await unconnected.set({ socialAddon: true })
    expect((await unconnected.post('/social/posts', { kind: 'image', action: 'draft' })).status).toBe(201)
    expect((await unconnected.get('/social/posts')).body.posts).toHaveLength(1)
    for (const action of ['schedule', 'publish'])
      expect(await unconnected.post('/social/posts', { kind: 'image', action })).toMatchObject({
        status: 409,
        body: { error: 'not_connected' },
      })
    const connectedShop = await connectSocial(parley, unconnected)
    await parley.system((tx) =>
      tx.sql(`update social_accounts set state = 'reconnect_required' where workspace_id = $1`, [
        connectedShop.workspaceId,
      ]),
    )
    for (const action of ['schedule', 'publish'])
      expect(await connectedShop.post('/social/posts', { kind: 'image', action })).toMatchObject({
        status: 409,
        body: { error: 'reconnect_required' },
      })
    for (const path of ['/social/posts/recent', '/social/insights'])
      expect((await connectedShop.get(path)).body.error).toBe('reconnect_required')
  })
})

describe('POST /social/posts/{id}/cancel', () => {
  test('a scheduled, unpublished post is canceled; a repeated request leaves it canceled', async () => {
    const { id } = (await write({ action: 'schedule', scheduledAt: inFuture(DAY_MS) })).body.post
    for (let i = 0; i < 2; i++)
      expect(await shop.post(`/social/posts/${id}/cancel`)).toMatchObject({
        status: 200,
        body: { post: { id, status: 'cancelled' } },
      })
  })

  test.each(['draft', 'published', 'failed'])('a %s one is 409 conflict', async (status) => {
    const { id } = (await write({ action: 'draft' })).body.post
    await parley.system((tx) =>
      tx.sql('update social_posts set status = $3 where workspace_id = $1 and id = $2', [
        shop.workspaceId,
        id,
        status,
      ]),
    )
    expect(await shop.post(`/social/posts/${id}/cancel`)).toMatchObject({
      status: 409,
      body: { error: 'conflict', message: expect.stringContaining(status) },
    })
  })

  test('an unknown id is 404', async () => {
    const other = await openSocialShop(parley)
    const { id } = (await write({ action: 'draft' })).body.post
    for (const missing of [randomUUID(), 'x', id])
      for (const answer of [
        await other.post(`/social/posts/${missing}/cancel`),
        await other.patch(`/social/posts/${missing}`, { scheduledAt: inFuture(DAY_MS) }),
        await other.get(`/social/posts/${missing}`),
      ])
        expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
  })
})

test('PATCH /social/posts/{id}: an admin may move a scheduled post, within the same limits', async () => {
  const { id } = (await write({ action: 'schedule', scheduledAt: inFuture(DAY_MS) })).body.post
  const move = (scheduledAt: string, workspace: Pick<SocialShop, 'patch'> = shop, post = id) =>
    workspace.patch(`/social/posts/${post}`, { scheduledAt })
  const scheduledAt = inFuture(3 * DAY_MS)
  expect(await move(scheduledAt)).toMatchObject({ status: 200, body: { post: { id, scheduledAt } } })
  expect((await move(scheduledAt)).status, 'again').toBe(200)
  for (const never of [inFuture(-1_000), inFuture(76 * DAY_MS)])
    expect(await move(never)).toMatchObject({ status: 422, body: { error: 'invalid_schedule' } })
  expect((await move(inFuture(DAY_MS), await shop.as('agent'))).status).toBe(403)
  await shop.post(`/social/posts/${id}/cancel`)
  expect(await move(inFuture(DAY_MS))).toMatchObject({
    status: 409,
    body: {
      error: 'conflict',
      message: 'The post is cancelled. Only a draft or a scheduled post can be changed.',
    },
  })
})

describe('PATCH /social/posts/{id}: changes a draft, or a scheduled post', () => {
  const change = (id: string, body: object, workspace: Pick<SocialShop, 'patch'> = shop) =>
    workspace.patch(`/social/posts/${id}`, body)

  test('an agent changes the kind, the caption, and the files of a draft; other fields stay', async () => {
    const agent = await shop.as('agent')
    const { id } = (await write({ action: 'draft' })).body.post
    const media = [await photoId(shop), photo]
    expect(await change(id, { kind: 'carousel', media }, agent)).toMatchObject({
      status: 200,
      body: { post: { id, kind: 'carousel', caption: 'New silks', media, status: 'draft' } },
    })
    expect((await change(id, { caption: 'Old silks' }, agent)).body.post).toMatchObject({
      kind: 'carousel',
      caption: 'Old silks',
      media,
    })
    expect(await change(id, { media: [photo] }, agent)).toMatchObject({
      status: 422,
      body: { error: 'invalid_post' },
    })
    for (const body of [{ action: 'publish' }, { scheduledAt: inFuture(DAY_MS) }])
      expect(await change(id, body, agent)).toMatchObject({ status: 403, body: { required: 'admin' } })
  })

  test('an admin schedules a draft, changes it, and publishes it: once, with the last caption', async () => {
    const { id } = (await write({ action: 'draft' })).body.post
    const scheduledAt = inFuture(DAY_MS)
    expect((await change(id, { scheduledAt })).body.post).toMatchObject({ status: 'scheduled', scheduledAt })
    expect((await change(id, { caption: 'Silks at seven' })).body.post).toMatchObject({
      status: 'scheduled',
      scheduledAt,
      caption: 'Silks at seven',
    })
    expect((await change(id, { action: 'publish', scheduledAt })).body.error).toBe('invalid_schedule')
    expect((await change(id, { action: 'publish' })).body.post).toMatchObject({ scheduledAt: null })
    expect(await settledPost(id)).toMatchObject({ status: 'published', caption: 'Silks at seven' })
    expect(await eventsOf(shop, id)).toHaveLength(1)
    expect(await change(id, { caption: 'Too late' })).toMatchObject({
      status: 409,
      body: { message: 'The post is published. Only a draft or a scheduled post can be changed.' },
    })
  })
})

test('DELETE /social/posts/{id}: deletes a draft, and no other post', async () => {
  const agent = await shop.as('agent')
  const { id } = (await write({ action: 'draft' })).body.post
  expect((await agent.delete(`/social/posts/${id}`)).body).toEqual({ ok: true, deleted: true })
  expect((await shop.get(`/social/posts/${id}`)).status).toBe(404)
  expect((await agent.delete(`/social/posts/${id}`)).status).toBe(404)
  const scheduled = (await write({ action: 'schedule', scheduledAt: inFuture(DAY_MS) })).body.post
  expect(await agent.delete(`/social/posts/${scheduled.id}`)).toMatchObject({
    status: 409,
    body: { message: 'The post is scheduled. Only a draft can be deleted.' },
  })
})

test('GET /social/posts: newest first, by pages and by state', async () => {
  const own = await openSocialShop(parley)
  const media = [await photoId(own)]
  const ids: string[] = []
  for (const action of ['draft', 'schedule', 'draft', 'draft'])
    ids.unshift(
      (
        await own.post('/social/posts', {
          kind: 'image',
          media,
          action,
          ...(action === 'schedule' ? { scheduledAt: inFuture(DAY_MS) } : {}),
        })
      ).body.post.id,
    )
  const seenIds: string[] = []
  for (let cursor = ''; ; ) {
    const { posts, nextCursor } = (await own.get(`/social/posts?limit=3${cursor}`)).body
    seenIds.push(...posts.map((post: Body) => post.id))
    expect(posts.every((post: Body) => post.media[0] === media[0])).toBe(true)
    if (nextCursor === null) break
    cursor = `&cursor=${nextCursor}`
  }
  expect(seenIds).toEqual(ids)
  const scheduled = (await own.get('/social/posts?status=scheduled')).body.posts
  expect(scheduled.map((post: Body) => post.id)).toEqual([ids[2]])
  const listBetween = async (from: number, to: number): Promise<string[]> =>
    (await own.get(`/social/posts?from=${inFuture(from)}&to=${inFuture(to)}`)).body.posts.map(
      (post: Body) => post.id,
    )
  expect(await listBetween(0, 2 * DAY_MS)).toEqual([ids[2]])
  expect(await listBetween(2 * DAY_MS, 4 * DAY_MS)).toEqual([])
  expect((await own.get('/social/posts?cursor=1')).status).toBe(400)
  expect((await own.get('/social/posts?status=lost')).status).toBe(400)
})
