/**
 * Posts are published exactly once, with any answers of the network (spec 3, 4.6; docs/formats.md section
 * 14).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { movingClock } from '../../../../../test/support/moving-clock.ts'
import { photoId, videoId } from '../../../../../test/support/post-media.ts'
import { eventsOf } from '../../../../../test/support/records.ts'
import {
  connectToStandIn,
  networkError,
  type StandInNetwork,
  standInNetwork,
} from '../../../../../test/support/stand-in-network.ts'
import { until } from '../../../../../test/support/until.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

const clock = movingClock()
let network: StandInNetwork
let parley: TestParley
let shop: TestWorkspace
let photo: string
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
  shop = await parley.workspace()
  await shop.set({ socialAddon: true })
  await connectToStandIn(parley, shop.workspaceId)
  photo = await photoId(shop)
})

let captions = 0
const publish = async (body: object = {}): Promise<{ id: string; caption: string }> => {
  const input = { kind: 'image', caption: `Post ${++captions}`, media: [photo], action: 'publish', ...body }
  const answer = await shop.post('/social/posts', input)
  expect(answer.status, answer.text).toBe(201)
  return { id: answer.body.post.id, caption: input.caption }
}
const postOf = async (id: string): Promise<Body> => (await shop.get(`/social/posts/${id}`)).body.post
const out = (caption: string) => network.media.filter((media) => media.caption === caption)
const publishedEvents = async () =>
  (await eventsOf(parley, shop.workspaceId)).filter(({ name }) => name === 'social.post.published')

/** Returns the step that waits for its time, if it is not running. */
const waiting = () =>
  until(async () => {
    const rows = await parley.system((tx) =>
      tx.sql<{ runAt: Date; leasedUntil: Date | null }>(
        `select run_at, leased_until from jobs where name = 'publishPost' and workspace_id = $1 and failed_at is null`,
        [shop.workspaceId],
      ),
    )
    const due = (time: Date) => time.getTime() <= clock.now().getTime()
    if (rows.some(({ runAt, leasedUntil }) => due(runAt) || (leasedUntil && !due(leasedUntil)))) return false
    return { runAt: rows[0]?.runAt ?? null }
  }, 'no step is running')

/** Lets steps become due until the post is published or failed; returns how many it waited for. */
async function settle(id: string, maxSteps = 300): Promise<{ post: Body; waits: number }> {
  for (let waitCount = 0; waitCount <= maxSteps; waitCount++) {
    const { runAt } = await waiting()
    if (runAt === null) return { post: await postOf(id), waits: waitCount }
    clock.aheadMs += Math.max(0, runAt.getTime() - clock.now().getTime())
  }
  throw new Error(`the post has no end after ${maxSteps} waits`)
}

describe('a post is published', () => {
  test('by a container, which is published and looked up', async () => {
    const { id, caption } = await publish()
    const { post, waits } = await settle(id)
    expect(waits).toBe(0)
    const [media] = out(caption)
    expect(post).toMatchObject({
      status: 'published',
      socialMediaId: media!.id,
      permalink: `https://photos.example/p/${media!.id}/`,
    })
    expect(network.calls.map(({ name }) => name)).toEqual([
      'GET content_publishing_limit',
      'POST media',
      'GET container',
      'POST media_publish',
      'GET post',
    ])
    expect(network.named('POST media')[0]!.body).toEqual({
      image_url: expect.stringMatching(/^http.*\/media\/.*\/photo\.jpg$/),
      caption,
    })
    expect(network.named('POST media_publish')[0]!.body).toEqual({
      creation_id: [...network.containers.keys()].at(-1),
    })
  })

  test('a carousel: its photos first, in their order, then the whole', async () => {
    const photos = [photo, await photoId(shop), photo]
    const { id, caption } = await publish({ kind: 'carousel', media: photos })
    expect((await settle(id)).post.status).toBe('published')
    const bodies = network.named('POST media').map(({ body }) => body)
    expect(bodies).toEqual([
      ...photos.map(() => ({ image_url: expect.any(String), is_carousel_item: true })),
      { media_type: 'CAROUSEL', children: [...network.containers.keys()].slice(-4, -1), caption },
    ])
    expect(out(caption)).toHaveLength(1)
  })

  test('a reel waits until the network has processed its video', async () => {
    network.settings.firstState = 'IN_PROGRESS'
    const { id, caption } = await publish({ kind: 'reel', media: [await videoId(shop)] })
    await waiting()
    expect(network.named('POST media')[0]!.body).toEqual({
      media_type: 'REELS',
      video_url: expect.stringMatching(/video\.mp4$/),
      caption,
    })
    expect(await postOf(id)).toMatchObject({ status: 'scheduled', publishing: true })
    for (const container of network.containers.values()) container.state = 'FINISHED'
    const { post, waits } = await settle(id)
    expect([post.status, waits]).toEqual(['published', 1])
  })

  test('without a caption if it has none', async () => {
    const { id } = await publish({ caption: '' })
    await settle(id)
    expect(network.named('POST media')[0]!.body).toEqual({ image_url: expect.any(String) })
  })

  test('during publishing it cannot be canceled', async () => {
    network.settings.firstState = 'IN_PROGRESS'
    const { id } = await publish()
    await waiting()
    expect(await shop.post(`/social/posts/${id}/cancel`)).toMatchObject({
      status: 409,
      body: { error: 'conflict' },
    })
    for (const container of network.containers.values()) container.state = 'FINISHED'
    expect((await settle(id)).post.status).toBe('published')
  })
})

describe('a scheduled post', () => {
  test('is published at its time, not before, and announced once', async () => {
    const scheduledAt = new Date(clock.now().getTime() + DAY_MS).toISOString()
    const { id, caption } = await publish({ action: 'schedule', scheduledAt })
    clock.aheadMs += DAY_MS - 5_000
    await waiting()
    expect(out(caption)).toEqual([])
    expect(await postOf(id)).toMatchObject({ status: 'scheduled', publishing: false })
    const { post } = await settle(id)
    expect(post).toMatchObject({ status: 'published', scheduledAt })
    expect(new Date(post.publishedAt).getTime()).toBeGreaterThanOrEqual(new Date(scheduledAt).getTime())
    expect((await publishedEvents()).map(({ data }) => [data.postId, data.scheduledAt])).toEqual([
      [id, scheduledAt],
    ])
  })

  test('that was moved is published at its other time, once', async () => {
    const inDays = (days: number) => new Date(clock.now().getTime() + days * DAY_MS).toISOString()
    const [first, second, third] = [inDays(1), inDays(3), inDays(2)]
    const { id, caption } = await publish({ action: 'schedule', scheduledAt: first })
    for (const scheduledAt of [second, third])
      expect((await shop.patch(`/social/posts/${id}`, { scheduledAt })).status).toBe(200)
    clock.aheadMs += DAY_MS + MINUTE_MS
    await until(
      async () => (await waiting()).runAt!.getTime() > Date.parse(first) + MINUTE_MS,
      'the clock is a day later',
    )
    expect([out(caption), (await postOf(id)).status]).toEqual([[], 'scheduled'])
    const { post } = await settle(id)
    expect(post).toMatchObject({ status: 'published', scheduledAt: third })
    clock.aheadMs += 2 * DAY_MS
    await settle(id)
    expect([out(caption).length, (await publishedEvents()).length]).toEqual([1, 1])
  })

  test('that was canceled is not published', async () => {
    const scheduledAt = new Date(clock.now().getTime() + DAY_MS).toISOString()
    const { id, caption } = await publish({ action: 'schedule', scheduledAt })
    await shop.post(`/social/posts/${id}/cancel`)
    await settle(id)
    expect([out(caption).length, (await postOf(id)).status, await publishedEvents()]).toEqual([
      0,
      'cancelled',
      [],
    ])
  })

  test.each([
    ['the add-on is gone', { socialAddon: false }, /add-on/],
    ['the feature is off', { socialEnabled: false }, /turned off/],
  ])('fails if by then %s', async (_, patch, words) => {
    const scheduledAt = new Date(clock.now().getTime() + DAY_MS).toISOString()
    const { id, caption } = await publish({ action: 'schedule', scheduledAt })
    await shop.set(patch)
    await settle(id)
    await shop.set({ socialAddon: true, socialEnabled: true })
    expect(await postOf(id)).toMatchObject({
      status: 'failed',
      failure: { message: expect.stringMatching(words) },
    })
    expect(out(caption)).toEqual([])
  })

  test('fails if by then no account is connected', async () => {
    const scheduledAt = new Date(clock.now().getTime() + DAY_MS).toISOString()
    const { id } = await publish({ action: 'schedule', scheduledAt })
    await parley.system((tx) =>
      tx.sql(
        `update social_accounts set state = 'disconnected', token_sealed = null where workspace_id = $1`,
        [shop.workspaceId],
      ),
    )
    const { post } = await settle(id)
    expect(post).toMatchObject({
      status: 'failed',
      failure: { message: expect.stringContaining('No account') },
    })
  })
})

describe('publishing fails: failed, no event, and the post gives the reason', () => {
  const failing = async (id: string, message: string | RegExp, code: number | null) => {
    const { post } = await settle(id)
    expect(post).toMatchObject({
      status: 'failed',
      publishedAt: null,
      socialMediaId: null,
      failure: { message: expect.stringMatching(message), code },
    })
    expect(await publishedEvents()).toEqual([])
  }

  test.each([
    [9004, 2207052],
    [36003, 2207009],
    [36001, 2207005],
    [36000, 2207004],
    [352, 2207026],
    [100, 2207028],
    [25, 2207050],
    [4, 2207051],
    [9, 2207042],
    [368, undefined],
    [10, undefined],
  ])('the network refuses the container with %i/%s', async (code, subcode) => {
    network.meddle(({ name }, proceed) =>
      name === 'POST media' ? networkError(code, subcode, 'It says why.') : proceed(),
    )
    const { id } = await publish()
    await failing(id, /^It says why\./, code)
    expect(network.named('POST media')).toHaveLength(1)
  })

  test('the network refuses to publish: nothing was done, so the result is certain', async () => {
    network.meddle(({ name }, proceed) =>
      name === 'POST media_publish' ? networkError(25, 2207050, 'The account is restricted.') : proceed(),
    )
    const { id, caption } = await publish()
    await failing(id, /^The account is restricted\.$/, 25)
    expect(out(caption)).toEqual([])
  })

  test.each(['ERROR', 'EXPIRED'])('the container ends as %s', async (state) => {
    network.settings.firstState = state
    const { id } = await publish()
    await failing(id, /^Its words$/, null)
    expect(network.named('POST media_publish')).toEqual([])
  })

  test('the network has not processed a photo within five minutes', async () => {
    network.settings.firstState = 'IN_PROGRESS'
    const { id } = await publish()
    await waiting()
    clock.aheadMs += 4 * MINUTE_MS
    await waiting()
    expect((await postOf(id)).status).toBe('scheduled')
    clock.aheadMs += MINUTE_MS
    await failing(id, /didn't process the files in time/, null)
    expect(network.named('GET container').length).toBeLessThan(5)
  })

  test('the token is no longer accepted: the account needs a reconnect, too', async () => {
    network.meddle(() => networkError(190, 463, 'Session has expired.', 401))
    const { id } = await publish()
    await failing(id, /Session has expired\. Connect the account again\./, 190)
    expect((await shop.get('/social/posts/recent')).body.error).toBe('reconnect_required')
  })

  test("the network's quota is used up: nothing is sent to it", async () => {
    network.settings.quotaUsed = 100
    const { id } = await publish()
    await failing(id, /limit of 100 posts in 24 hours/, null)
    expect(network.named('POST media')).toEqual([])
  })

  test('the network cannot be reached for half an hour', async () => {
    network.meddle(() => 'lost')
    const { id } = await publish()
    await failing(id, /couldn't be reached/, null)
    // Eight attempts of one call each; a busy machine may make a few more.
    expect(network.calls.length).toBeLessThan(16)
  })
})

describe('the network has a temporary fault', () => {
  test.each([
    ['-1/2207001', -1, 2207001],
    ['-2/2207003', -2, 2207003],
    ['24/2207008', 24, 2207008],
    ['a throttle', 17, undefined],
    ['9007/2207027', 9007, 2207027],
  ])('%s is tried again: published once', async (_, code, subcode) => {
    const failingCalls = new Set(['POST media_publish'])
    network.meddle(({ name }, proceed) =>
      failingCalls.delete(name) ? networkError(code, subcode) : proceed(),
    )
    const { id, caption } = await publish()
    const { post } = await settle(id)
    expect(post).toMatchObject({ status: 'published', permalink: expect.any(String) })
    expect([out(caption).length, (await publishedEvents()).length]).toEqual([1, 1])
  })

  test.each([
    ['Retry-After', { 'retry-after': '900' }],
    [
      'X-Business-Use-Case-Usage',
      { 'x-business-use-case-usage': JSON.stringify({ 17: [{ estimated_time_to_regain_access: 15 }] }) },
    ],
  ])('the wait in a throttling answer is respected: %s', async (_, headers) => {
    let requestCount = 0
    network.meddle((_call, proceed) => (++requestCount === 1 ? { ...networkError(4), headers } : proceed()))
    const { id } = await publish()
    const { runAt } = await waiting()
    expect(runAt!.getTime() - clock.now().getTime()).toBeGreaterThan(890_000)
    expect((await settle(id)).post.status).toBe('published')
  })

  test('during video processing: checked again soon, after any number of earlier checks', async () => {
    network.settings.firstState = 'IN_PROGRESS'
    const { id } = await publish({ kind: 'reel', media: [await videoId(shop)] })
    for (let checkCount = 0; checkCount < 10; checkCount++) {
      const { runAt } = await waiting()
      clock.aheadMs += Math.max(0, runAt!.getTime() - clock.now().getTime())
    }
    await waiting()
    const failingCalls = new Set(['GET container', 'POST media_publish'])
    network.meddle(({ name }, proceed) => (failingCalls.delete(name) ? networkError(2) : proceed()))
    for (const container of network.containers.values()) container.state = 'FINISHED'
    const since = clock.now().getTime()
    expect((await settle(id)).post).toMatchObject({ status: 'published', failure: null })
    expect(clock.now().getTime() - since).toBeLessThan(3 * MINUTE_MS)
  })

  test('accepted photos of a carousel are not sent again', async () => {
    let photos = 0
    network.meddle(({ name }, proceed) =>
      name === 'POST media' && ++photos === 3 ? networkError(2) : proceed(),
    )
    const { id } = await publish({ kind: 'carousel', media: [photo, photo, photo] })
    expect((await settle(id)).post.status).toBe('published')
    expect(network.named('POST media').filter(({ body }) => body.is_carousel_item)).toHaveLength(4)
  })
})

describe("answers are lost: the network's state is checked before a call is repeated", () => {
  test.each([
    'POST media',
    'GET container',
    'POST media_publish',
    'GET post',
    'GET content_publishing_limit',
  ])('the answer to %s, after it was carried out and before', async (lostCall) => {
    for (const carriedOut of [true, false]) {
      let left = 1
      network.meddle(({ name }, proceed) => {
        if (name !== lostCall || left-- <= 0) return proceed()
        if (carriedOut) proceed()
        return 'lost'
      })
      const { id, caption } = await publish()
      const { post } = await settle(id)
      expect(post).toMatchObject({ status: 'published', socialMediaId: out(caption)[0]!.id })
      expect(out(caption)).toHaveLength(1)
      expect((await publishedEvents()).filter(({ data }) => data.postId === id)).toHaveLength(1)
    }
  })

  test('posts that look alike each find their own id', async () => {
    network.meddle(({ name }, proceed) => {
      const reply = proceed()
      return name === 'POST media_publish' ? 'lost' : reply
    })
    const posts = await Promise.all(Array.from({ length: 3 }, () => publish({ caption: 'Alike' })))
    const ended = []
    for (const { id } of posts) ended.push((await settle(id)).post)
    expect(ended.map(({ status }) => status)).toEqual(['published', 'published', 'published'])
    expect(new Set(ended.map(({ socialMediaId }) => socialMediaId))).toEqual(
      new Set(out('Alike').map(({ id }) => id)),
    )
    expect(out('Alike')).toHaveLength(3)
  })

  test('the container is published but the post is not shown: published, without an id, once', async () => {
    network.meddle(({ name }, proceed) => {
      const reply = proceed()
      if (name === 'GET media') return { status: 200, body: { data: [] } }
      return name === 'POST media_publish' ? 'lost' : reply
    })
    const { id } = await publish()
    const { post } = await settle(id)
    expect(post).toMatchObject({ status: 'published', socialMediaId: null, permalink: null })
    expect((await publishedEvents()).map(({ data }) => [data.postId, data.socialMediaId])).toEqual([
      [id, null],
    ])
  })

  test('the published post appears later: found, after any combination of lost answers', async () => {
    const lostCalls = ['POST media_publish', ...Array<string>(5).fill('GET container')]
    let searches = 0
    network.meddle(({ name }, proceed) => {
      const reply = proceed()
      if (name === 'GET media' && ++searches < 3) return { status: 200, body: { data: [] } }
      if (name !== lostCalls[0]) return reply
      lostCalls.shift()
      return 'lost'
    })
    const { id, caption } = await publish()
    const { post } = await settle(id)
    expect(post).toMatchObject({ status: 'published', socialMediaId: out(caption)[0]!.id })
  })

  test('a server error of the network with an unknown code is no refusal', async () => {
    const failingCalls = new Set(['POST media_publish'])
    network.meddle(({ name }, proceed) => {
      const reply = proceed()
      return failingCalls.delete(name) ? networkError(99, undefined, 'Something went wrong.', 500) : reply
    })
    const { id, caption } = await publish()
    const { post } = await settle(id)
    expect(post).toMatchObject({ status: 'published', socialMediaId: out(caption)[0]!.id })
    expect([out(caption).length, network.named('POST media_publish').length]).toEqual([1, 1])
  })

  test('the result is unknown for a day: failed, and the post says that it may be published', async () => {
    let isAway = false
    network.meddle(({ name }, proceed) => {
      if (name === 'POST media_publish') isAway = true
      return isAway ? 'lost' : proceed()
    })
    const { id } = await publish()
    await waiting()
    clock.aheadMs += DAY_MS - 60_000
    await waiting()
    expect(await postOf(id)).toMatchObject({ status: 'scheduled', publishing: true })
    clock.aheadMs += 120_000
    const { post } = await settle(id)
    expect(post).toMatchObject({
      status: 'failed',
      failure: { message: expect.stringMatching(/didn't confirm the post/) },
    })
    expect(network.named('POST media_publish')).toHaveLength(1)
  })

  test("after a refusal that follows a lost answer, the container's state decides", async () => {
    network.meddle(({ name, body }, proceed) => {
      if (name !== 'POST media_publish') return proceed()
      const container = network.containers.get(body.creation_id)!
      if (network.named('POST media_publish').length === 1) return 'lost'
      // The network carries out the first request late, and rejects the second as a duplicate.
      proceed()
      expect(container.state).toBe('PUBLISHED')
      return networkError(368, undefined, 'Taken for spam.')
    })
    const { id, caption } = await publish()
    const { post } = await settle(id)
    expect(post).toMatchObject({ status: 'published', socialMediaId: out(caption)[0]!.id })
    expect(out(caption)).toHaveLength(1)
  })
})

test('files are deleted 30 days after the last post that needs them; those of drafts and scheduled posts stay', async () => {
  const [unused, draftPhoto, plannedPhoto, published] = [
    photo,
    await photoId(shop),
    await photoId(shop),
    await photoId(shop),
  ]
  await publish({ media: [draftPhoto], action: 'draft' })
  const scheduledAt = new Date(clock.now().getTime() + 60 * DAY_MS).toISOString()
  await publish({ media: [plannedPhoto], action: 'schedule', scheduledAt })
  await settle((await publish({ media: [published] })).id, 0).catch(() => {})
  const storedFiles = () =>
    parley.system((tx) =>
      tx.sql<{ id: string }>('select id from social_media where workspace_id = $1 order by id', [
        shop.workspaceId,
      ]),
    )
  expect(await storedFiles()).toHaveLength(4)
  clock.aheadMs += 30 * DAY_MS + 60_000
  await until(async () => (await storedFiles()).length === 2, 'unused files are deleted')
  expect((await storedFiles()).map(({ id }) => id).sort()).toEqual([draftPhoto, plannedPhoto].sort())
  expect(unused).toBe(photo)
})
