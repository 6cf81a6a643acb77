/**
 * Journey 2, where passwords don't work: a passkey signs in, also while passwords are blocked, and opens
 * pages that require a second factor.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSignInLink, signInPath } from '../../src/modules/platform/access/operations/sign-in-links.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { movingClock } from '../support/moving-clock.ts'
import { freePort } from '../support/redis-server.ts'
import { hasChromium, launch, openPage } from './chromium.ts'
import { picture } from './picture.ts'

const PASSWORD = 'a long enough phrase of the owner'
const MINUTE_MS = 60_000

describe.skipIf(!hasChromium)('passkeys', () => {
  const clock = movingClock()
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let site: string
  beforeAll(async () => {
    const port = await freePort()
    // Browsers accept passkeys only for a host name.
    site = `http://localhost:${port}`
    parley = await boot({ clock, env: { PORT: String(port) } })
    browser = await launch()
  })
  beforeEach(async () => {
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const pathOf = (page: string): string => `/w/${shop.workspaceId}/${page}`
  const newContext = () => browser.newContext({ baseURL: site, viewport: { width: 1440, height: 900 } })
  async function enterByLink(page: Page): Promise<void> {
    const token = await parley.system((tx) => createSignInLink(tx, shop.ownerId, clock.now()))
    await page.goto(signInPath(token))
  }
  /** A device with a screen lock, simulated by Chromium. */
  async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
  }
  async function signOut(page: Page): Promise<void> {
    await page.getByRole('button', { name: /Account:/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  }
  async function signInByPassword(page: Page, email: string, password: string): Promise<void> {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  test('one is added, signs in while passwords are blocked, opens protected pages, and is removed', async () => {
    const context = await newContext()
    const { page } = await openPage(context)
    await addAuthenticator(context, page)
    await enterByLink(page)
    await page.goto(pathOf('profile'))
    const email = await page.getByRole('textbox', { name: 'Email' }).inputValue()
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('button', { name: 'Change password' }).waitFor()

    await page.getByRole('button', { name: 'Add passkey' }).click()
    const add = page.getByRole('dialog', { name: 'Add passkey' })
    await add.getByRole('textbox', { name: 'Name' }).fill('My laptop')
    await add.getByRole('button', { name: 'Continue' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' })
    const recoveryCode = (await dialog.getByRole('listitem').first().textContent()) ?? ''
    await picture(page, 'recovery-codes')
    await dialog.getByRole('button', { name: 'I saved them' }).click()
    await page.getByText('10 recovery codes are left').waitFor()
    const passkeys = page.getByRole('list', { name: 'Passkeys' })
    await passkeys.getByText('My laptop').first().waitFor()
    await passkeys.getByText('Never used').waitFor()
    await picture(page, 'passkeys', { whole: true })
    // The same device is not offered twice.
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await add.getByRole('textbox', { name: 'Name' }).fill('Again')
    await add.getByRole('button', { name: 'Continue' }).click()
    await add.getByText('This device already has a passkey for this account.').waitFor()
    await page.keyboard.press('Escape')
    await add.waitFor({ state: 'detached' })

    // The owner requires a second factor of all members: a password alone signs no member in, and a link
    // alone opens no page.
    await page.goto(pathOf('settings/security'))
    await page.getByRole('switch', { name: 'Require a second factor for all members' }).click()
    await page.getByText('Members now need a second factor').waitFor()
    const otherContext = await newContext()
    const { page: other } = await openPage(otherContext)
    await other.goto('/sign-in')
    await signInByPassword(other, email, PASSWORD)
    await other.getByRole('heading', { name: "Confirm it's you" }).waitFor()
    await picture(other, 'second-step')
    expect((await other.request.get('/api/v1/contacts', { headers: headers() })).status()).toBe(401)
    await other.getByLabel('Recovery code').fill(recoveryCode)
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.getByRole('heading', { name: 'Chats' }).waitFor({ state: 'attached' })
    await signOut(other)
    await enterByLink(other)
    await other.getByRole('heading', { name: 'This workspace requires a second factor' }).waitFor()
    await picture(other, 'factor')
    await other.getByRole('link', { name: 'Open profile' }).click()
    await other.getByText("Sign out, then sign in with your app's code or a passkey.").waitFor()
    expect((await other.request.get('/api/v1/contacts', { headers: headers() })).status()).toBe(403)
    await otherContext.close()

    // Passwords are blocked after five wrong attempts; the passkey is not.
    await signOut(page)
    for (let attempt = 1; attempt <= 5; attempt++) {
      await signInByPassword(page, email, `not the right phrase ${attempt}`)
      await page.getByRole('alert').filter({ hasText: 'Wrong email or password' }).waitFor()
      await page.reload()
    }
    await signInByPassword(page, email, PASSWORD)
    await page
      .getByRole('alert')
      .filter({ hasText: /Too many|wait/i })
      .waitFor()
    await picture(page, 'sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Chats' }).waitFor({ state: 'attached' })
    expect((await page.request.get('/api/v1/contacts', { headers: headers() })).status()).toBe(200)

    // After ten minutes it asks for a confirmation: the passkey gives that too.
    clock.aheadMs += 11 * MINUTE_MS
    await page.goto(pathOf('profile'))
    await passkeys.getByText('Last used').waitFor()
    await passkeys.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page
      .getByRole('dialog', { name: "Confirm it's you" })
      .getByRole('button', { name: 'Use a passkey' })
      .click()
    await page.getByText('Passkey removed').waitFor()
    await passkeys.waitFor({ state: 'detached' })
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').waitFor()
    await context.close()

    function headers() {
      return { 'parley-workspace': shop.workspaceId }
    }
  })
})
