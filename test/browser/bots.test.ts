/** Bots: built as an outline, played on the phone next to it, and used by a customer. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'

/** The browser's console message about an expected error answer. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/
const HOURS = 'We are open from Monday to Saturday, 10 to 7.'

describe.skipIf(!hasChromium)('bots', () => {
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

  const open = async (shop: TestWorkspace, role: 'viewer' | 'admin') => {
    const session = await signIn(parley, shop, role)
    const context = await profileOf(browser, parley, session, { reducedMotion: 'reduce' })
    return { context, ...(await openPage(context)), path: `/w/${shop.workspaceId}/bots` }
  }
  const choose = async (page: Page, field: string, option: RegExp | string) => {
    await page.getByRole('combobox', { name: field, exact: true }).click()
    await page.getByRole('option', { name: option }).click()
  }
  /** Presses keys after a menu has the focus, which it takes after it is drawn. */
  const chooseByLetter = async (page: Page, name: string) => {
    await page.locator('[role=menu]:focus-within').waitFor()
    await page.keyboard.type(name.slice(0, 1))
    const item = page.getByRole('menuitem', { name: new RegExp(`^${name}`) })
    await item.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await item.waitFor({ state: 'detached' })
  }
  const menu = (name: string) => ({
    name,
    entry: { keywords: ['menu'] },
    fallback: { text: 'Please tap one of the buttons.' },
    start: 'menu',
    nodes: [
      {
        id: 'menu',
        type: 'buttons',
        text: 'How can we help?',
        options: [
          { id: 'hours', title: 'Opening hours', next: 'hours' },
          { id: 'person', title: 'Talk to us', next: 'person' },
        ],
      },
      { id: 'hours', type: 'message', text: HOURS },
      { id: 'person', type: 'handover', note: 'Asked for a person.' },
    ],
  })

  test('a menu is built by keyboard, played in the preview, and then by a customer', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { context, page, faults, path } = await open(shop, 'admin')
    const press = async (control: Locator) => {
      await control.focus()
      await page.keyboard.press('Enter')
    }
    await page.goto(path)
    await page.getByText('No bots yet').waitFor()
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'Create bot' }).waitFor()
    await page.keyboard.type('Front desk')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Front desk' }).waitFor()
    await page.getByText('Version 1.').waitFor()

    await press(page.getByRole('button', { name: /Start and fallback/ }))
    await page.getByLabel('Start keywords').focus()
    await page.keyboard.type('menu')
    await press(page.getByRole('button', { name: 'Add a step under “Opening hours”' }))
    await chooseByLetter(page, 'Question')
    const text = page.getByLabel('Text', { exact: true })
    await text.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('For which day?')
    await choose(page, 'Answer type', 'Date')
    await press(page.getByRole('button', { name: `Remove “${HOURS}”` }))
    await press(page.getByRole('dialog').getByRole('button', { name: 'Remove' }))
    await press(page.getByRole('button', { name: 'Add a step after “For which day?”' }))
    await chooseByLetter(page, 'Message')
    await text.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('On {{answers.ask-1}} we are open from 10 to 7.')
    await page.getByText('Save your changes to preview them.').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Bot saved').waitFor()
    await page.getByText('Version 2.').waitFor()

    await page.getByRole('button', { name: 'Start with “menu”' }).click()
    const phone = page.getByRole('log', { name: 'Preview chat' })
    await phone.getByText('Hello. How can we help?').waitFor()
    await phone.getByRole('button', { name: 'Tap Opening hours' }).click()
    await phone.getByText('For which day?').waitFor()
    const line = page.getByRole('textbox', { name: 'Message as the customer' })
    await line.fill('some day')
    await line.press('Enter')
    await phone.getByText('Not understood').waitFor()
    await line.fill('2026-12-01')
    await line.press('Enter')
    await phone.getByText('On 2026-12-01 we are open from 10 to 7.').waitFor()
    await phone.getByText('The bot has stopped.').waitFor()
    expect(await looked(page, 'bot')).toEqual([])

    await page.getByRole('switch', { name: 'Active' }).click()
    await page.getByText('The bot is turned on').waitFor()
    await page.goto(`/w/${shop.workspaceId}/sandbox`)
    const log = page.getByRole('log', { name: /Asha Rao/ })
    const message = page.getByLabel('Message as Asha Rao')
    await message.fill('menu')
    await message.press('Enter')
    await log.getByText('menu', { exact: true }).waitFor()
    await shop.advance(5)
    await log.getByRole('button', { name: 'Tap Opening hours' }).click()
    await log.getByText('Opening hours').nth(1).waitFor()
    await shop.advance(5)
    await log.getByText('For which day?').waitFor()

    await page.goto(path)
    const row = page.getByRole('table', { name: 'Bots' }).getByRole('row', { name: /Front desk/ })
    await row.getByText('When a customer writes “menu”').waitFor()
    await row.getByRole('cell', { name: '1', exact: true }).nth(1).waitFor()
    expect(await looked(page, 'bots')).toEqual([])
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('errors that prevent saving are shown at their part: a loop without waiting, and an unreachable part', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { bot } = (await shop.post('/bots', menu('Menu'))).body
    const { context, page, faults, path } = await open(shop, 'admin')
    await page.goto(`${path}/${bot.id}`)
    await page.getByRole('button', { name: `Add a step after “${HOURS}”` }).click()
    await page.getByRole('menuitem', { name: /^Message/ }).click()
    await choose(page, 'Next step', new RegExp(HOURS.slice(0, 12)))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('Fix 1 problem to save the bot.').waitFor()
    const part = page.getByRole('listitem').filter({ hasText: 'Loops back to “We are open' })
    await part.last().waitFor()
    expect(await looked(page, 'bot-faults')).toEqual([])
    await choose(page, 'Next step', 'Stop the bot')

    await page.getByRole('button', { name: /How can we help\?/, expanded: false }).click()
    await choose(page, 'Step after choice 2', 'Stop the bot')
    await page.getByRole('heading', { name: 'Unreachable steps' }).waitFor()
    await page.keyboard.press('Control+s')
    await alert.getByText("Can't be reached from “How can we help?”. Connect it or delete it.").waitFor()
    await page.getByRole('button', { name: 'Remove “Asked for a person.”' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.keyboard.press('Control+s')
    await page.getByText('Bot saved').waitFor()
    expect((await shop.get(`/bots/${bot.id}`)).body.bot).toMatchObject({
      version: 2,
      nodes: [
        { id: 'menu', options: [{ next: 'hours' }, { next: null }] },
        { id: 'hours', next: 'message-1' },
        { id: 'message-1', next: null },
      ],
    })

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete bot' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete bot' }).click()
    await page.getByText('No bots yet').waitFor()
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('a bot is duplicated with its saved steps, and turned on from the list', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { bot } = (await shop.post('/bots', { ...menu('Menu'), enabled: true })).body
    const { context, page, faults, path } = await open(shop, 'admin')
    await page.goto(`${path}/${bot.id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: 'Menu (copy)' }).waitFor()
    await page.getByText(HOURS).waitFor()
    expect(await page.getByRole('switch', { name: 'Active' }).isChecked()).toBe(false)
    await page.goto(path)
    await page.getByRole('switch', { name: 'Active: Menu (copy)' }).click()
    await page.getByText('The bot is turned on').waitFor()
    const { bots } = (await shop.get('/bots')).body
    expect(
      bots.map(({ name, enabled }: { name: string; enabled: boolean }) => [name, enabled]).sort(),
    ).toEqual([
      ['Menu (copy)', true],
      ['Menu', true],
    ])
    expect(await looked(page, 'bots-copied')).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  test('leaving a changed bot asks for confirmation: by a link, by the back button, and by closing the tab', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { bot } = (await shop.post('/bots', menu('Menu'))).body
    const { context, page, faults, path } = await open(shop, 'admin')
    const botPath = `${path}/${bot.id}`
    const readPath = () => new URL(page.url()).pathname
    const question = page.getByRole('dialog', { name: 'Discard changes?' })
    await page.goto(path)
    await page.getByRole('link', { name: 'Menu' }).click()
    await page.getByRole('button', { name: /^We are open from/, expanded: false }).click()
    const text = page.getByLabel('Text', { exact: true })
    await text.fill('Every day from 10 to 7.')

    for (const leave of [
      () => page.getByRole('link', { name: 'All bots' }).click(),
      () => page.goBack(),
      () => page.getByRole('link', { name: 'Contacts', exact: true }).click(),
    ]) {
      await leave()
      await question.waitFor()
      await question.getByRole('button', { name: 'Cancel' }).click()
      await question.waitFor({ state: 'detached' })
      expect(readPath()).toBe(botPath)
      expect(await text.inputValue()).toBe('Every day from 10 to 7.')
    }
    const dialogShown = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const closing = await dialogShown
    expect(closing.type()).toBe('beforeunload')
    await closing.dismiss()
    await text.waitFor()

    // Leaving a saved bot asks nothing.
    await page.keyboard.press('Control+s')
    await page.getByText('Bot saved').waitFor()
    await page.getByRole('link', { name: 'All bots' }).click()
    await page.getByRole('link', { name: 'Menu' }).click()
    await page.getByRole('button', { name: /^Every day from/, expanded: false }).click()
    await text.fill('Never.')
    await page.getByRole('link', { name: 'All bots' }).click()
    await question.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('table', { name: 'Bots' }).waitFor()
    expect((await shop.get(`/bots/${bot.id}`)).body.bot.nodes[1].text).toBe('Every day from 10 to 7.')
    expect(faults).toEqual([])
    await context.close()
  })

  test('the focus stays where it is while choices and parts are added, moved, and removed by keyboard', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { nodes, ...rest } = menu('Menu')
    const more = [
      { id: 'hours', type: 'message', text: HOURS, next: 'more' },
      { id: 'more', type: 'message', text: 'On holidays too.' },
    ]
    const { bot } = (await shop.post('/bots', { ...rest, nodes: [nodes[0], ...more, nodes[2]] })).body
    const { context, page, faults, path } = await open(shop, 'admin')
    await page.goto(`${path}/${bot.id}`)
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    const waitForFocus = (role: 'button' | 'textbox', name: string) =>
      page.getByRole(role, { name, exact: true }).and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: /^How can we help/, expanded: false }).press('Enter')
    await press('Add choice')
    await waitForFocus('textbox', 'Choice 3')
    await press('Move choice 2 up')
    await waitForFocus('button', 'Move choice 1 down')
    await press('Move choice 1 down')
    await waitForFocus('button', 'Move choice 2 down')
    await press('Remove choice 3')
    await waitForFocus('textbox', 'Choice 2')
    await press('Move “On holidays too.” up')
    await waitForFocus('button', 'Move “On holidays too.” down')
    await press('Move “On holidays too.” down')
    await waitForFocus('button', 'Move “On holidays too.” up')
    // A key pressed on a disabled button does nothing, and the button keeps the focus.
    await page.getByLabel('Choice 1', { exact: true }).fill('Hours')
    await press('Save')
    await page.getByText('Version 2.').waitFor()
    await waitForFocus('button', 'Save')
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    await page.keyboard.press('Enter')
    expect((await shop.get(`/bots/${bot.id}`)).body.bot.version).toBe(2)
    expect(faults).toEqual([])
    await context.close()
  })

  test("changes of two members to a bot are both kept, and overwriting the other's change shows a warning", async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { bot } = (await shop.post('/bots', menu('Menu'))).body
    const { context, page, faults, path } = await open(shop, 'admin')
    await page.goto(`${path}/${bot.id}`)
    await page.getByRole('button', { name: /^We are open from/, expanded: false }).click()
    const text = page.getByLabel('Text', { exact: true })
    await text.fill('Every day.')
    await shop.patch(`/bots/${bot.id}`, { name: 'Front desk' })
    await page.getByRole('heading', { name: 'Front desk' }).waitFor()
    expect(await text.inputValue()).toBe('Every day.')
    const clash = page.getByRole('alert').filter({ hasText: 'A teammate made other changes' })
    expect(await clash.count()).toBe(0)
    await page.keyboard.press('Control+s')
    await page.getByText('Bot saved').waitFor()
    const stored = (await shop.get(`/bots/${bot.id}`)).body.bot
    expect(stored).toMatchObject({ name: 'Front desk', nodes: [{}, { text: 'Every day.' }, {}] })

    await text.fill('From ten on.')
    const nodes = stored.nodes.with(2, { ...stored.nodes[2], note: 'Be quick.' })
    await shop.patch(`/bots/${bot.id}`, { nodes })
    await clash.waitFor()
    expect(await text.inputValue()).toBe('From ten on.')
    await clash.getByRole('button', { name: 'Discard my changes' }).click()
    await clash.waitFor({ state: 'detached' })
    expect(await text.inputValue()).toBe('Every day.')
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    expect(faults).toEqual([])
    await context.close()
  })

  test("a viewer reads a bot's texts, and can't change anything", async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { bot } = (await shop.post('/bots', menu('Menu'))).body
    const { context, page, faults, path } = await open(shop, 'viewer')
    await page.goto(`${path}/${bot.id}`)
    await page.getByText('You can view bots.').waitFor()
    await page.getByText(HOURS).waitFor()
    await page.getByText('Asked for a person.').waitFor()
    expect(await page.getByRole('button', { name: /Add a step|Remove|Save/ }).count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })
})
