/**
 * Several chats together: selected by keyboard and mouse, assigned, tagged, resolved, and all of it undone.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signIn, signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)('several chats together', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true })
    for (const [i, name] of ['Asha', 'Binoy', 'Chitra', 'Dev', 'Esha'].entries())
      await shop.inbound(`+91981234567${i}`, `Hello from ${name}`, { name })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })
  const names = async (query: string): Promise<string[]> =>
    (await shop.get(`/conversations?${query}`)).body.conversations
      .map(({ contact }: { contact: { name: string } }) => contact.name)
      .sort()

  test('are selected, assigned, tagged, and resolved, each with Undo', async () => {
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    await page.getByRole('link', { name: /Esha/ }).waitFor()
    const bar = page.getByRole('toolbar', { name: 'Actions for selected chats' })
    const undo = async () => {
      await page.getByRole('button', { name: 'Undo' }).first().click()
    }

    // Three by keyboard: the newest is first.
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+X')
    await bar.getByText('3 chats selected').waitFor()
    await bar.getByRole('button', { name: 'Assign' }).click()
    await page.getByRole('menuitem', { name: /\(me\)/ }).click()
    await page.getByText('3 chats changed').waitFor()
    expect(await names(`assignee=${shop.ownerId}`)).toEqual(['Chitra', 'Dev', 'Esha'])
    expect(await bar.count()).toBe(0)
    await undo()
    await expect.poll(() => names(`assignee=${shop.ownerId}`)).toEqual([])

    // From one box to another with Shift held.
    await page.getByRole('checkbox', { name: 'Select Esha' }).click({ force: true })
    await page.getByRole('checkbox', { name: 'Select Binoy' }).click({ modifiers: ['Shift'] })
    await bar.getByText('4 chats selected').waitFor()
    await bar.getByRole('button', { name: 'Tag' }).click()
    await page.getByRole('textbox', { name: 'Add a tag' }).last().fill('festival')
    await page.keyboard.press('Enter')
    await page.getByText('4 customers tagged festival').waitFor()
    expect(await names('tag=festival')).toEqual(['Binoy', 'Chitra', 'Dev', 'Esha'])
    await undo()
    await expect.poll(() => names('tag=festival')).toEqual([])

    await page.getByRole('checkbox', { name: 'Select Asha' }).click({ force: true })
    await page.getByRole('checkbox', { name: 'Select Chitra' }).click()
    await bar.getByRole('button', { name: 'Resolve' }).click()
    await page.getByText('2 chats changed').waitFor()
    await page.mouse.move(1_000, 400)
    await page.getByRole('link', { name: /Chitra/ }).waitFor({ state: 'detached' })
    expect(await names('state=resolved')).toEqual(['Asha', 'Chitra'])
    await undo()
    await page.getByRole('link', { name: /Chitra/ }).waitFor()
    expect(await names('state=resolved')).toEqual([])

    // Escape clears the selection before it closes anything.
    await page.getByRole('link', { name: /Asha/ }).click()
    await page.keyboard.press('x')
    await bar.waitFor()
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
    await page.getByRole('log', { name: 'Messages with Asha' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })
  test("the list's filters are saved under a name, for oneself or the team, and chosen by a key", async () => {
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page, faults } = await openPage(context)
    const rows = page.locator('[data-conversation]')
    const tabs = page.getByRole('tablist', { name: 'Chats' })
    const menu = async (button: string, entry: string | RegExp) => {
      await page.getByRole('button', { name: button }).click()
      await page
        .getByRole('menuitem', { name: entry })
        .or(page.getByRole('menuitemcheckbox', { name: entry }))
        .click()
      // The menu stays open after a choice.
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
    const chat = (name: string): string => chats.find((candidate) => candidate.contact.name === name)!.id
    const chats: { id: string; contact: { name: string } }[] = (await shop.get('/conversations')).body
      .conversations
    await shop.patch(`/conversations/${chat('Chitra')}`, { priority: 'urgent', state: 'open' })
    await page.goto(`/w/${shop.workspaceId}/inbox?state=any`)
    await rows.filter({ hasText: 'Chitra' }).waitFor()
    await menu('Filter and sort', 'Urgent')
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByRole('menuitem', { name: /Save as a view/ }).click()
    const dialog = page.getByRole('dialog', { name: /view/ })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter a name.').waitFor()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('On fire')
    await dialog.getByRole('switch', { name: 'Share with your team' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await tabs.getByRole('tab', { name: 'On fire', selected: true }).waitFor()
    // By keyboard: away, and back to the sixth.
    await page.keyboard.press('3')
    await expect.poll(() => rows.count()).toBe(5)
    await page.keyboard.press('6')
    await tabs.getByRole('tab', { name: 'On fire', selected: true }).waitFor()
    await expect.poll(() => rows.count()).toBe(1)

    // A teammate has it too; only the member sees their private views.
    const agent = await signIn(parley, shop, 'agent')
    const agentPage = (await openPage(await profileOf(browser, parley, agent))).page
    await agentPage.goto(`/w/${shop.workspaceId}/inbox`)
    await agentPage.getByRole('tab', { name: 'On fire' }).click()
    await expect.poll(() => agentPage.locator('[data-conversation]').count()).toBe(1)
    expect((await agent.post('/views', { page: 'inbox', name: 'Hers', shared: false })).status).toBe(201)
    await agentPage.getByRole('tab', { name: /Hers/ }).waitFor()
    expect(await tabs.getByRole('tab', { name: /Hers/ }).count()).toBe(0)

    // Changed, renamed, deleted: every teammate's list is updated.
    await menu('Filter and sort', 'Unread only')
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByRole('menuitem', { name: 'Save changes to “On fire”' }).click()
    await page.getByText('“On fire” is updated').waitFor()
    const stored = (await session.get('/views?page=inbox')).body.views
    expect(stored).toMatchObject([
      { name: 'On fire', shared: true, chats: { priority: 'urgent', unread: true } },
    ])
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByRole('menuitem', { name: /Rename or share/ }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Burning')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await agentPage.getByRole('tab', { name: 'Burning' }).waitFor()
    await picture(page, 'saved-views')
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByRole('menuitem', { name: /Delete “Burning”/ }).click()
    await page.getByRole('button', { name: 'Delete view' }).click()
    for (const tab of [page, agentPage])
      await tab.getByRole('tab', { name: 'Burning' }).waitFor({ state: 'detached' })
    await tabs.getByRole('tab', { name: /^All/, selected: true }).waitFor()
    expect(faults).toEqual([])
    await Promise.all([context.close(), agentPage.context().close()])
  })
})
