/** The clock of a sandbox, moved from the page. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { signIn, signInByLink } from '../support/sessions.ts'
import { standingClock } from '../support/standing-clock.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

const HOUR_MS = 3_600_000
const clock = standingClock()

describe.skipIf(!hasChromium)('the clock of a sandbox', () => {
  let parley: TestParley
  let browser: Browser
  beforeAll(async () => {
    // One call handles two moments: a message has three receipts.
    parley = await boot({ clock, clockLimits: { steps: 2, ms: 60_000 } })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  test('is moved to the end, even if more work is due on the way than one call does', async () => {
    const shop = await parley.workspace({ sandbox: true })
    await shop.inbound('+919812345678', 'Hello', { name: 'Asha Rao' })
    const session = await signInByLink(
      parley,
      { workspaceId: shop.workspaceId, memberId: shop.ownerId },
      clock.now(),
    )
    const context = await profileOf(browser, parley, session)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/sandbox`)
    await page.getByRole('log').getByText('Hello').waitFor()
    const time = async () => Date.parse((await shop.get('/sandbox/clock')).body.now)
    await shop.post('/send', { to: '+919812345678', type: 'text', text: 'Hello to you' })
    const before = await time()
    const forward = page.getByRole('button', { name: 'Move the clock by 1 h' })
    await forward.click()
    await expect.poll(time).toBe(before + HOUR_MS)
    expect((await shop.get('/messages?status=read')).body.messages).toHaveLength(1)
    expect(faults).toEqual([])
    await context.close()
  })

  test('is the clock of every page, also for a viewer', async () => {
    const shop = await parley.workspace({ sandbox: true })
    await shop.advance(3 * 24 * 3_600)
    await shop.inbound('+919812345678', 'Hello', { name: 'Asha Rao' })
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'viewer'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    await expect
      .poll(() =>
        page
          .getByRole('link', { name: /Asha Rao/ })
          .locator('time')
          .textContent(),
      )
      .toBe('now')
    expect(faults).toEqual([])
    await context.close()
  })
})
