/** Moving in: an admin checks a file, imports it during a reload, reads the report, and sees the messages in the chat. */
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import ar from '../../dashboard/settings/parts/move-in/ar.json' with { type: 'json' }
import { boot, type TestParley } from '../support/boot.ts'
import { ACCOUNT, TOKEN } from '../support/chatwoot-account.ts'
import { DASHBOARD, signIn } from '../support/sessions.ts'
import { type StandInChatwoot, startChatwoot } from '../support/stand-in-chatwoot.ts'
import { until } from '../support/until.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const CSV = `Phone;Direction;Date;Message
+919812345678;in;13.05.2024 10:00;Is the blue one in stock?
+919812345678;out;13.05.2024 10:01;Yes, in every size.
12;in;13.05.2024 10:02;No number
+919812345678;sideways;13.05.2024 10:02;No direction
`
const CHAT = `13/05/2024, 10:00 - Asha Rao: Can I pay by card?
13/05/2024, 10:01 - Blue Lotus: Yes, by card and in cash.
`

const expectAccessible = async (page: Page) =>
  expect((await violationsOf(page)).map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)).toEqual([])

describe.skipIf(!hasChromium)('moving in', () => {
  let parley: TestParley
  let browser: Browser
  let account: StandInChatwoot
  beforeAll(async () => {
    account = await startChatwoot({ contacts: 50, conversations: 70, phone: '+911234567890' })
    parley = await boot({ env: account.env })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
    await account?.stop()
  })

  test('a file is checked, imported, and reported; its messages name their origin', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const admin = await signIn(parley, shop, 'admin')
    const context = await profileOf(browser, parley, admin, { viewport: { width: 1_280, height: 900 } })
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/settings/move-in`)
    await page.getByText('No imports yet').waitFor()
    await expectAccessible(page)
    await picture(page, 'move-in-empty')
    await page.getByRole('button', { name: /^Chatwoot/ }).click()
    const chatwoot = page.getByRole('dialog', { name: 'Chatwoot' })
    await chatwoot.getByLabel('Address').fill('app.chatwoot')
    await chatwoot.getByRole('button', { name: 'Check' }).click()
    await chatwoot.getByText('Must be an address, such as https://app.chatwoot.com.').waitFor()
    await expectAccessible(page)
    await picture(page, 'move-in-chatwoot')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await chatwoot.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^CSV or JSONL file/ }).click()
    const dialog = page.getByRole('dialog', { name: 'CSV or JSONL file' })
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByText('Choose a file.').waitFor()
    const picker = dialog.locator('input[type=file]')
    await picker.setInputFiles({ name: 'empty.csv', mimeType: 'text/csv', buffer: Buffer.from('a;b\n') })
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByRole('alert').waitFor()
    await picture(page, 'move-in-fault')
    await picker.setInputFiles({ name: 'messages.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) })
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.waitFor({ state: 'detached' })

    // The check stores nothing. The page keeps its result.
    const card = page.getByRole('list', { name: 'Imports' }).getByRole('listitem').first()
    await card.getByText('Ready to import').waitFor()
    expect(await card.locator('dd').allTextContents()).toEqual(['2', '2'])
    await card.getByText('No valid direction').waitFor()
    expect((await shop.get('/messages')).body.messages).toEqual([])
    await page.reload()
    await card.getByText('Ready to import').waitFor()
    await expectAccessible(page)
    await picture(page, 'move-in-checked', { whole: true })
    await card.getByRole('button', { name: 'Start import' }).click()
    await page.reload()
    await card.getByText('Done').waitFor()
    expect(await card.locator('dd').allTextContents()).toEqual(['2', '0', '1', '2'])
    const downloading = page.waitForEvent('download')
    await card.getByRole('button', { name: 'Download left-out records' }).click()
    const file = await downloading
    expect(readFileSync(await file.path(), 'utf8')).toMatch(/no_phone[\s\S]*no_direction/)
    for (const [size, width] of [
      ['1280', 1_280],
      ['390', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await picture(page, `move-in-done-${size}`, { whole: true })
      await page.emulateMedia({ colorScheme: 'dark' })
      await picture(page, `move-in-done-${size}-dark`, { whole: true })
      await expectAccessible(page)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await page.emulateMedia({ colorScheme: 'light' })
    }
    await page.setViewportSize({ width: 1_280, height: 900 })
    await card.getByRole('link', { name: 'Open inbox' }).click()
    const [chat] = (await shop.get('/conversations')).body.conversations
    await page.goto(`/w/${shop.workspaceId}/inbox/${chat.id}`)
    await page.getByRole('log').getByText('From a file').first().waitFor()
    expect(faults.filter((fault) => !/status of 400/.test(fault))).toEqual([])
    await context.close()
  })

  test('an import shows its progress, stops with the reason, and continues where it stopped', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const admin = await signIn(parley, shop, 'admin')
    const context = await profileOf(browser, parley, admin, { viewport: { width: 1_280, height: 900 } })
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/settings/move-in`)
    await page.getByRole('button', { name: /^Chatwoot/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Chatwoot' })
    await dialog.getByLabel('Address').fill(account.url)
    await dialog.getByLabel('Account number').fill(String(ACCOUNT))
    await dialog.getByLabel('Access token').fill(TOKEN)
    await dialog.getByRole('button', { name: 'Check' }).click()
    const card = page.getByRole('list', { name: 'Imports' }).getByRole('listitem').first()
    await card.getByText('Ready to import').waitFor()
    let pages = 0
    account.fail((path) => (path.includes('/messages?') && pages++ > 40 ? 'hang' : undefined))
    await card.getByRole('button', { name: 'Start import' }).click()
    const progress = card.getByRole('progressbar', { name: /^Importing/ })
    await expect.poll(async () => Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThan(0)
    await expectAccessible(page)
    await picture(page, 'move-in-progress', { whole: true })
    account.fail((path) => (path.includes('/messages?') ? [401, {}] : undefined))
    account.release()
    await card.getByText('Stopped').waitFor()
    await card.getByRole('alert').waitFor()
    const storedBefore = (await shop.get('/messages?limit=100')).body.messages.length
    expect(storedBefore).toBeGreaterThan(0)
    await expectAccessible(page)
    await picture(page, 'move-in-stopped', { whole: true })
    account.fail(() => undefined)
    const readBefore = account.requests.filter((path) => path.includes('/messages?')).length
    await card.getByRole('button', { name: 'Continue' }).click()
    await card.getByText('Done').waitFor()
    const { messages } = account.expected()
    expect((await card.locator('dd').allTextContents())[0]).toBe(messages.toLocaleString('en'))
    const readAgain = account.requests.filter((path) => path.includes('/messages?')).length - readBefore
    expect(readAgain).toBeLessThan(readBefore)
    expect(await card.getByText(/^Other:/).count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  test('in a language from right to left, the dialogs, the progress, and the report follow its direction', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const admin = await signIn(parley, shop, 'admin')
    expect((await admin.patch(`${DASHBOARD}/account`, { language: 'ar' })).status).toBe(200)
    const context = await profileOf(browser, parley, admin, { viewport: { width: 1_280, height: 900 } })
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/settings/move-in`)
    await page.locator('html[dir=rtl]').waitFor()
    await page.getByRole('button', { name: /CSV/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'messages.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) })
    await picture(page, 'move-in-dialog-ar')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: ar.check, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await until(
      async () => (await admin.get(`${DASHBOARD}/history-imports`)).body.imports[0]?.state === 'checked',
      'the file is checked',
    )
    account.fail((path) =>
      path.includes('/messages?') && path.includes('/conversations/3') ? 'hang' : undefined,
    )
    const body = { url: account.url, accountId: ACCOUNT, token: TOKEN }
    expect((await admin.post(`${DASHBOARD}/history-imports/chatwoot`, body)).status).toBe(201)
    const cards = page.locator('[data-import]')
    const bar = cards.first().getByRole('progressbar')
    await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0)
    // The bar grows from the right.
    const [whole, part] = [await bar.boundingBox(), await bar.locator('rect').boundingBox()]
    expect(Math.round(part!.x + part!.width)).toBe(Math.round(whole!.x + whole!.width))
    expect(part!.width).toBeLessThan(whole!.width)
    for (const [size, width] of [
      ['1280', 1_280],
      ['390', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await picture(page, `move-in-ar-${size}`, { whole: true })
      await expectAccessible(page)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    }
    account.fail(() => undefined)
    account.release()
    expect(faults).toEqual([])
    await context.close()
  })

  test('an exported chat asks for the number, by the keyboard alone; a checked import can be canceled', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const admin = await signIn(parley, shop, 'admin')
    const touch = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const context = await profileOf(browser, parley, admin, touch)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/settings/move-in`)
    const source = page.getByRole('button', { name: /^Exported chat/ })
    expect((await source.boundingBox())!.height).toBeGreaterThanOrEqual(44)
    await source.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Exported chat' })
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'WhatsApp Chat with Asha Rao.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from(CHAT),
    })
    await dialog.getByRole('button', { name: 'Check' }).focus()
    await page.keyboard.press('Enter')
    const phone = dialog.getByLabel("Customer's phone number")
    await dialog.locator('[data-invalid]').first().waitFor()
    await picture(page, 'move-in-export-390')
    await phone.fill('+919812345678')
    await dialog.getByLabel('Your name in the chat').fill('Blue Lotus')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const card = page.getByRole('list', { name: 'Imports' }).getByRole('listitem').first()
    await card.getByText('Ready to import').waitFor()
    const cancel = card.getByRole('button', { name: 'Cancel import' })
    expect((await cancel.boundingBox())!.height).toBeGreaterThanOrEqual(44)
    await cancel.tap()
    await page
      .getByRole('dialog')
      .or(page.getByRole('alertdialog'))
      .getByRole('button', { name: 'Cancel import' })
      .tap()
    await card.getByText('Canceled').waitFor()
    expect((await shop.get('/messages')).body.messages).toEqual([])
    expect(faults.filter((fault) => !/status of 400/.test(fault))).toEqual([])
    await context.close()
  })
})
