/** Journeys 2 and 3: an invitation, a password, a role that is lowered while its page is open, and a key that is shown once. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

const PASSWORD = 'a long enough phrase of Meera'

describe.skipIf(!hasChromium)('members and keys', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let owner: Page
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true })
    browser = await launch()
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    owner = (await openPage(await profileOf(browser, parley, session))).page
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })
  const at = (page: string): string => `/w/${shop.workspaceId}/${page}`

  test('an invited member chooses a password, signs in by it, and loses a role while the page is open', async () => {
    await owner.goto(at('members'))
    await owner.getByRole('button', { name: 'Invite a member' }).click()
    const form = owner.getByRole('dialog', { name: 'Invite a member' })
    await form.getByLabel('Name').fill('Meera Iyer')
    await form.getByLabel('E-mail').fill('meera@example.com')
    await form.getByRole('button', { name: 'Invite' }).click()
    const made = owner.getByRole('dialog', { name: 'Meera Iyer is invited' })
    const link = (await made.locator('code').textContent()) ?? ''
    await made.getByRole('button', { name: 'Done' }).click()

    const context = await profileOf(browser, parley)
    const { page } = await openPage(context)
    const { pathname, hash } = new URL(link)
    await page.goto(pathname + hash)
    await page.getByLabel('Your name').fill('Meera Iyer')
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Chats' }).waitFor({ state: 'attached' })

    await context.clearCookies()
    await page.goto('/sign-in')
    await page.getByLabel('E-mail').fill('meera@example.com')
    await page.getByLabel('Password').fill('another phrase')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Chats' }).waitFor({ state: 'attached' })
    await page.getByRole('link', { name: 'Sandbox' }).waitFor()

    await owner.reload()
    await owner.getByRole('combobox', { name: 'Role of Meera Iyer' }).click()
    await owner.getByRole('option', { name: 'Viewer' }).click()
    await owner.getByText('Meera Iyer is now: Viewer').waitFor()
    await page.getByRole('link', { name: 'Sandbox' }).waitFor({ state: 'detached' })
    await context.close()
  })

  test('a key is shown once, works, and is refused when it was revoked', async () => {
    await owner.goto(at('keys'))
    await owner.getByRole('button', { name: 'Make a key' }).click()
    const form = owner.getByRole('dialog', { name: 'Make a key' })
    await form.getByLabel('Name').fill('The shop')
    await form.getByRole('button', { name: 'Make it' }).click()
    const made = owner.getByRole('dialog', { name: 'The shop is ready' })
    const key = (await made.locator('code').first().textContent()) ?? ''
    expect((await shop.get('/me', { key })).body.key.label).toBe('The shop')
    await made.getByRole('button', { name: 'Done' }).click()
    await owner.getByRole('button', { name: 'Revoke The shop' }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await owner.getByText('The shop was revoked').waitFor()
    await expect.poll(async () => (await shop.get('/me', { key })).status).toBe(401)
  })
})
