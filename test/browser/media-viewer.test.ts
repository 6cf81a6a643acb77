/** Files of a chat: shown in their bubbles, and one after the other in full screen. */
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { uploadOf } from '../support/files.ts'
import { signInByLink } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

/** A red dot. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/q842iQAAAABJRU5ErkJggg=='
const ASHA = '+919812345678'

describe.skipIf(!hasChromium)('files of a chat', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let chat: string
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true })
    const files = [
      [{ ...uploadOf('image/png'), fileBase64: PNG, filename: 'dot.png' }, 'The red one'],
      [uploadOf('application/pdf', 900, { filename: 'Order.pdf' }), undefined],
      [{ ...uploadOf('image/png'), fileBase64: PNG, filename: 'dot.png' }, 'Seen from behind'],
    ] as const
    for (const [file, caption] of files) {
      const { body } = await shop.post('/media', file)
      await shop.post('/sandbox/inbound', {
        from: ASHA,
        name: 'Asha Rao',
        mediaId: body.id,
        ...(caption ? { caption } : {}),
      })
      await shop.advance(1)
    }
    chat = (await shop.get('/conversations')).body.conversations[0].id
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  test.each<[string, BrowserContextOptions]>([
    ['on a desk', {}],
    ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ])(
    'are viewed one after the other, and closing returns to the file that was opened first, %s',
    async (_place, options) => {
      const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
      const context = await profileOf(browser, parley, session, options)
      const { page, faults } = await openPage(context)
      // A picture keeps its place while its file is under way, and is loaded and decoded only near the view.
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      await page.route(/\/files\//, async (route) => {
        await released
        await route.continue()
      })
      await page.goto(`/w/${shop.workspaceId}/inbox/${chat}`)
      await page.getByRole('log').getByText('Order.pdf').waitFor()
      const picture = page.getByRole('img', { name: 'The red one' })
      const sizeOfPicture = async () => {
        const box = await picture.boundingBox()
        return [Math.round(box!.width), Math.round(box!.height)]
      }
      const before = await sizeOfPicture()
      expect(before[1]).toBe(240)
      expect([await picture.getAttribute('loading'), await picture.getAttribute('decoding')]).toEqual([
        'lazy',
        'async',
      ])
      release()
      await until(
        () => picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth > 0),
        'the picture is loaded',
      )
      expect(await sizeOfPicture()).toEqual(before)
      const first = page.getByRole('button', { name: 'Enlarge: The red one' })
      await first.click()
      const viewer = page.getByRole('dialog', { name: /^Photo/ })
      await viewer.getByRole('img', { name: 'The red one' }).waitFor()
      await page.keyboard.press('ArrowRight')
      const document = page.getByRole('dialog', { name: /^Order\.pdf/ })
      await document.getByRole('link', { name: 'Download Order.pdf' }).first().waitFor()
      await page.getByRole('button', { name: 'Next file' }).click()
      await viewer.getByRole('img', { name: 'Seen from behind' }).waitFor()
      // It ends with the last.
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowLeft')
      await document.waitFor()
      await page.keyboard.press('ArrowLeft')
      await viewer.getByRole('img', { name: 'The red one' }).waitFor()
      await page.keyboard.press('Escape')
      await viewer.waitFor({ state: 'detached' })
      await expect
        .poll(() =>
          first.evaluate(
            (button: { ownerDocument: { activeElement: unknown } }) =>
              button.ownerDocument.activeElement === button,
          ),
        )
        .toBe(true)
      await page.getByRole('log', { name: 'Messages with Asha Rao' }).waitFor()
      expect(faults).toEqual([])
      await context.close()
    },
  )
})
