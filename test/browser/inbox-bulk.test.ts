/** Several chats at once: chosen by keys and mouse, assigned, tagged, resolved, and all of it taken back. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

describe.skipIf(!hasChromium)('several chats at once', () => {
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

  test('are chosen, assigned, tagged and resolved, each with Undo', async () => {
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    await page.getByRole('link', { name: /Esha/ }).waitFor()
    const bar = page.getByRole('toolbar', { name: 'With the selected chats' })
    const undo = async () => {
      await page.getByRole('button', { name: 'Undo' }).first().click()
    }

    // Three by keys: the newest stands first.
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

    // Escape lets go of what is chosen before it closes anything.
    await page.getByRole('link', { name: /Asha/ }).click()
    await page.keyboard.press('x')
    await bar.waitFor()
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
    await page.getByRole('log', { name: 'Messages with Asha' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })
})
