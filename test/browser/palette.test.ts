import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { untilRead } from '../support/read-words.ts'
import { signInByLink } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const LOOKS: [name: string, options: BrowserContextOptions][] = [
  ['wide', {}],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
]

describe.skipIf(!hasChromium)('the palette', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let chat: Body
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound('+919812345678', 'Is the teakwood cupboard in stock?', { name: 'Asha Teak' })
    await shop.post('/leads', { phone: '+919812345678', name: 'Asha Teak' })
    const [lead] = (await shop.get('/leads')).body.leads
    await shop.post('/tasks', {
      leadId: lead.id,
      title: 'Offer the teak table',
      type: 'call',
      dueAt: '2030-01-01T10:00:00Z',
    })
    ;[chat] = (await shop.get('/conversations')).body.conversations
    browser = await launch()
    await untilRead(parley, shop.workspaceId, 'cupboard')
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  test.each(LOOKS)('finds everything and opens it: %s', async (theme, options) => {
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session, options)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/tasks`)
    await page.locator('h1').first().waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    const field = page.getByRole('combobox', { name: 'Search and commands' })
    await field.fill('task')
    await page.getByRole('option', { name: 'Tasks' }).first().waitFor()

    await field.fill('teak')
    const hit = page.getByRole('option', { name: /teakwood cupboard/ })
    await hit.waitFor()
    for (const group of ['Contacts', 'Messages', 'Leads', 'Tasks'])
      await page.getByRole('group', { name: group }).waitFor()
    await picture(page, `palette-${theme}`)

    await field.fill('nothing of the kind')
    await page.getByText('No results. Try another search.').waitFor()
    await field.fill('cupbo')
    await hit.waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(
      (url) =>
        url.pathname.endsWith(`/inbox/${chat.id}`) && url.searchParams.get('message') === chat.lastMessage.id,
    )
    await page.getByRole('log').getByText('Is the teakwood cupboard in stock?').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('letters that are typed before it is loaded are no shortcuts of the page', async () => {
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page } = await openPage(context)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/assets\/palette-/, async (route) => {
      await released
      await route.continue()
    })
    await shop.patch(`/conversations/${chat.id}`, { state: 'open' })
    await page.goto(`/w/${shop.workspaceId}/inbox/${chat.id}`)
    await page.getByRole('button', { name: 'Resolve' }).waitFor()
    await page.getByRole('log').getByText('teakwood').waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    // In a chat, this letter resolves it.
    await page.keyboard.press('e')
    release()
    const field = page.getByRole('combobox', { name: 'Search and commands' })
    await field.waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    expect((await shop.get(`/conversations/${chat.id}`)).body.conversation.state).toBe('open')
    await page.keyboard.press('e')
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await context.close()
  })

  test('letters that are typed while it closes are shortcuts of the page again', async () => {
    await shop.patch(`/conversations/${chat.id}`, { state: 'open' })
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox/${chat.id}`)
    await page.getByRole('button', { name: 'Resolve' }).waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    const field = page.getByRole('combobox', { name: 'Search and commands' })
    await field.waitFor()
    await page.getByRole('dialog').evaluate((dialog) => {
      dialog.style.transitionDuration = '60s'
    })
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.keyboard.press('e')
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await context.close()
  })

  test('switches the availability of the member, and undoes it', async () => {
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page, faults } = await openPage(context)
    await session.post('/api/v1/teams/availability', { available: true })
    const isAvailable = async () => (await session.get('/api/v1/teams/availability')).body.available
    const run = async (name: string) => {
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('combobox', { name: 'Search and commands' }).fill('availability')
      await page.getByRole('option', { name }).click()
    }
    await page.goto(`/w/${shop.workspaceId}/tasks`)
    await page.locator('h1').first().waitFor()
    await run('Availability: set to away')
    await page.getByText('You are away').first().waitFor()
    expect(await isAvailable()).toBe(false)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('You are available').first().waitFor()
    expect(await isAvailable()).toBe(true)
    await run('Availability: set to away')
    await run('Availability: set to available')
    await until(isAvailable, 'the member is available')
    expect(faults).toEqual([])
    await context.close()
  })
})
