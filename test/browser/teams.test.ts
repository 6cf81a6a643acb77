/** A team that an admin creates in the settings, and whose chats go to its members in turn. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)('teams', () => {
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

  test('a team is created, gets the chats of its number, and is chosen, filtered, and deleted', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const admin = await signIn(parley, shop, 'admin')
    const context = await profileOf(browser, parley, admin, { viewport: { width: 1280, height: 900 } })
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/settings/teams`)
    await page.getByText('No teams yet').waitFor()
    await page.getByRole('button', { name: 'Add team' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add team' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Must not be empty.').waitFor()
    await dialog.getByLabel('Name').fill('Support')
    await dialog.getByLabel('Description').fill('Orders and returns')
    const add = async (label: string) => {
      await dialog.getByRole('combobox', { name: `${label}: Add` }).click()
      await page.getByRole('option').first().click()
    }
    await add('Members')
    await add('Numbers')
    await dialog.getByLabel('Open chats per member').fill('none')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Must be a whole number from 1 to 1000.').waitFor()
    await dialog.getByLabel('Open chats per member').fill('1')
    await picture(page, 'team-form')
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: /^Support/ }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await picture(page, 'team-list')
    await page.emulateMedia({ colorScheme: 'dark' })
    await picture(page, 'team-list-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    const { team } = { team: (await shop.get('/teams')).body.teams[0] }
    expect(team).toMatchObject({ assignment: 'round_robin', capacity: 1, description: 'Orders and returns' })
    await shop.patch(`/teams/${team.id}`, { memberIds: [admin.memberId] })

    // Two customers write: one place is free.
    await shop.inbound('+919812345678', 'Where is my order?', { name: 'Asha Rao' })
    await shop.inbound('+919812345679', 'Can I return it?', { name: 'Meera Das' })
    const chats = async (): Promise<Body[]> => (await shop.get('/conversations')).body.conversations
    const ofAdmin = async () => (await chats()).filter((chat) => chat.assignedAgentId === admin.memberId)
    await until(async () => (await ofAdmin()).length === 1, 'one chat of the member')
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    const row = page.getByRole('link', { name: /^Asha Rao/ })
    await row.getByText('Support').waitFor()
    await row.click()
    await page.getByRole('heading', { level: 2, name: 'Asha Rao' }).first().waitFor()
    await page.getByText(' · Support').first().waitFor()
    await page.getByRole('combobox', { name: 'Team', exact: true }).waitFor()
    await picture(page, 'team-chat')
    expect(await violationsOf(page)).toEqual([])

    // The place becomes free.
    await page.getByRole('log').click()
    await page.keyboard.press('e')
    await until(async () => {
      const [chat] = await ofAdmin().then((rows) => rows.filter(({ state }) => state === 'open'))
      return chat?.contact.name === 'Meera Das'
    }, 'the waiting chat of the member')

    // By keys, and by the filter.
    await page.getByRole('link', { name: /^Meera Das/ }).click()
    await page.getByRole('log', { name: 'Messages with Meera Das' }).getByText('Can I return it?').waitFor()
    await page.getByRole('log').click()
    await page.keyboard.press('a')
    await page.getByRole('option', { name: 'No team' }).waitFor()
    await picture(page, 'team-choice')
    await page.getByRole('option', { name: 'No team' }).click()
    await page.getByText('Removed from the team').first().waitFor()
    await until(
      async () =>
        (await chats()).some(({ teamId, contact }) => teamId === null && contact.name === 'Meera Das'),
      'the chat without a team',
    )
    await page.getByRole('button', { name: 'Filter and sort' }).click()
    await picture(page, 'team-filter')
    await page.getByRole('menuitemcheckbox', { name: 'Support' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: /^Meera Das/ }).waitFor({ state: 'detached' })
    expect(page.url()).toContain(`team=${team.id}`)

    // Away, on a phone.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/w/${shop.workspaceId}/settings/teams`)
    await page.getByRole('switch', { name: 'Available for new chats' }).click()
    await page.getByRole('heading', { name: 'You are away' }).waitFor()
    await page.getByText('(away)').waitFor()
    await picture(page, 'team-phone')
    await page.emulateMedia({ colorScheme: 'dark' })
    await picture(page, 'team-phone-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove Support' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No teams yet').waitFor()
    expect((await shop.get('/teams')).body.teams).toEqual([])
    expect(faults.filter((fault) => !/status of 4(00|22)/.test(fault))).toEqual([])
    await context.close()
  })
})
