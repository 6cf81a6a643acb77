/** Bots: built as an outline, played on the phone beside it, and met by a customer. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './looked.ts'

/** What a browser notes about an answer that the page expects. */
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
  /** The keys reach a menu once it has the focus, which it takes after it is drawn. */
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
    await page.getByRole('dialog', { name: 'New bot' }).waitFor()
    await page.keyboard.type('Front desk')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Front desk' }).waitFor()
    await page.getByText('Version 1.').waitFor()

    await press(page.getByRole('button', { name: /How it begins/ }))
    await page.getByLabel('Words that begin it').focus()
    await page.keyboard.type('menu')
    await press(page.getByRole('button', { name: 'Add a part under “Opening hours”' }))
    await chooseByLetter(page, 'Question')
    const text = page.getByLabel('Text', { exact: true })
    await text.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('For which day?')
    await choose(page, 'The answer is', 'A date')
    await press(page.getByRole('button', { name: `Remove “${HOURS}”` }))
    await press(page.getByRole('dialog').getByRole('button', { name: 'Remove' }))
    await press(page.getByRole('button', { name: 'Add a part after “For which day?”' }))
    await chooseByLetter(page, 'Message')
    await text.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('On {{answers.ask-1}} we are open from 10 to 7.')
    await page.getByText('Save what you changed to try it.').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('The bot is saved').waitFor()
    await page.getByText('Version 2.').waitFor()

    await page.getByRole('button', { name: 'Begin with “menu”' }).click()
    const phone = page.getByRole('log', { name: 'What was said' })
    await phone.getByText('Hello. How can we help?').waitFor()
    await phone.getByRole('button', { name: 'Tap Opening hours' }).click()
    await phone.getByText('For which day?').waitFor()
    const line = page.getByRole('textbox', { name: 'Write as the customer' })
    await line.fill('some day')
    await line.press('Enter')
    await phone.getByText('Not understood').waitFor()
    await line.fill('2026-12-01')
    await line.press('Enter')
    await phone.getByText('On 2026-12-01 we are open from 10 to 7.').waitFor()
    await phone.getByText('The bot has ended.').waitFor()
    expect(await looked(page, 'bot')).toEqual([])

    await page.getByRole('switch', { name: 'Answers customers' }).click()
    await page.getByText('The bot answers from now on').waitFor()
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
    await row.getByText('When somebody writes “menu”').waitFor()
    await row.getByRole('cell', { name: '1', exact: true }).waitFor()
    expect(await looked(page, 'bots')).toEqual([])
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('what keeps a bot from being saved stands at its part: a round without waiting, and what nothing leads to', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { bot } = (await shop.post('/bots', menu('Menu'))).body
    const { context, page, faults, path } = await open(shop, 'admin')
    await page.goto(`${path}/${bot.id}`)
    await page.getByRole('button', { name: `Add a part after “${HOURS}”` }).click()
    await page.getByRole('menuitem', { name: /^Message/ }).click()
    await choose(page, 'Then', new RegExp(HOURS.slice(0, 12)))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('One thing keeps it from being saved.').waitFor()
    const part = page.getByRole('listitem').filter({ hasText: 'Loops back to “We are open' })
    await part.last().waitFor()
    expect(await looked(page, 'bot-faults')).toEqual([])
    await choose(page, 'Then', 'The bot ends')

    await page.getByRole('button', { name: /How can we help\?/, expanded: false }).click()
    await choose(page, 'Where choice 2 leads', 'The bot ends')
    await page.getByRole('heading', { name: 'Nothing leads here' }).waitFor()
    await page.keyboard.press('Control+s')
    await alert.getByText("Can't be reached from “How can we help?”. Connect it or delete it.").waitFor()
    await page.getByRole('button', { name: 'Remove “Asked for a person.”' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.keyboard.press('Control+s')
    await page.getByText('The bot is saved').waitFor()
    expect((await shop.get(`/bots/${bot.id}`)).body.bot).toMatchObject({
      version: 2,
      nodes: [
        { id: 'menu', options: [{ next: 'hours' }, { next: null }] },
        { id: 'hours', next: 'message-1' },
        { id: 'message-1', next: null },
      ],
    })

    await page.getByRole('button', { name: 'More of this bot' }).click()
    await page.getByRole('menuitem', { name: 'Delete the bot' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the bot' }).click()
    await page.getByText('No bots yet').waitFor()
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('whoever leaves a changed bot is asked: by a link, by the way back, and by closing the tab', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { bot } = (await shop.post('/bots', menu('Menu'))).body
    const { context, page, faults, path } = await open(shop, 'admin')
    const here = `${path}/${bot.id}`
    const at = () => new URL(page.url()).pathname
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
      expect(at()).toBe(here)
      expect(await text.inputValue()).toBe('Every day from 10 to 7.')
    }
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const closing = await asked
    expect(closing.type()).toBe('beforeunload')
    await closing.dismiss()
    await text.waitFor()

    // What is saved is left without a word.
    await page.keyboard.press('Control+s')
    await page.getByText('The bot is saved').waitFor()
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

  test('what has the focus keeps it while choices and parts are added, moved and removed by keys', async () => {
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
    const focused = (role: 'button' | 'textbox', name: string) =>
      page.getByRole(role, { name, exact: true }).and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: /^How can we help/, expanded: false }).press('Enter')
    await press('Add a choice')
    await focused('textbox', 'Choice 3')
    await press('Move choice 2 up')
    await focused('button', 'Move choice 1 down')
    await press('Move choice 1 down')
    await focused('button', 'Move choice 2 down')
    await press('Remove choice 3')
    await focused('textbox', 'Choice 2')
    await press('Move “On holidays too.” up')
    await focused('button', 'Move “On holidays too.” down')
    await press('Move “On holidays too.” down')
    await focused('button', 'Move “On holidays too.” up')
    // What is pressed while it rests does nothing, and what rests keeps it.
    await page.getByLabel('Choice 1', { exact: true }).fill('Hours')
    await press('Save')
    await page.getByText('Version 2.').waitFor()
    await focused('button', 'Save')
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    await page.keyboard.press('Enter')
    expect((await shop.get(`/bots/${bot.id}`)).body.bot.version).toBe(2)
    expect(faults).toEqual([])
    await context.close()
  })

  test('of two people who change a bot both are kept, and who would undo the other is told so', async () => {
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
    const clash = page.getByRole('alert').filter({ hasText: 'Somebody else changed the same' })
    expect(await clash.count()).toBe(0)
    await page.keyboard.press('Control+s')
    await page.getByText('The bot is saved').waitFor()
    const stored = (await shop.get(`/bots/${bot.id}`)).body.bot
    expect(stored).toMatchObject({ name: 'Front desk', nodes: [{}, { text: 'Every day.' }, {}] })

    await text.fill('From ten on.')
    const nodes = stored.nodes.with(2, { ...stored.nodes[2], note: 'Be quick.' })
    await shop.patch(`/bots/${bot.id}`, { nodes })
    await clash.waitFor()
    expect(await text.inputValue()).toBe('From ten on.')
    await clash.getByRole('button', { name: 'Drop mine, show theirs' }).click()
    await clash.waitFor({ state: 'detached' })
    expect(await text.inputValue()).toBe('Every day.')
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    expect(faults).toEqual([])
    await context.close()
  })

  test('a viewer reads what a bot says, and can change nothing', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { bot } = (await shop.post('/bots', menu('Menu'))).body
    const { context, page, faults, path } = await open(shop, 'viewer')
    await page.goto(`${path}/${bot.id}`)
    await page.getByText('You can read this. An admin writes').waitFor()
    await page.getByText(HOURS).waitFor()
    await page.getByText('Asked for a person.').waitFor()
    expect(await page.getByRole('button', { name: /Add a part|Remove|Save/ }).count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })
})
