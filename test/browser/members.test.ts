/**
 * Journeys 2 and 3: an invitation, a password, a role that is lowered while its page is open, and a key that
 * is shown once.
 */
import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSignInLink, signInPath } from '../../src/modules/platform/access/operations/sign-in-links.ts'
import { addMember } from '../../src/modules/platform/workspaces/operations/workspace-members.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { madeQuotation } from '../support/sales.ts'
import { browserOf, signIn, signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const PASSWORD = 'a long enough phrase of Meera'

describe.skipIf(!hasChromium)('members and keys', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let owner: Page
  let email: string
  beforeAll(async () => {
    parley = await boot()
    browser = await launch()
  })
  // Created for every attempt, because the invited person has an account afterwards.
  beforeEach(async () => {
    shop = await parley.workspace({ sandbox: true })
    email = `meera-${randomUUID()}@example.com`
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    owner = (await openPage(await profileOf(browser, parley, session))).page
  })
  afterEach(() => owner.context().close())
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })
  const pathOf = (page: string): string => `/w/${shop.workspaceId}/${page}`

  test('an invited member chooses a password, signs in with it, and loses a role while the page is open', async () => {
    // Another admin has the page open: one admin's changes appear for the other.
    const { page: colleague } = await openPage(
      await profileOf(browser, parley, await signIn(parley, shop, 'admin')),
    )
    await colleague.goto(pathOf('members'))
    await colleague.getByRole('table').waitFor()
    await owner.goto(pathOf('members'))
    await owner.getByRole('button', { name: 'Invite member' }).click()
    const form = owner.getByRole('dialog', { name: 'Invite member' })
    await form.getByLabel('Name').fill('Meera Iyer')
    await form.getByLabel('Email').fill(email)
    await form.getByRole('button', { name: 'Invite' }).click()
    const dialog = owner.getByRole('dialog', { name: 'Meera Iyer is invited' })
    const link = (await dialog.locator('code').textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Done' }).click()

    await colleague.getByRole('cell', { name: /^Meera Iyer/ }).waitFor()
    await colleague.context().close()

    const context = await profileOf(browser, parley)
    const { page } = await openPage(context)
    const { pathname, hash } = new URL(link)
    await page.goto(pathname + hash)
    await page.getByLabel('Your name').fill('Meera Iyer')
    await page.getByRole('heading', { name: 'Join Test shop' }).waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account and join' }).click()
    await page.getByRole('heading', { name: 'Chats' }).waitFor({ state: 'attached' })

    // An open page that detects the sign-out goes to the same page, and the two navigations would collide.
    await page.goto('about:blank')
    await context.clearCookies()
    // The browser removes the tab character and would go to another site.
    await page.goto('/sign-in?next=/%09/elsewhere.invalid/')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill('another phrase')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Chats' }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Developers' }).click()
    await page.getByRole('link', { name: 'Sandbox' }).waitFor()

    await owner.reload()
    await owner.getByRole('combobox', { name: 'Role of Meera Iyer' }).click()
    await owner.getByRole('option', { name: 'Viewer' }).click()
    await owner.getByText('Meera Iyer now has the role Viewer').waitFor()
    await page.getByRole('link', { name: 'Sandbox' }).waitFor({ state: 'detached' })
    await context.close()
  })

  test('a person with an account signs in to it and joins; a removed member is notified while the page is open', async () => {
    const otherShop = await parley.workspace({ sandbox: true, name: 'Red Lotus' })
    const admin = await signIn(parley, otherShop, 'admin')
    const linkOf = async (session: typeof admin) => {
      const body = { email, name: 'Meera Iyer', role: 'agent' }
      const { inviteUrl } = (await session.post('/api/dashboard/members', body)).body
      const { pathname, hash } = new URL(inviteUrl)
      return pathname + hash
    }
    const shopAdmin = await signIn(parley, shop, 'admin')
    const first = await linkOf(shopAdmin)
    const [, token] = first.split('#token=')
    await browserOf(parley).post('/api/dashboard/sign-in/redeem', { token, password: PASSWORD })

    const context = await profileOf(browser, parley)
    const { page } = await openPage(context)
    const second = await linkOf(admin)
    await page.goto(second)
    await page.getByRole('button', { name: 'I have an account' }).click()
    await page.getByText('Sign in to join Red Lotus.').waitFor()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText("You're signed in as Meera Iyer.").waitFor()
    await picture(page, 'join')
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.getByRole('heading', { name: 'Chats' }).waitFor({ state: 'attached' })
    expect(page.url()).toContain(`/w/${otherShop.workspaceId}/`)
    await page.goto(second)
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()

    await page.goto(`/w/${otherShop.workspaceId}/contacts`)
    await page.getByRole('heading', { name: 'Contacts' }).waitFor()
    const { members } = (await admin.get('/api/dashboard/members')).body
    const { id } = members.find((member: { email: string }) => member.email === email)
    expect((await admin.delete(`/api/dashboard/members/${id}`)).status).toBe(200)
    await page.getByRole('heading', { name: "You can't open this workspace" }).waitFor()
    await page.goto(pathOf('contacts'))
    await page.getByRole('heading', { name: 'Contacts' }).waitFor()
    await context.close()
  })

  test('a key is shown once, works, and is rejected after it was revoked', async () => {
    await owner.goto(pathOf('keys'))
    await owner.getByRole('button', { name: 'Create key' }).click()
    const form = owner.getByRole('dialog', { name: 'Create API key' })
    await form.getByLabel('Name').fill('The shop')
    await form.getByRole('button', { name: 'Create key' }).click()
    const dialog = owner.getByRole('dialog', { name: 'Key created: The shop' })
    const key = (await dialog.locator('code').first().textContent()) ?? ''
    expect((await shop.get('/me', { key })).body.key.label).toBe('The shop')
    // A click outside does not close a secret that is shown once.
    await owner.mouse.click(10, 10)
    expect(await dialog.locator('code').first().textContent()).toBe(key)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await owner.getByRole('button', { name: 'Revoke The shop' }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await owner.getByText('The shop is revoked').waitFor()
    await expect.poll(async () => (await shop.get('/me', { key })).status).toBe(401)
  })
  test('a key is limited to scopes, a time, and addresses', async () => {
    await owner.goto(pathOf('keys'))
    await owner.getByRole('button', { name: 'Create key' }).first().click()
    const form = owner.getByRole('dialog', { name: 'Create API key' })
    await form.getByLabel('Name').fill('Reports')
    await form.getByRole('combobox', { name: 'Access' }).click()
    await owner.getByRole('option', { name: 'Only chosen scopes' }).click()
    await form.getByRole('button', { name: 'Create key' }).click()
    await form.getByText('Choose at least one scope.').waitFor()
    await form.getByRole('checkbox', { name: 'contacts:read' }).click()
    await form.getByRole('combobox', { name: 'Expires' }).click()
    await owner.getByRole('option', { name: 'In 90 days' }).click()
    await form.getByLabel('Allowed addresses').fill('127.0.0.1\nnowhere')
    await picture(owner, 'key-limits')
    await form.getByRole('button', { name: 'Create key' }).click()
    await form.getByText('Must be an IP address or a range').waitFor()
    await form.getByLabel('Allowed addresses').fill('127.0.0.1\n203.0.113.0/24')
    await form.getByRole('button', { name: 'Create key' }).click()
    const dialog = owner.getByRole('dialog', { name: 'Key created: Reports' })
    const key = (await dialog.locator('code').first().textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Done' }).click()
    expect((await shop.get('/contacts', { key })).status).toBe(200)
    expect((await shop.get('/leads', { key })).body.error).toBe('insufficient_scope')
    const row = owner.getByRole('row', { name: 'Reports' })
    await row.getByText('1 scope', { exact: true }).waitFor()
    await row.getByText(/^127\.0\.0\.1.*203\.0\.113\.0\/24$/).waitFor()
    await row.getByText(/^Expires/).waitFor()
    await picture(owner, 'keys-limited')
  })

  test('a key for an identity provider is shown with the address of SCIM, and manages members', async () => {
    await owner.goto(pathOf('keys'))
    await owner.getByRole('button', { name: 'Create key' }).first().click()
    const form = owner.getByRole('dialog', { name: 'Create API key' })
    await form.getByLabel('Name').fill('Acme ID')
    await form.getByRole('combobox', { name: 'Role' }).click()
    await owner.getByRole('option', { name: 'Admin: everything' }).click()
    await form.getByRole('combobox', { name: 'Access' }).click()
    await owner.getByRole('option', { name: 'Only chosen scopes' }).click()
    await form.getByRole('checkbox', { name: 'team:write' }).click()
    await form.getByRole('button', { name: 'Create key' }).click()
    const dialog = owner.getByRole('dialog', { name: 'Key created: Acme ID' })
    await dialog.getByText('enter this address').waitFor()
    const [key, address] = await dialog.locator('code').allTextContents()
    await picture(owner, 'key-scim')
    await dialog.getByRole('button', { name: 'Done' }).click()
    expect((await shop.get(`${address}/Users`, { key: key! })).body.Resources).toHaveLength(
      (await shop.get('/team')).body.members.length,
    )
  })

  test("the account that signs in in one tab is shown in the others; the previous account's texts are not sent under the new name", async () => {
    await shop.inbound('+919812345601', 'Is the blue one in stock?', { name: 'Asha Rao' })
    const [chat] = (await shop.get('/conversations')).body.conversations
    await owner.goto(pathOf(`inbox/${chat.id}`))
    await owner.getByText('Owner', { exact: true }).waitFor()
    const { page } = await openPage(owner.context())
    // An invitation is accepted in another tab: every tab then lists the workspace.
    const otherShop = await parley.workspace({ sandbox: true, name: 'Red Lotus' })
    const admin = await signIn(parley, otherShop, 'admin')
    const body = { email, name: 'Meera Iyer', role: 'agent' }
    const { inviteUrl } = (await admin.post('/api/dashboard/members', body)).body
    const { pathname, hash } = new URL(inviteUrl)
    await page.goto(pathname + hash)
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.getByRole('heading', { name: 'Chats' }).waitFor({ state: 'attached' })
    await owner.getByRole('button', { name: 'Test shop' }).click()
    await owner.getByText('Red Lotus').waitFor()
    await owner.keyboard.press('Escape')

    // Another member signs in there.
    await owner.getByRole('textbox', { name: 'Message' }).fill('Begun by the owner')
    const { memberId } = await parley.system((tx) =>
      addMember(tx, { workspaceId: shop.workspaceId, email, name: 'Meera Nair', role: 'agent' }, new Date()),
    )
    const token = await parley.system((tx) => createSignInLink(tx, memberId, new Date()))
    await page.goto(signInPath(token))
    for (const tab of [page, owner]) await tab.getByText('Meera Nair', { exact: true }).waitFor()
    const field = owner.getByRole('textbox', { name: 'Message' })
    await field.waitFor()
    await expect.poll(() => field.inputValue()).toBe('')
    const drafts = await parley.system((tx) =>
      tx.sql<{ memberId: string }>('select member_id from drafts where workspace_id = $1', [
        shop.workspaceId,
      ]),
    )
    expect(drafts.map((draft) => draft.memberId)).not.toContain(memberId)
    // Signing out applies to every tab.
    await page.getByRole('button', { name: /Meera Nair/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    for (const tab of [page, owner]) await tab.getByLabel('Password').waitFor()
  })

  test('a tab that has not noticed another sign-in saves nothing under the new name, and then switches to it', async () => {
    await shop.inbound('+919812345602', 'Is the red one in stock?', { name: 'Asha Rao' })
    const [chat] = (await shop.get('/conversations')).body.conversations
    await owner.goto(pathOf(`inbox/${chat.id}`))
    const field = owner.getByRole('textbox', { name: 'Message' })
    await field.waitFor()
    const agent = await signIn(parley, shop, 'agent')
    const [name = '', value = ''] = agent.cookie.split('=')
    // The draft is written while the server is away, so that no request switches the tab before.
    await owner.route('**/api/**', (route) => route.abort('connectionreset'))
    await field.fill('Begun by the owner')
    await owner.context().addCookies([{ name, value, url: parley.url, httpOnly: true, sameSite: 'Lax' }])
    await owner.unroute('**/api/**')
    await owner.getByText('The agent', { exact: true }).waitFor()
    await field.waitFor()
    await expect.poll(() => field.inputValue()).toBe('')
    expect((await agent.get('/api/dashboard/drafts')).body.drafts).toEqual([])
  })

  test('a viewer is not offered the phone that plays a customer', async () => {
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'viewer'))
    const { page, faults } = await openPage(context)
    await page.goto(pathOf('inbox'))
    await page.getByRole('link', { name: 'Contacts' }).waitFor()
    expect(await page.getByRole('button', { name: 'Phone' }).count()).toBe(0)
    await page.keyboard.press('ControlOrMeta+k')
    const line = page.getByRole('combobox', { name: 'Search and commands' })
    await line.fill('phone')
    await page.getByText('No results. Try another search.').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('a failed sign-out is shown, and the page stays', async () => {
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'))
    const { page } = await openPage(context)
    await page.goto(pathOf('contacts'))
    await page.getByRole('heading', { name: 'Contacts' }).waitFor()
    await page.route('**/api/dashboard/session', (route) =>
      route.request().method() === 'DELETE' ? route.abort('connectionreset') : route.continue(),
    )
    const signOut = async () => {
      await page.getByRole('button', { name: /^Account/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    await signOut()
    await page.getByText("You're still signed in").first().waitFor()
    expect(page.url()).toContain(pathOf('contacts'))
    await page.unroute('**/api/dashboard/session')
    await signOut()
    await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor()
    await page.goto(pathOf('contacts'))
    await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor()
    await context.close()
  })
  test('text typed into a form stays when the session ends, and is sent after signing in in another tab', async () => {
    const session = await signIn(parley, shop, 'admin')
    const context = await profileOf(browser, parley, session)
    const { page } = await openPage(context)
    const cookies = await context.cookies()
    const notices = page.getByRole('region', { name: 'Notifications' })

    await shop.set({ modules: ['invoicing'] })
    const draft = await madeQuotation(shop)
    await page.goto(pathOf(`quotations/${draft.id}`))
    await page.getByLabel('Notes').fill('Delivered by Friday.')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await notices.getByText('Your session ended').waitFor()
    const other = context.waitForEvent('page')
    await notices.getByText('Sign in', { exact: true }).click()
    await (await other).getByRole('heading', { name: 'Sign in to Parley' }).waitFor()
    await context.addCookies(cookies)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Draft saved').waitFor()
    expect((await shop.get(`/quotations/${draft.id}`)).body.quotation.notes).toBe('Delivered by Friday.')

    await page.goto(pathOf('contacts'))
    await page.getByRole('button', { name: 'Add contact' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add contact' })
    await dialog.getByLabel('Number').fill('+919812345699')
    await context.clearCookies()
    await dialog.getByRole('button', { name: 'Add contact' }).click()
    await dialog.getByRole('alert').getByText('Your session ended').waitFor()
    await context.addCookies(cookies)
    await dialog.getByRole('button', { name: 'Add contact' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await shop.get('/contacts/+919812345699')).status).toBe(200)
    await context.close()
  })
  test('a browser that has lost its cookie is led to the sign-in, and back to the unfinished text', async () => {
    await shop.inbound('+919812345678', 'Is the blue one in stock?', { name: 'Asha Rao' })
    const [{ id }] = (await shop.get('/conversations')).body.conversations
    const session = await signIn(parley, shop, 'agent')
    const context = await profileOf(browser, parley, session)
    const { page } = await openPage(context)
    await page.goto(pathOf(`inbox/${id}`))
    await page.getByRole('textbox', { name: 'Message' }).fill('Yes, in every size.')
    const cookies = await context.cookies()
    await context.clearCookies()
    // A request of the page itself may notice it first, and lead away.
    void page
      .getByRole('link', { name: 'Contacts' })
      .click()
      .catch(() => {})
    await page.getByText('Your session ended').waitFor()
    await context.addCookies(cookies)
    await page.goto(pathOf(`inbox/${id}`))
    await page.getByText('Is the blue one in stock?').first().waitFor()
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Yes, in every size.')
    await context.close()
  })
})
