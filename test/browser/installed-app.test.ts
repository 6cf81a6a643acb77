/** The installed app: its manifest, its page without a network, and what stays after the sign-out. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { DASHBOARD, signIn } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  serviceWorkers: 'allow',
} as const

describe.skipIf(!hasChromium)('the installed app', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    browser = await launch()
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound('+919812345678', 'Is the blue one in stock?', { name: 'Asha Rao' })
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const open = async () => {
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'), PHONE)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    await page.getByRole('link', { name: /^Asha Rao/ }).waitFor()
    return { context, page, faults }
  }
  /** The addresses that the worker keeps. */
  const keptIn = (page: Page): Promise<string[]> =>
    page.evaluate(`(async () => {
      const keys = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
      return keys.flat().map(({ url }) => new URL(url).pathname)
    })()`)
  const untilKept = (page: Page) =>
    until(async () => {
      const kept = await keptIn(page)
      return kept.includes('/shell') && kept.some((path) => path.startsWith('/assets/inbox-page-'))
    }, 'the worker keeps the page and its parts')
  const offline = async (context: BrowserContext, isOffline: boolean) => context.setOffline(isOffline)

  test('can be installed', async () => {
    const { context, page } = await open()
    const session = await context.newCDPSession(page)
    const { errors, data } = await session.send('Page.getAppManifest')
    expect(errors).toEqual([])
    expect(JSON.parse(data!)).toMatchObject({ display: 'standalone', scope: './' })
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
    // A browser profile of a test is private.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
    await context.close()
  })

  test("its shortcuts have their names in the member's language", async () => {
    const member = await signIn(parley, shop, 'agent')
    expect((await member.patch(`${DASHBOARD}/account`, { language: 'es' })).status).toBe(200)
    const context = await profileOf(browser, parley, member, PHONE)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    await page.locator('link[rel=manifest][href$="manifest.es.webmanifest"]').waitFor({ state: 'attached' })
    const session = await context.newCDPSession(page)
    const { errors, data } = await session.send('Page.getAppManifest')
    expect(errors).toEqual([])
    expect(JSON.parse(data!).shortcuts.map(({ name }: { name: string }) => name)).toEqual([
      'Bandeja',
      'Tomar el chat siguiente',
    ])
    expect(faults).toEqual([])
    await context.close()
  })

  test('opens without a network, with no data of customers, and continues when the network is back', async () => {
    const { context, page, faults } = await open()
    await untilKept(page)
    expect((await keptIn(page)).filter((path) => !/^\/(shell|texts|assets\/[\w.-]+)$/.test(path))).toEqual([])
    await offline(context, true)
    await page.reload()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await picture(page, 'installed-offline')
    expect(await page.getByText('Asha Rao').count()).toBe(0)
    await offline(context, false)
    await page.getByRole('link', { name: /^Asha Rao/ }).waitFor()
    expect(
      faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|can't be reached/.test(fault)),
    ).toEqual([])
    await context.close()
  })

  test('with a network, the page of the server opens and replaces the kept one', async () => {
    const { context, page, faults } = await open()
    await untilKept(page)
    await page.evaluate(`(async () => {
      const cache = await caches.open('parley-shell')
      await cache.put(location.origin + '/shell', new Response('stale', { headers: { 'content-type': 'text/html' } }))
    })()`)
    await page.reload()
    await page.getByRole('link', { name: /^Asha Rao/ }).waitFor()
    await until(
      async () =>
        (
          (await page.evaluate(
            `caches.match(location.origin + '/shell').then((kept) => kept.text())`,
          )) as string
        ).includes('<title>Parley</title>'),
      'the kept page is the one of the server',
    )
    expect(faults).toEqual([])
    await context.close()
  })

  test('its shortcuts open the inbox, and take the next chat', async () => {
    const { context, page, faults } = await open()
    await page.goto('/?do=take')
    await page.getByRole('log', { name: 'Messages with Asha Rao' }).waitFor()
    expect(new URL(page.url()).search).not.toContain('do=')
    expect(faults).toEqual([])
    await context.close()
  })

  test('keeps nothing after the sign-out', async () => {
    const { context, page, faults } = await open()
    await untilKept(page)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Email').waitFor()
    expect(await keptIn(page)).toEqual([])
    expect(await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)')).toBe(
      0,
    )
    expect(faults).toEqual([])
    await context.close()
  })
})
