/** Sign-in at an identity provider, in a browser. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { startProvider, type TestProvider } from '../support/identity-provider.ts'
import { freePort } from '../support/redis-server.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const ASHA = { sub: 'asha', email: 'asha@acme.example', email_verified: true, name: 'Asha Rao' }

describe.skipIf(!hasChromium)('the sign-in page with an identity provider', () => {
  let provider: TestProvider
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  beforeAll(async () => {
    const port = await freePort()
    const siteUrl = `http://127.0.0.1:${port}`
    provider = await startProvider(siteUrl)
    parley = await boot({ env: { ...provider.env, PORT: String(port), PARLEY_SITE_URL: siteUrl } })
    shop = await parley.workspace({ name: 'Blue Lotus', ownerEmail: ASHA.email, ownerName: 'Asha' })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
    await provider?.close()
  })

  test('leads to the provider, and back to the requested page', async () => {
    const { page, faults } = await openPage(await profileOf(browser, parley))
    await page.goto(`/w/${shop.workspaceId}/contacts`)
    const button = page.getByRole('link', { name: 'Sign in with Acme ID' })
    await button.waitFor()
    expect(await violationsOf(page)).toEqual([])
    await picture(page, 'single-sign-on')
    provider.person = { ...ASHA, email_verified: false }
    await button.click()
    await page.getByText("Your identity provider doesn't confirm your email address.").waitFor()
    await picture(page, 'single-sign-on-refused')
    provider.person = { ...ASHA, sub: 'asha-2' }
    await page.goto(`/w/${shop.workspaceId}/contacts`)
    await page.context().clearCookies({ domain: '127.0.0.1', name: /^_/ })
    await button.click()
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/w/${shop.workspaceId}/contacts`)
    // The pages ask for the session before the sign-in.
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([])
  })
})
