/** Chats that are snoozed by keys and by menu, wait in their tab, and come back. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)('snooze', () => {
  let parley: TestParley
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  test('a snoozed chat waits under Snoozed, and comes back at its time or when the customer writes', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound('+919812345678', 'Is the blue one in stock?', { name: 'Asha Rao' })
    await shop.inbound('+919812345679', 'When do you open?', { name: 'Binoy Das' })
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'), {
      viewport: { width: 1280, height: 800 },
    })
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    const tabs = page.getByRole('tablist', { name: 'Chats' })
    const row = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })
    const log = (name: string) => page.getByRole('log', { name: `Messages with ${name}` })
    const isSnoozed = async (name: string) =>
      (await shop.get('/conversations')).body.conversations.find(
        (chat: { contact: { name: string } }) => chat.contact.name === name,
      ).isSnoozed

    // By key, until tomorrow.
    await row('Asha Rao').click()
    await log('Asha Rao').getByText('Is the blue one in stock?').waitFor()
    await page.keyboard.press('z')
    await page.getByRole('option', { name: /^Tomorrow/ }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await picture(page, 'snooze-choices')
    await page.keyboard.type('tomorrow')
    await page.keyboard.press('Enter')
    await page
      .getByText(/^Snoozed until .*9:00/)
      .first()
      .waitFor()
    await expect.poll(() => isSnoozed('Asha Rao')).toBe(true)
    await log('Asha Rao')
      .getByText(/^Snoozed until/)
      .waitFor()
    await tabs.getByRole('tab', { name: 'Snoozed 1' }).waitFor()
    await tabs.getByRole('tab', { name: 'All 1' }).waitFor()
    await page.mouse.move(1_000, 400)
    await row('Asha Rao').waitFor({ state: 'detached' })

    // By menu, until the customer replies.
    await row('Binoy Das').click()
    await log('Binoy Das').getByText('When do you open?').waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('menuitem', { name: /^Snooze/ }).click()
    await page.getByRole('option', { name: 'Until the customer replies' }).click()
    await tabs.getByRole('tab', { name: 'Snoozed 2' }).click()
    await row('Asha Rao').waitFor()
    await row('Binoy Das').waitFor()
    await page.getByText('Snoozed until the customer replies · Unassigned').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await picture(page, 'snooze-tab')
    await page.emulateMedia({ colorScheme: 'dark' })
    await picture(page, 'snooze-tab-dark')
    await page.emulateMedia({ colorScheme: 'light' })

    // The customer writes.
    await shop.inbound('+919812345679', 'Hello?', { name: 'Binoy Das' })
    await tabs.getByRole('tab', { name: 'Snoozed 1' }).waitFor()
    await log('Binoy Das').getByText('Back from snooze').waitFor()

    // The time passes: the chat is above the later message of the other.
    await tabs.getByRole('tab', { name: /^All/ }).click()
    await row('Binoy Das').waitFor()
    await page.mouse.move(1_000, 400)
    await shop.advance(8 * 24 * 3_600)
    await row('Asha Rao').getByLabel('Back from snooze').waitFor()
    await expect
      .poll(() => page.locator('[data-conversation]').allInnerTexts())
      .toEqual([expect.stringContaining('Asha Rao'), expect.stringContaining('Binoy Das')])
    await picture(page, 'snooze-back')

    // A time of the agent's choice, ended by hand.
    await row('Binoy Das').click()
    await log('Binoy Das').getByText('Hello?').waitFor()
    await page.keyboard.press('z')
    await page.getByRole('option', { name: 'Pick a time …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Snooze until' })
    await dialog.getByLabel('Date and time').fill('2020-01-01T09:00')
    await dialog.getByRole('button', { name: 'Snooze' }).click()
    await dialog.getByText('Must be in the future, at most a year ahead.').waitFor()
    await picture(page, 'snooze-time')
    const { now } = (await shop.get('/sandbox/clock')).body
    const day = new Date(Date.parse(now) + 3 * 24 * 3_600_000).toISOString().slice(0, 10)
    await dialog.getByLabel('Date and time').fill(`${day}T09:00`)
    await dialog.getByRole('button', { name: 'Snooze' }).click()
    await expect.poll(() => isSnoozed('Binoy Das')).toBe(true)
    await page.getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('menuitem', { name: 'End snooze' }).click()
    await expect.poll(() => isSnoozed('Binoy Das')).toBe(false)
    await log('Binoy Das').getByText('Snooze ended').waitFor()

    await page.setViewportSize({ width: 390, height: 844 })
    await picture(page, 'snooze-phone-chat')
    await page.goto(`/w/${shop.workspaceId}/inbox?view=snoozed`)
    await page.getByText('No snoozed chats').waitFor()
    await picture(page, 'snooze-phone-empty')
    expect(faults).toEqual([])
    await context.close()
  })
})
