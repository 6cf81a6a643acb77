/** A macro that an agent writes in the settings and runs in a chat by keys. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)('macros', () => {
  let parley: TestParley
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  test('a macro is written, run by keys, changed, and deleted; a closed window changes nothing', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound('+919812345678', 'Where is my refund?', { name: 'Asha Rao' })
    await shop.post('/quick-replies', { shortcut: 'refund', text: 'Your refund is on its way, {{name}}.' })
    await shop.post('/tags', { name: 'refund' })
    const { team } = (await shop.post('/teams', { name: 'Returns' })).body
    const ravi = await signIn(parley, shop, 'agent')
    const context = await profileOf(browser, parley, ravi, { viewport: { width: 1280, height: 900 } })
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/settings/macros`)
    await page.getByText('No macros yet').waitFor()
    await page.getByRole('button', { name: 'Add macro' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add macro' })
    const choose = async (label: string, option: string) => {
      await dialog.getByRole('combobox', { name: label, exact: true }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await dialog.getByLabel('Name').fill('Refund done')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Must have at least one action.').waitFor()
    await choose('Send saved reply', '/refund')
    await dialog.getByLabel('Add tags').fill('refund')
    await choose('Hand to team', 'Returns')
    await choose('Assign', 'The teammate who runs the macro')
    await choose('Priority', 'High')
    await choose('Then', 'Resolve')
    await dialog.getByLabel('Add note').fill('Refunded.')
    await picture(page, 'macro-form')
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'Refund done', exact: true }).waitFor()
    await picture(page, 'macro-list')

    // By keys, in the chat.
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    await page.getByRole('link', { name: /^Asha Rao/ }).click()
    const log = page.getByRole('log', { name: 'Messages with Asha Rao' })
    await log.getByText('Where is my refund?').waitFor()
    await page.keyboard.press('m')
    await page.getByRole('option', { name: 'Refund done' }).waitFor()
    await picture(page, 'macro-choice')
    await page.keyboard.type('refund')
    await page.keyboard.press('Enter')
    await page.getByText('Ran “Refund done”').waitFor()
    await log.getByText('Your refund is on its way, Asha Rao.').waitFor()
    await log.getByText('Refunded.').waitFor()
    await picture(page, 'macro-done')
    const chat = async () => (await shop.get('/conversations')).body.conversations[0]
    expect(await chat()).toMatchObject({
      state: 'resolved',
      priority: 'high',
      tags: ['refund'],
      teamId: team.id,
      assignedAgentId: ravi.memberId,
    })

    // The window is closed: the error says so, and nothing changes.
    await shop.patch(`/conversations/${(await chat()).id}`, { state: 'open', priority: 'normal' })
    await shop.advance(25 * 3_600)
    await page.getByText('The 24-hour window is closed', { exact: true }).waitFor()
    await log.getByText('Refunded.').click()
    await page.keyboard.press('m')
    await page.getByRole('option', { name: 'Refund done' }).click()
    await page.getByText('The 24-hour window is closed, so “Refund done” changed nothing.').first().waitFor()
    expect(await chat()).toMatchObject({ state: 'open', priority: 'normal' })
    await picture(page, 'macro-refused')

    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/w/${shop.workspaceId}/settings/macros`)
    await page.getByRole('button', { name: 'Edit Refund done' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit macro' })
    await edit.getByLabel('Name').fill('Refund paid')
    await picture(page, 'macro-form-phone')
    await edit.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Remove Refund paid' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No macros yet').waitFor()
    expect((await shop.get('/macros')).body.macros).toEqual([])
    // The browser reports the two answers that name a fault.
    expect(faults.filter((fault) => !/status of 4(00|22)/.test(fault))).toEqual([])
    await context.close()
  })
})
