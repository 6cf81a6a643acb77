/**
 * docs/reliability.md row 2, for posts: if a process dies at any step, each post is still published exactly
 * once and announced once.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Body, clientOf } from '../support/boot.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { killableInstallation } from '../support/killable-installation.ts'
import { type Admin, newShop } from '../support/load.ts'
import { photoId, videoId } from '../support/post-media.ts'
import { eventsOf } from '../support/records.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { newInstallation } from '../support/server-process.ts'
import {
  connectToStandIn,
  networkError,
  type StandInNetwork,
  standInNetwork,
} from '../support/stand-in-network.ts'
import { until } from '../support/until.ts'

/** Every call of publishing. */
const STEPS = [
  'GET content_publishing_limit',
  'POST media',
  'GET container',
  'POST media_publish',
  'GET post',
  'GET media',
]
const POSTS = 9

let network: StandInNetwork
beforeAll(async () => {
  network = await standInNetwork()
})
afterAll(() => network?.close())
const installation = killableInstallation(() => network.env)

async function openShop(admin: Admin, url: string) {
  const workspace = await newShop(admin, {}, { socialAddon: true })
  await connectToStandIn(admin, workspace.workspaceId)
  return { ...workspace, ...clientOf(url, workspace.apiKey) }
}

/** Moves the waits before each retry as if they had passed. */
const passWaits = (admin: Admin) =>
  admin.query(`update jobs set run_at = least(run_at, $1) where name = 'publishPost'`, [new Date()])

/**
 * Expires the leases of a dead or sleeping process, as if their time had passed. The leases of a working
 * process stay, because it renews them, and an attempt that is taken over repeatedly while it runs ends as
 * one that broke that often.
 */
const expireLeases = (admin: Admin) =>
  admin.query(`update jobs set leased_until = $1 where name = 'publishPost' and leased_until is not null`, [
    new Date(),
  ])

test(
  'kill -9 at every step of publishing, with lost answers: each post is published once, and announced once',
  async () => {
    const random = randomFrom(seedOf('killed publishing'))
    const server = await installation.start()
    const { admin } = server
    const shop = await openShop(admin, server.url)
    const photo = await photoId(shop)
    const video = await videoId(shop)
    const KINDS = [
      { kind: 'image', media: [photo] },
      { kind: 'carousel', media: [photo, photo, photo] },
      { kind: 'reel', media: [video] },
    ]
    let isWell = false
    let killAt: string | undefined
    const serverDeath: { killed?: Promise<unknown> | undefined } = {}
    const readKilled = (): Promise<unknown> | undefined => serverDeath.killed
    network.meddle((call, act) => {
      if (killAt === call.name && random() < 0.5) {
        killAt = undefined
        const wasCarriedOut = random() < 0.5
        if (wasCarriedOut) act()
        serverDeath.killed = server.kill()
        return undefined
      }
      const chance = isWell ? 1 : random()
      if (chance < 0.05) return 'lost'
      if (chance > 0.1) {
        const reply = act()
        // The call is carried out, and its answer is lost or is a server error of the network.
        if (!isWell && chance < 0.16) return 'lost'
        return !isWell && chance < 0.2 ? networkError(-1, 2207001, 'Server error') : reply
      }
      return networkError(2, undefined, 'Unavailable')
    })

    const captions = new Map<string, string>()
    let kills = 0
    for (const round of roundsOf(STEPS.length)) {
      for (let i = 0; i < POSTS; i++) {
        const caption = `Post ${round}.${i}`
        const answer = await shop.post('/social/posts', { ...KINDS[i % 3], caption, action: 'publish' })
        expect(answer.status, answer.text).toBe(201)
        captions.set(answer.body.post.id, caption)
      }
      serverDeath.killed = undefined
      killAt = STEPS[(round - 1) % STEPS.length]
      // A step may not occur any more, when the remaining posts are past it.
      await until(
        async () => {
          if (serverDeath.killed) return true
          await passWaits(admin)
          const [left] = await admin.query<{ count: number }>(
            `select count(*)::int as count from jobs where name = 'publishPost'`,
          )
          return left?.count === 0
        },
        'the process dies during publishing',
        60_000,
      )
      // No process dies while the next posts are created.
      killAt = undefined
      const death = readKilled()
      if (!death) continue
      await death
      kills++
      await expireLeases(admin)
      await server.restart()
    }

    isWell = true
    const posts = await until(
      async () => {
        await passWaits(admin)
        const rows = await admin.query<{ id: string; status: string; networkMediaId: string | null }>(
          'select id, status, network_media_id as "networkMediaId" from social_posts',
        )
        return rows.every(({ status }) => status === 'published' || status === 'failed') && rows
      },
      'every post is published or failed',
      120_000,
    )
    expect(posts.filter(({ status }) => status !== 'published')).toEqual([])
    expect(posts).toHaveLength(captions.size)
    const out = [...captions.values()].map((caption) =>
      network.media.filter((item) => item.caption === caption),
    )
    expect(out.filter((media) => media.length !== 1)).toEqual([])
    for (const { id, networkMediaId } of posts)
      expect(network.media.find((item) => item.id === networkMediaId)?.caption).toBe(captions.get(id))
    const events = (await eventsOf(admin, shop.workspaceId)).filter(
      ({ name }: { name: string }) => name === 'social.post.published',
    )
    expect(events.map(({ data }: { data: Body }) => data.postId).sort()).toEqual([...captions.keys()].sort())
    expect(kills).toBeGreaterThan(0)
    recordFigures({
      rows: '2',
      fault: 'kill -9 at every step of publishing a post; the network hangs up, and lies',
      rounds: kills,
      kills,
      accepted: captions.size,
      lost: captions.size - posts.length,
      doubled: out.filter((media) => media.length > 1).length,
    })
  },
  timeFor(300_000),
)

test('a process that sleeps while publishing wakes while another has taken over: the post is published once', async () => {
  network.reset()
  const second = await newInstallation(installation.settings())
  const sleeper = await installation.start()
  onTestFinished(() => second.remove())
  const { admin } = sleeper
  const shop = await openShop(admin, sleeper.url)
  const firstWait = Promise.withResolvers<void>()
  const takenOver = Promise.withResolvers<void>()
  network.meddle(async ({ name }, act) => {
    if (name === 'POST media_publish' && network.named(name).length === 1) {
      process.kill(sleeper.pid, 'SIGSTOP')
      firstWait.resolve()
      // The request was on its way all that time.
      await takenOver.promise
    }
    return act()
  })
  const media = [await photoId(shop)]
  const caption = randomUUID()
  const { post } = (await shop.post('/social/posts', { kind: 'image', caption, media, action: 'publish' }))
    .body
  await firstWait.promise
  const helper = await second.start()
  const statusOf = async () =>
    (await admin.query<{ status: string }>('select status from social_posts where id = $1', [post.id]))[0]!
      .status
  await expireLeases(admin)
  await until(async () => {
    await passWaits(admin)
    return (await statusOf()) === 'published'
  }, 'the other process publishes the post')
  takenOver.resolve()
  process.kill(sleeper.pid, 'SIGCONT')
  await until(() => network.named('POST media_publish').length >= 2, 'both processes have called the network')
  await sleeper.end('SIGTERM')
  await helper.end('SIGTERM')
  expect(network.media.filter((item) => item.caption === caption)).toHaveLength(1)
  expect(await statusOf()).toBe('published')
  const events = (await eventsOf(admin, shop.workspaceId)).filter(
    ({ name }) => name === 'social.post.published',
  )
  expect(events).toHaveLength(1)
})
