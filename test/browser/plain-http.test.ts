/** The pages at a plain http address of another machine: browsers disable some functions on such pages. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSignInLink, signInPath } from '../../src/modules/platform/access/operations/sign-in-links.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { freePort } from '../support/redis-server.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

const HOST = 'parley.test'

describe.skipIf(!hasChromium)('at a plain http address', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let faults: string[]
  beforeAll(async () => {
    const port = await freePort()
    const site = `http://${HOST}:${port}`
    parley = await boot({ env: { PORT: String(port), PARLEY_SITE_URL: site } })
    shop = await parley.workspace({ sandbox: true })
    await shop.set({ leadCapture: true })
    await shop.inbound('+919812345678', 'Is the blue one in stock?', { name: 'Asha Rao' })
    browser = await launch(`--host-resolver-rules=MAP ${HOST} 127.0.0.1`)
    context = await profileOf(browser, parley, undefined, { baseURL: site })
    ;({ page, faults } = await openPage(context))
    const token = await parley.system((tx) => createSignInLink(tx, shop.ownerId, new Date()))
    await page.goto(signInPath(token))
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    await page.getByRole('link', { name: 'Inbox' }).first().click()
    await page.getByRole('link', { name: /Asha Rao/ }).waitFor()
    expect(await page.evaluate('isSecureContext')).toBe(false)
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  test('a chat is answered, and changes are saved', async () => {
    await page.getByRole('link', { name: /Asha Rao/ }).click()
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.fill('Yes, in every size.')
    await field.press('Enter')
    await page.locator('[data-message]').filter({ hasText: 'Yes, in every size.' }).waitFor()
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    const { messages } = (await shop.get('/messages?direction=outbound')).body
    expect(messages.map(({ text }: { text: string }) => text)).toEqual(['Yes, in every size.'])
    expect(faults).toEqual([])
  })

  test('an address is copied', async () => {
    await page.goto(`/w/${shop.workspaceId}/settings`)
    const address = await page.locator('code').filter({ hasText: '/api/leads/capture/' }).textContent()
    await page.getByRole('button', { name: 'Copy capture link' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.keyboard.press('Control+k')
    const line = page.getByRole('combobox', { name: 'Search and commands' })
    await line.press('Control+v')
    expect(await line.inputValue()).toBe(address)
    expect(faults).toEqual([])
  })
})
