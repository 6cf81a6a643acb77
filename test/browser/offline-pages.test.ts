/** Opening pages whose code is not loaded, without a network or without a server. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)('pages whose code is not loaded', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let context: BrowserContext
  let page: Page
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true })
    browser = await launch()
  })
  // Each attempt has a browser profile without code in its cache, and a member whose groups are folded.
  beforeEach(async () => {
    const session = await signIn(parley, shop, 'admin')
    context = await profileOf(browser, parley, session)
    page = (await openPage(context)).page
  })
  afterEach(() => context.close())
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const open = async (path: string) => {
    await page.goto(`/w/${shop.workspaceId}/${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  const openGroup = async (inner: string) => {
    await page.getByRole('button', { name: 'Automation', exact: true }).click()
    await link(inner).waitFor()
  }
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
  const panelOf = (title: string) => page.getByRole('alert').filter({ hasText: title })

  test('offline: the page says so, the tab and its other pages stay, and it opens after the connection returns', async () => {
    await open('tasks')
    // The mark is lost if the tab loads again.
    await page.evaluate(() => Object.assign(globalThis, { isSameTab: true }))
    await openGroup('Automations')
    await context.setOffline(true)
    await link('Automations').click()
    const panel = panelOf("You're offline")
    await panel.getByText("This page isn't loaded yet.").waitFor()
    await picture(page, 'offline-page')
    await panel.getByRole('button', { name: 'Retry' }).click()
    await panel.waitFor()
    expect(new URL(page.url()).pathname).toBe(`/w/${shop.workspaceId}/automations`)
    await page.goBack()
    await heading('Tasks').waitFor()
    await page.goForward()
    await panel.waitFor()
    await context.setOffline(false)
    await heading('Automations').waitFor()
    expect(await page.evaluate(() => (globalThis as { isSameTab?: true }).isSameTab)).toBe(true)
  })

  test('without a server: the page offers Retry, and opens when the server answers', async () => {
    await open('tasks')
    await page.evaluate(() => Object.assign(globalThis, { isSameTab: true }))
    await openGroup('Bots')
    await page.route(/./, (route) => route.abort('connectionrefused'))
    await link('Bots').click()
    const panel = panelOf("This page didn't load")
    await panel.waitFor()
    await page.unrouteAll()
    await panel.getByRole('button', { name: 'Retry' }).click()
    await heading('Bots').waitFor()
    expect(await page.evaluate(() => (globalThis as { isSameTab?: true }).isSameTab)).toBe(true)
  })
})
