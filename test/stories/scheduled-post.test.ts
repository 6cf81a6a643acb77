/**
 * A shop plans a post for the evening: an agent prepares it, an admin schedules it, and it is published at
 * its time.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { movingClock } from '../support/moving-clock.ts'
import { jpegOf } from '../support/post-files.ts'
import { makeReceivers } from '../support/receiver.ts'
import { openSocialShop, type SocialShop } from '../support/social-shop.ts'
import { until } from '../support/until.ts'

const HOUR_MS = 3_600_000

const clock = movingClock()
let receivers: Awaited<ReturnType<typeof makeReceivers>>
let parley: TestParley
let shop: SocialShop
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env, clock })
  shop = await openSocialShop(parley)
})
afterAll(async () => {
  await parley.close()
  await receivers.close()
})

test('a scheduled post is published at its time', async () => {
  const receiver = await receivers.open()
  const { webhook } = (await shop.post('/webhooks', { url: receiver.url, events: ['social.post.published'] }))
    .body
  const agent = await shop.as('agent')

  // The agent adds two photos, sees the network's objections, and writes a draft.
  const fileBase64 = (width: number, height: number) => jpegOf({ width, height }).toString('base64')
  const wide = await agent.post('/social/media/upload', { fileBase64: fileBase64(1080, 400) })
  expect(wide.body.hints).toEqual([expect.stringMatching(/aspect ratio/)])
  const square = await agent.post('/social/media/upload', { fileBase64: fileBase64(1080, 1080) })
  expect(square.body.hints).toEqual([])
  const written = {
    kind: 'image',
    caption: 'Diwali silks at seven #handloom',
    media: [square.body.media.mediaId],
  }
  expect((await agent.post('/social/posts', { ...written, action: 'draft' })).body.post.status).toBe('draft')

  // The agent may not schedule; the admin schedules it for the evening, and a second post by mistake.
  const evening = new Date(clock.now().getTime() + 7 * HOUR_MS).toISOString()
  const planned = { ...written, action: 'schedule', scheduledAt: evening }
  expect((await agent.post('/social/posts', planned)).body.error).toBe('forbidden')
  const { post } = (await shop.post('/social/posts', planned)).body
  const mistake = (await shop.post('/social/posts', { ...planned, caption: 'Mistake' })).body.post
  expect((await shop.post(`/social/posts/${mistake.id}/cancel`)).body.post.status).toBe('cancelled')

  // Afternoon: nothing has been published.
  clock.aheadMs += 6 * HOUR_MS
  expect((await shop.get(`/social/posts/${post.id}`)).body.post.status).toBe('scheduled')
  expect((await shop.get('/social/posts/recent')).body.posts).toEqual([])

  // Seven o'clock.
  clock.aheadMs += HOUR_MS
  const out = await until(async () => {
    const now = (await shop.get(`/social/posts/${post.id}`)).body.post
    return now.status === 'published' && now
  }, 'the post is published')
  const [delivery] = await receiver.wait(1)
  expect(delivery!.body.data).toEqual({
    postId: post.id,
    kind: 'image',
    caption: written.caption,
    socialMediaId: out.socialMediaId,
    permalink: out.permalink,
    scheduledAt: evening,
    publishedAt: out.publishedAt,
  })

  // All deliveries are recorded before the clock moves on.
  await until(async () => {
    const { deliveries } = (await shop.get(`/webhooks/${webhook.id}/deliveries`)).body
    return deliveries.length === 1 && deliveries[0].status !== 'pending'
  }, 'the delivery has a result')

  // The post is published once, and the canceled one is not.
  clock.aheadMs += HOUR_MS
  const { posts } = (await shop.get('/social/posts/recent')).body
  expect(posts).toMatchObject([
    { postId: post.id, socialMediaId: out.socialMediaId, caption: written.caption },
  ])
  expect((await shop.get('/social/insights?days=7')).body.topPosts).toMatchObject([{ postId: post.id }])
  expect(receiver.received).toHaveLength(1)
  expect((await shop.post(`/social/posts/${post.id}/cancel`)).status).toBe(409)
})
