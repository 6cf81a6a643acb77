/** The account's current posts and figures at the network (spec 4.6; docs/formats.md section 14). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { movingClock } from '../../../../../test/support/moving-clock.ts'
import { photoId } from '../../../../../test/support/post-media.ts'
import { openSocialShop } from '../../../../../test/support/social-shop.ts'
import {
  connectToStandIn,
  type NetworkMedia,
  networkError,
  type StandInNetwork,
  standInNetwork,
} from '../../../../../test/support/stand-in-network.ts'
import { until } from '../../../../../test/support/until.ts'

const DAY_MS = 86_400_000

const clock = movingClock()
let network: StandInNetwork
let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  network = await standInNetwork(clock)
  parley = await boot({ env: network.env, clock })
})
afterAll(async () => {
  await parley.close()
  await network.close()
})
beforeEach(async () => {
  network.reset()
  network.media.length = 0
  shop = await parley.workspace()
  await shop.set({ socialAddon: true })
  await connectToStandIn(parley, shop.workspaceId)
})

const daysAgo = (days: number): Date => new Date(clock.now().getTime() - days * DAY_MS)
const shownPost = (id: string, more: Partial<NetworkMedia> = {}): NetworkMedia => ({
  id,
  caption: `Post ${id}`,
  type: 'IMAGE',
  at: daysAgo(1),
  likes: 0,
  comments: 0,
  ...more,
})

describe('GET /social/posts/recent', () => {
  test("the account's own published posts, live, with likes and comments, newest first", async () => {
    const publishedAt = daysAgo(2)
    network.media.push(
      shownPost('3', { likes: 5, comments: 2, at: publishedAt }),
      shownPost('2', { type: 'CAROUSEL_ALBUM', caption: '', files: ['IMAGE', 'VIDEO'] }),
      shownPost('1', { type: 'VIDEO' }),
    )
    const { status, body } = await shop.get('/social/posts/recent')
    expect(status).toBe(200)
    expect(body.posts[0]).toEqual({
      socialMediaId: '3',
      postId: null,
      kind: 'image',
      caption: 'Post 3',
      mediaUrl: 'https://photos.example/3.jpg',
      thumbnailUrl: null,
      permalink: 'https://photos.example/p/3/',
      publishedAt: `${publishedAt.toISOString().slice(0, 19)}.000Z`,
      likes: 5,
      comments: 2,
      files: [],
    })
    expect(body.account).toEqual({
      username: expect.any(String),
      socialAccountId: expect.stringMatching(/^\d+$/),
    })
    expect(body.posts.map(({ kind, caption }: { kind: string; caption: string }) => [kind, caption])).toEqual(
      [
        ['image', 'Post 3'],
        ['carousel', null],
        ['reel', 'Post 1'],
      ],
    )
    expect(body.posts[1].files).toEqual([
      { kind: 'image', mediaUrl: 'https://photos.example/2-1.jpg', thumbnailUrl: null },
      {
        kind: 'video',
        mediaUrl: 'https://photos.example/2-2.mp4',
        thumbnailUrl: 'https://photos.example/2-2.jpg',
      },
    ])
  })

  test('a post created in Parley is recognized', async () => {
    const media = [await photoId(shop)]
    const { post } = (await shop.post('/social/posts', { kind: 'image', media, action: 'publish' })).body
    const { socialMediaId } = await until(async () => {
      const { post: now } = (await shop.get(`/social/posts/${post.id}`)).body
      return now.status === 'published' && now
    }, 'the post is published')
    expect((await shop.get('/social/posts/recent')).body.posts).toMatchObject([
      { socialMediaId, postId: post.id },
    ])
  })

  test('a post that Parley has just published is in it, also if the list was read a moment before', async () => {
    await shop.get('/social/posts/recent')
    const media = [await photoId(shop)]
    const { post } = (await shop.post('/social/posts', { kind: 'image', media, action: 'publish' })).body
    await until(
      async () => (await shop.get(`/social/posts/${post.id}`)).body.post.status === 'published',
      'the post is published',
    )
    expect((await shop.get('/social/posts/recent')).body.posts).toMatchObject([{ postId: post.id }])
  })

  test('is at most ten seconds old: many readers cause one request to the network', async () => {
    network.media.push(shownPost('1'))
    const readLikes = async () => (await shop.get('/social/posts/recent')).body.posts[0].likes
    const together = await Promise.all(Array.from({ length: 8 }, readLikes))
    network.media[0]!.likes = 7
    expect([...together, await readLikes()]).toEqual(Array(9).fill(0))
    expect(network.named('GET media')).toHaveLength(1)
    clock.aheadMs += 10_000
    expect(await readLikes()).toBe(7)
  })

  test("a workspace never gets another workspace's cached answer", async () => {
    network.media.push(shownPost('1'))
    await shop.get('/social/posts/recent')
    const other = await parley.workspace()
    await other.set({ socialAddon: true })
    await connectToStandIn(parley, other.workspaceId)
    await other.get('/social/posts/recent')
    expect(new Set(network.named('GET media').map(({ path }) => path)).size).toBe(2)
  })

  test('limit, 1 to 50', async () => {
    network.media.push(...Array.from({ length: 30 }, (_, i) => shownPost(String(i))))
    expect((await shop.get('/social/posts/recent?limit=3')).body.posts).toHaveLength(3)
    expect((await shop.get('/social/posts/recent')).body.posts).toHaveLength(25)
    for (const limit of ['0', '51', 'x'])
      expect((await shop.get(`/social/posts/recent?limit=${limit}`)).status).toBe(400)
  })

  test("the network's refusal is returned in its own words, and not cached", async () => {
    network.media.push(shownPost('1'))
    network.meddle(() => networkError(100, undefined, 'Not like this.'))
    expect(await shop.get('/social/posts/recent')).toMatchObject({
      status: 400,
      body: { error: 'meta_error', code: 100, message: 'Not like this.' },
    })
    network.meddle(() => ({ ...networkError(4, undefined, 'Slow down.'), headers: { 'retry-after': '60' } }))
    const throttled = await shop.get('/social/posts/recent')
    expect(throttled).toMatchObject({ status: 429, body: { error: 'meta_error', code: 4 } })
    expect(throttled.headers['retry-after']).toBe('60')
    network.reset()
    expect((await shop.get('/social/posts/recent')).status).toBe(200)
  })

  test("a proxy's sign-in page has no effect on the token", async () => {
    network.meddle(() => ({ status: 401, body: { message: 'Sign in to the network' } }))
    expect(await shop.get('/social/posts/recent')).toMatchObject({
      status: 429,
      body: { error: 'meta_error', code: 0 },
    })
    network.reset()
    expect((await shop.get('/social/posts/recent')).status).toBe(200)
  })

  test('a token that is no longer accepted is 409 reconnect_required', async () => {
    network.meddle(() => networkError(190, 463, 'Session has expired.', 401))
    for (let i = 0; i < 2; i++)
      expect(await shop.get('/social/posts/recent')).toMatchObject({
        status: 409,
        body: { error: 'reconnect_required' },
      })
    expect(network.calls).toHaveLength(1)
  })

  test('has its own bucket: 30 requests together (spec 8.1)', async () => {
    const { headers } = await shop.get('/social/posts/recent')
    expect(headers['ratelimit-limit']).toBe('30')
  })
})

type Figures = { reach?: number; views?: number; total_interactions?: number; accounts_engaged?: number }
const figuresOf = (figures: Figures): object[] =>
  Object.entries(figures).map(([name, value]) => ({ name, period: 'day', total_value: { value } }))

describe('GET /social/insights', () => {
  test.each([7, 28])(
    '%i days: followers, views, reach, engagement, top posts, of one period',
    async (days) => {
      network.settings.insights = () =>
        figuresOf({ reach: 224, views: 900, total_interactions: 40, accounts_engaged: 31 })
      const before = clock.now().getTime()
      const { status, body } = await shop.get(`/social/insights?days=${days}`)
      const until = new Date(body.until).getTime()
      expect(until).toBeGreaterThanOrEqual(before)
      const since = new Date(until - days * DAY_MS).toISOString()
      expect([status, body]).toEqual([
        200,
        {
          days,
          since,
          until: body.until,
          followers: 1_200,
          views: 900,
          reach: 224,
          engagement: 40,
          accountsEngaged: 31,
          periods: [{ since, until: body.until, reach: 224, accountsEngaged: 31 }],
          topPosts: [],
        },
      ])
      expect(network.named('GET insights').map(({ query }) => query)).toEqual([
        {
          metric: 'reach,views,total_interactions,accounts_engaged',
          period: 'day',
          metric_type: 'total_value',
          since: String(Math.floor(Date.parse(since) / 1000)),
          until: String(Math.floor(until / 1000)),
        },
      ])
    },
  )

  test('90 days: three periods of 30; events are summed, accounts are not', async () => {
    const reachFigures = [300, 500, 400]
    network.settings.insights = () => {
      const reach = reachFigures[network.named('GET insights').length - 1]!
      return figuresOf({ reach, views: 1_000, total_interactions: 10, accounts_engaged: reach / 100 })
    }
    const { body } = await shop.get('/social/insights?days=90')
    expect(body).toMatchObject({ views: 3_000, engagement: 30, reach: 500, accountsEngaged: 5 })
    const ranges = network
      .named('GET insights')
      .map(({ query }) => [Number(query.since), Number(query.until)])
    for (const [since, until] of ranges) expect(until! - since!).toBe(30 * 86_400)
    expect(body.periods.map((period: { since: string }) => period.since)).toEqual(
      [90, 60, 30].map((days) => new Date(Date.parse(body.until) - days * DAY_MS).toISOString()),
    )
    expect(body.periods.map((period: { reach: number }) => period.reach).sort()).toEqual([300, 400, 500])
  })

  test('without data at the network the figures are null, not zero', async () => {
    const { body } = await shop.get('/social/insights?days=90')
    expect(body).toMatchObject({
      followers: 1_200,
      views: null,
      reach: null,
      engagement: null,
      accountsEngaged: null,
    })
  })

  test('top posts: those of the window with the most likes and comments, at most five', async () => {
    network.media.push(
      ...Array.from({ length: 8 }, (_, i) =>
        shownPost(String(i), { likes: i, comments: i % 3, at: daysAgo(3) }),
      ),
      shownPost('old', { likes: 1_000, at: daysAgo(8) }),
    )
    const { topPosts } = (await shop.get('/social/insights?days=7')).body
    expect(topPosts.map((post: { socialMediaId: string }) => post.socialMediaId)).toEqual([
      '7',
      '5',
      '6',
      '4',
      '2',
    ])
    const month = (await shop.get('/social/insights?days=28')).body.topPosts
    expect(month[0].socialMediaId).toBe('old')
  })

  test.each(['?days=3', '?days=91', '?days=x', '?days='])('%s is 400 naming days', async (query) => {
    const answer = await shop.get(`/social/insights${query}`)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid', issues: [{ path: 'days' }] } })
  })

  test('is at most a minute old', async () => {
    for (let i = 0; i < 3; i++) await shop.get('/social/insights?days=7')
    expect(network.named('GET insights')).toHaveLength(1)
    clock.aheadMs += 60_000
    await shop.get('/social/insights?days=7')
    expect(network.named('GET insights')).toHaveLength(2)
  })

  test('the simulator has figures, too', async () => {
    const simulated = await openSocialShop(parley)
    const { status, body } = await simulated.get('/social/insights?days=90')
    expect(status).toBe(200)
    expect(body).toMatchObject({ followers: 1_200, views: expect.any(Number), reach: expect.any(Number) })
    expect(body.periods).toHaveLength(3)
  })
})
