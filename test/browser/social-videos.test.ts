/** Videos of the photo network: a still picture with a mark in lists, which plays in the post. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newNetworkId } from '../../src/social-network/simulator/store.ts'
import { boot, type TestParley } from '../support/boot.ts'
import { makeFileHost } from '../support/post-files.ts'
import { signIn } from '../support/sessions.ts'
import { atNetwork, customerComments, openSocialShop } from '../support/social-shop.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { drawPhoto } from './drawn-photos.ts'
import { drawVideo } from './drawn-video.ts'
import { picture } from './picture.ts'

const REFUSED = /^Failed to load resource: the server responded with a status of 404/

describe.skipIf(!hasChromium)('videos of the photo network', () => {
  let parley: TestParley
  let browser: Browser
  let files: Awaited<ReturnType<typeof makeFileHost>>
  let still: string
  let film: string
  let filmBytes: Buffer
  beforeAll(async () => {
    files = await makeFileHost()
    parley = await boot({ env: files.env })
    browser = await launch()
    const context = await browser.newContext()
    const photo = await drawPhoto(context, { hue: 300, name: 'Peacock', width: 270, height: 480 })
    filmBytes = await drawVideo(context)
    await context.close()
    still = files.serve(photo)
    film = files.serve((response) => response.writeHead(200, { 'content-type': 'video/webm' }).end(filmBytes))
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
    await files?.close()
  })

  /** A shop with a reel at the network that was not created here, and a comment on it. */
  async function arrange(url: string) {
    const shop = await openSocialShop(parley)
    const id = newNetworkId()
    const value = {
      caption: 'From the loom',
      media_type: 'VIDEO',
      media_product_type: 'REELS',
      media_url: url,
      thumbnail_url: still,
      permalink: 'https://network.example/reel/1',
      timestamp: new Date().toISOString().replace(/\.\d+Z$/, '+0000'),
      like_count: 12,
      comments_count: 1,
    }
    await atNetwork(parley, shop, (store, account) =>
      store.keep(account, { kind: 'media', id, value, expiresAt: null }),
    )
    await customerComments(parley, shop, { from: 'asha_r', text: 'Which silk is this?', mediaId: id })
    return shop
  }

  test.for([
    ['on a screen', { viewport: { width: 1280, height: 900 } }],
    ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ] as const)('a reel has a still picture in lists, and plays in the post: %s', async ([where, options]) => {
    const shop = await arrange(film)
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'), options)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/social/posts`)
    const row = page.getByRole('listitem').filter({ hasText: 'From the loom' })
    await row.locator('[data-play-mark]').waitFor()
    expect(await row.locator('video').count()).toBe(0)
    await picture(page, `social-video-list-${where.replaceAll(' ', '-')}`)
    await row
      .getByRole('button', { name: /From the loom/ })
      .first()
      .click()
    const post = page.getByRole('dialog', { name: 'Reel' })
    const play = post.getByRole('button', { name: 'Play video' })
    await play.waitFor()
    await picture(page, `social-video-${where.replaceAll(' ', '-')}`)
    expect(await violationsOf(page)).toEqual([])
    // Nothing is loaded before a member plays it.
    expect(files.asked.filter(({ url }) => film.endsWith(url ?? ' ')).length).toBe(
      where === 'on a screen' ? 0 : 1,
    )
    await play.click()
    const player = post.locator('video')
    await expect
      .poll(() => player.evaluate((video) => (video as unknown as { currentTime: number }).currentTime))
      .toBeGreaterThan(0)
    await picture(page, `social-video-plays-${where.replaceAll(' ', '-')}`)
    await page.keyboard.press('Escape')
    await post.waitFor({ state: 'detached' })

    // The comment shows the mark too, and opens the same post.
    await page.getByRole('tab', { name: 'Comments' }).click()
    const comment = page.getByRole('listitem').filter({ hasText: 'Which silk is this?' })
    await comment.locator('[data-play-mark]').waitFor()
    expect(await comment.locator('time').first().getAttribute('title')).toMatch(/\d:\d\d:\d\d/)
    await picture(page, `social-video-comment-${where.replaceAll(' ', '-')}`)
    await comment.getByRole('button', { name: /From the loom/ }).click()
    await play.waitFor()
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('a video that the browser cannot play says so, and the post stays open', async () => {
    const broken = files.serve((response) =>
      response.writeHead(200, { 'content-type': 'video/mp4' }).end('no video'),
    )
    const shop = await arrange(broken)
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'))
    const { page } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/social/posts`)
    const row = page.getByRole('listitem').filter({ hasText: 'From the loom' })
    await row
      .getByRole('button', { name: /From the loom/ })
      .first()
      .click()
    const post = page.getByRole('dialog', { name: 'Reel' })
    await post.getByRole('button', { name: 'Play video' }).click()
    await post.getByRole('alert').getByText("Your browser can't play this video.").waitFor()
    await post.getByRole('button', { name: 'Play video' }).waitFor()
    await context.close()
  })
})
