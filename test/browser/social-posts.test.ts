/** Posts of the photo network: all files of a carousel, and the preview of a post while it is written. */
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { movingClock } from '../support/moving-clock.ts'
import { signIn } from '../support/sessions.ts'
import { customerComments, openSocialShop } from '../support/social-shop.ts'
import { until } from '../support/until.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { drawPhoto } from './drawn-photos.ts'
import { looked } from './page-problems.ts'
import { picture } from './picture.ts'

const HOUR_MS = 3_600_000
const DESKTOP = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }
/** 404: the simulated network has no pictures. */
const REFUSED = /^Failed to load resource: the server responded with a status of (404|422)/
const CAPTION =
  'Five new wedding silks have arrived from the looms of Yeola, each with a hand-woven peacock border. Come and feel them this weekend, we keep tea ready for you.\n\n#silk #handloom @blue.lotus'
const COMMENTS: [from: string, text: string][] = [
  [
    'asha_r',
    'What is the price of the peacock one? I need it before the 12th, for my sister’s wedding in Nashik.',
  ],
  ['meera.weaves', 'Such fine zari work! 😍'],
  ['ravi_d', 'Do you ship to Mumbai? And can I pay on delivery?'],
  ['tomf', 'Beautiful'],
]
const SILKS = [
  { hue: 20, name: 'Lotus red' },
  { hue: 300, name: 'Peacock' },
  { hue: 150, name: 'Leaf' },
  { hue: 250, name: 'Night' },
  { hue: 70, name: 'Saffron' },
]

describe.skipIf(!hasChromium)('posts of the photo network', () => {
  const clock = movingClock()
  let parley: TestParley
  let browser: Browser
  let photos: Buffer[]
  beforeAll(async () => {
    parley = await boot({ clock })
    browser = await launch()
    const context = await browser.newContext()
    photos = []
    for (const silk of SILKS) photos.push(await drawPhoto(context, { ...silk, height: 1350 }))
    await context.close()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const open = async (shop: { workspaceId: string }, options: object = {}) => {
    const session = await signIn(parley, shop, 'admin', clock.now())
    const context = await profileOf(browser, parley, session, {
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      viewport: DESKTOP,
      ...options,
    })
    return { context, ...(await openPage(context)) }
  }
  const upload = async (shop: TestWorkspace, photo: Buffer): Promise<string> =>
    (await shop.post('/social/media/upload', { fileBase64: photo.toString('base64') })).body.media.mediaId
  const isShown = (image: Locator) =>
    image.evaluate(
      (element: { complete: boolean; naturalWidth: number }) => element.complete && element.naturalWidth > 0,
    )

  /** Fills a shop with posts in several states; one carousel is on the network. */
  async function openFilledShop() {
    const shop = await openSocialShop(parley, clock)
    const media: string[] = []
    for (const photo of photos) media.push(await upload(shop, photo))
    const posts = [
      { kind: 'image', caption: 'A single silk for a single day', media: media.slice(3, 4), action: 'draft' },
      { kind: 'carousel', caption: CAPTION, media, action: 'publish' },
      {
        kind: 'carousel',
        caption: 'Borders, close up',
        media: media.slice(1, 4),
        action: 'schedule',
        scheduledAt: new Date(clock.now().getTime() + 30 * HOUR_MS).toISOString(),
      },
    ]
    for (const post of posts) expect((await shop.post('/social/posts', post)).status).toBe(201)
    await until(async () => {
      clock.aheadMs += 5_000
      const { posts } = (await shop.get('/social/posts?status=published')).body
      return posts.length === 1
    }, 'the carousel is published')
    return shop
  }

  test('a carousel shows all of its pictures in the list and in the post: by keys, arrows, and swiping', async () => {
    const shop = await openFilledShop()
    const { context, page, faults } = await open(shop)
    await page.goto(`/w/${shop.workspaceId}/social/posts`)
    const list = page.getByRole('list', { name: 'Posts created here' })
    const row = list.getByRole('listitem').filter({ hasText: 'Five new wedding' })
    const strip = (place: number) => row.getByRole('group', { name: `${place} of 5` })
    await strip(1).focus()
    await page.keyboard.press('ArrowRight')
    await strip(2).waitFor()
    await page.keyboard.press('End')
    await strip(5).waitFor()
    await expect.poll(() => isShown(row.locator('img').last())).toBe(true)
    await page.keyboard.press('ArrowRight')
    await strip(5).waitFor()
    await row.getByRole('button', { name: 'Previous picture' }).click()
    await strip(4).waitFor()
    // A finger scrolls the strip.
    await strip(4).evaluate((element) => element.scrollTo({ left: 0 }))
    await strip(1).waitFor()
    const live = page.getByRole('list', { name: 'Posts on the network' })
    await live.getByRole('group', { name: '1 of 5' }).waitFor()
    await expect.poll(() => isShown(live.locator('img').first())).toBe(true)
    expect(await looked(page, 'social-posts')).toEqual([])
    await page.setViewportSize(DESKTOP)
    await picture(page, 'social-posts-1280')

    await row.getByRole('button', { name: /^Five new wedding/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Several photos' })
    await dialog.getByRole('button', { name: 'Next picture' }).click()
    await dialog.getByRole('group', { name: '2 of 5' }).waitFor()
    await dialog.getByText('Published').waitFor()
    expect(await dialog.getByText('#silk').count()).toBe(0)
    await picture(page, 'social-post-1280')
    await dialog.getByRole('button', { name: 'more', exact: true }).click()
    await dialog.getByText('#silk').waitFor()
    expect(await looked(page, 'social-post')).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await live.getByRole('group', { name: '1 of 5' }).press('Enter')
    await dialog.getByText('Likes').waitFor()
    await page.keyboard.press('Escape')

    const { socialMediaId: mediaId } = (await shop.get('/social/posts?status=published')).body.posts[0]
    for (const [from, text] of COMMENTS) await customerComments(parley, shop, { from, text, mediaId })
    await page.getByRole('tab', { name: 'Comments' }).click()
    const comment = page.getByRole('listitem').filter({ hasText: COMMENTS[0]![1] })
    await comment.getByText('On “Five new wedding silks').waitFor()
    expect(await looked(page, 'social-comments')).toEqual([])
    await comment.getByRole('button', { name: /^Show post “Five new/ }).click()
    await dialog.getByRole('group', { name: '1 of 5' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.setViewportSize(DESKTOP)
    await page.getByRole('tab', { name: 'Insights' }).click()
    await page.getByRole('list', { name: 'Top posts' }).waitFor()
    expect(await looked(page, 'social-insights')).toEqual([])
    await page.setViewportSize(DESKTOP)
    await page.getByRole('tab', { name: 'Calendar' }).click()
    await page.getByRole('button', { name: /^Five new wedding/ }).click()
    await page.getByRole('menuitem', { name: 'Show post' }).click()
    await dialog.getByRole('group', { name: '1 of 5' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await looked(page, 'social-calendar')).toEqual([])
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  const filesOf = (chosen: readonly Buffer[]) =>
    chosen.map((buffer, i) => ({ name: `${SILKS[i]!.name}.jpg`, mimeType: 'image/jpeg', buffer }))

  test('the editor shows the post as it will appear; files move by keys and by dragging', async () => {
    const shop = await openSocialShop(parley, clock)
    const { context, page, faults } = await open(shop)
    await page.goto(`/w/${shop.workspaceId}/social/posts`)
    await page.getByRole('button', { name: 'Create post' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create post' })
    const preview = dialog.getByRole('article', { name: 'Preview of the post' })
    await preview.getByText(shop.account.profile.username).first().waitFor()
    await preview.getByText('No photo yet').waitFor()
    await dialog.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Several photos' }).click()
    await dialog.locator('input[type=file]').setInputFiles(filesOf(photos.slice(0, 3)))
    await dialog.getByRole('button', { name: 'Remove Leaf.jpg' }).waitFor()
    await dialog.getByLabel('Caption').fill(CAPTION)
    await preview.getByRole('button', { name: 'more', exact: true }).waitFor()
    await preview.getByRole('group', { name: '1 of 3' }).waitFor()

    const files = dialog.getByRole('listitem')
    const namesOf = async () => (await files.allInnerTexts()).map((text) => text.trim())
    const handle = (name: string) => dialog.getByRole('button', { name: new RegExp(`^Move ${name}.jpg, `) })
    await handle('Lotus red').focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(namesOf).toEqual(['Peacock.jpg', 'Lotus red.jpg', 'Leaf.jpg'])
    // The focus stays on the moved file.
    await page.keyboard.press('ArrowDown')
    await expect.poll(namesOf).toEqual(['Peacock.jpg', 'Leaf.jpg', 'Lotus red.jpg'])
    await dialog.getByText('Lotus red.jpg: 3 of 3').waitFor()
    await handle('Lotus red').dragTo(files.first())
    await expect.poll(namesOf).toEqual(['Lotus red.jpg', 'Peacock.jpg', 'Leaf.jpg'])
    const sourceOf = (image: Locator) => image.first().getAttribute('src')
    expect(await sourceOf(preview.getByRole('group').locator('img'))).toBe(
      await sourceOf(files.locator('img')),
    )
    expect(await looked(page, 'social-editor')).toEqual([])
    await page.setViewportSize(DESKTOP)
    await picture(page, 'social-editor-1280')

    // A reel is tall.
    await dialog.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Reel' }).click()
    const { width, height } = (await preview.boundingBox())!
    expect(width / height).toBeCloseTo(9 / 16, 1)
    await picture(page, 'social-reel-1280')
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('on a phone, the preview is a tab of the editor', async () => {
    const shop = await openFilledShop()
    const { context, page, faults } = await open(shop, { viewport: PHONE, hasTouch: true, isMobile: true })
    await page.goto(`/w/${shop.workspaceId}/social/posts`)
    await page.getByRole('button', { name: 'Edit post “Borders, close up”' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit post' })
    await dialog.getByLabel('Caption').fill('Borders, from near')
    await picture(page, 'social-editor-390')
    await dialog.getByRole('tab', { name: 'Preview' }).click()
    const preview = dialog.getByRole('article', { name: 'Preview of the post' })
    await preview.getByText('Borders, from near').waitFor()
    await preview.getByRole('group', { name: '1 of 3' }).waitFor()
    await picture(page, 'social-preview-390')
    await dialog.getByRole('tab', { name: 'Write' }).click()
    expect(await dialog.getByLabel('Caption').inputValue()).toBe('Borders, from near')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Borders, from near', exact: true }).waitFor()
    await picture(page, 'social-posts-390')
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })
})
