/** The assistant for agents in the inbox: drafts and summaries. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { connectNumber } from '../support/operator-webhooks.ts'
import { chatWith, listReplies } from '../support/replies.ts'
import { signIn } from '../support/sessions.ts'
import { completion, standInAssistant } from '../support/stand-in-assistant.ts'
import { standInOperator } from '../support/stand-in-operator.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'
import { picture } from './picture.ts'

/** The browser's console message about an expected error answer. */
const REFUSED = /^Failed to load resource: the server responded with a status of (4\d\d|502)/
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const ASHA = '919812345678'
const TEXT = 'Yes, the blue kurta is in stock.'
const assistant = await standInAssistant()
const operator = await standInOperator()
const says = (text: unknown) => assistant.says(JSON.stringify({ text }))

describe.skipIf(!hasChromium)('the assistant for agents', () => {
  let parley: TestParley
  let browser: Browser
  let last = 0
  beforeAll(async () => {
    parley = await boot({ env: { ...operator.env, ...assistant.env } })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
    await Promise.all([assistant.close(), operator.close()])
  })
  beforeEach(() => {
    assistant.questions.length = 0
    says(TEXT)
  })

  /** Opens the chat of a customer, after an admin connected the assistant. */
  const openChat = async ({
    forAgents = true,
    options = {},
  }: {
    forAgents?: boolean
    options?: BrowserContextOptions
  } = {}) => {
    const shop = await parley.workspace({ name: 'Blue Lotus' })
    const number = await connectNumber(parley, shop)
    const settings = { url: assistant.url, model: 'small', forAgents }
    const connected = await shop.call('PUT', '/integrations/ai', { settings })
    expect(connected.status, connected.text).toBe(200)
    assistant.questions.length = 0
    await number.report('messages', {
      contacts: [{ wa_id: ASHA, profile: { name: 'Asha Rao' } }],
      messages: [
        {
          from: ASHA,
          id: `wamid.assist${++last}`,
          timestamp: String(Math.floor(Date.now() / 1_000)),
          type: 'text',
          text: { body: 'Is the blue kurta in stock?' },
        },
      ],
    })
    const session = await signIn(parley, shop, 'agent')
    const context = await profileOf(browser, parley, session, { reducedMotion: 'reduce', ...options })
    const opened = await openPage(context)
    const { id } = await chatWith(shop, `+${ASHA}`)
    await opened.page.goto(`/w/${shop.workspaceId}/inbox/${id}`)
    await opened.page.getByRole('log').getByText('Is the blue kurta in stock?').waitFor()
    return { shop, context, id, ...opened }
  }
  const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
  const choose = async (page: Page, entry: string) => {
    await page.getByRole('button', { name: 'Send something else' }).click()
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
  }
  const draftCard = (page: Page) => page.getByRole('region', { name: "Assistant's draft" })
  const summaryCard = (page: Page) => page.getByRole('region', { name: 'Chat summary' })

  test('a draft lands in the message field, can be changed and undone, and is never sent by itself', async () => {
    const { shop, context, page, faults } = await openChat()
    await choose(page, 'Draft a reply')
    await expect.poll(() => fieldOf(page).inputValue()).toBe(TEXT)
    await draftCard(page).getByText('Check it before you send it.').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
    expect(await looked(page, 'assistant-draft')).toEqual([])

    // A wish for the draft replaces the untouched draft without a question.
    says('In stock.')
    await draftCard(page).getByLabel('Change the draft').fill('shorter')
    await draftCard(page).getByRole('button', { name: 'Draft again' }).click()
    await expect.poll(() => fieldOf(page).inputValue()).toBe('In stock.')
    const document = JSON.parse(assistant.questions.at(-1)!.body.messages[1].content)
    expect(document).toMatchObject({ request: 'shorter', customer: { firstName: 'Asha' } })

    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(() => fieldOf(page).inputValue()).toBe(TEXT)
    expect(await listReplies(shop)).toEqual([])
    await draftCard(page).getByRole('button', { name: 'Close draft' }).click()
    await draftCard(page).waitFor({ state: 'detached' })
    await fieldOf(page).press('Enter')
    await expect.poll(() => listReplies(shop), { timeout: 15_000 }).toEqual([TEXT])
    expect(faults).toEqual([])
    await context.close()
  })

  test('typed text is replaced only after a question', async () => {
    const { context, page, faults } = await openChat()
    await fieldOf(page).fill('Hello Asha,')
    await choose(page, 'Draft a reply')
    await draftCard(page).getByText('You already typed a message.').waitFor()
    expect(await fieldOf(page).inputValue()).toBe('Hello Asha,')
    await draftCard(page).getByText(TEXT).waitFor()
    expect(await looked(page, 'assistant-question')).toEqual([])
    await draftCard(page).getByRole('button', { name: 'Add below my text' }).click()
    await expect.poll(() => fieldOf(page).inputValue()).toBe(`Hello Asha,\n${TEXT}`)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(() => fieldOf(page).inputValue()).toBe('Hello Asha,')

    await choose(page, 'Draft a reply')
    await draftCard(page).getByRole('button', { name: 'Replace my text' }).click()
    await expect.poll(() => fieldOf(page).inputValue()).toBe(TEXT)
    await fieldOf(page).fill(`${TEXT} Shall I keep one?`)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    // The edited draft stays within reach.
    await expect.poll(() => fieldOf(page).inputValue()).toBe('Hello Asha,')
    await page.getByText('Shall I keep one?').waitFor()

    await draftCard(page).getByRole('button', { name: 'Draft again' }).click()
    await draftCard(page).getByRole('button', { name: 'Discard draft' }).click()
    expect(await fieldOf(page).inputValue()).toBe('Hello Asha,')
    expect(faults).toEqual([])
    await context.close()
  })

  test('a summary is copied or saved as a note; both commands are in the palette', async () => {
    const { shop, id, context, page, faults } = await openChat()
    says('Asha wants the blue kurta.\nNobody has answered.')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('Summarize')
    await page.getByRole('option', { name: 'Summarize chat' }).click()
    await summaryCard(page).getByText('Asha wants the blue kurta.').waitFor()
    expect(await looked(page, 'assistant-summary')).toEqual([])
    await summaryCard(page).getByRole('button', { name: 'Copy summary' }).waitFor()
    await summaryCard(page).getByRole('button', { name: 'Add as note' }).click()
    await page.getByText('Summary added as a note').waitFor()
    await summaryCard(page).waitFor({ state: 'detached' })
    const { notes } = (await shop.get(`/conversations/${id}/notes`)).body
    expect(notes).toMatchObject([{ body: 'Asha wants the blue kurta.\nNobody has answered.' }])

    says(TEXT)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('Draft a')
    await page.getByRole('option', { name: 'Draft a reply' }).click()
    await expect.poll(() => fieldOf(page).inputValue()).toBe(TEXT)
    expect(faults).toEqual([])
    await context.close()
  })

  test('errors are shown with another attempt, and markup of the assistant stays text', async () => {
    const { context, page, faults } = await openChat()
    assistant.answer((response) => response.writeHead(500).end())
    await choose(page, 'Draft a reply')
    await draftCard(page).getByText('The assistant answered with status 500.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await picture(page, 'assistant-error')
    assistant.answer((response) =>
      response.end(completion(JSON.stringify({ text: '<img src=x onerror=alert(1)>' }))),
    )
    await draftCard(page).getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => fieldOf(page).inputValue()).toBe('<img src=x onerror=alert(1)>')
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('without the setting, the inbox offers neither; an admin turns it on in Integrations', async () => {
    const { shop, context, page, faults } = await openChat({ forAgents: false })
    await page.getByRole('button', { name: 'Send something else' }).click()
    await page.getByRole('menuitem', { name: 'Reply buttons' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Draft a reply' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(faults).toEqual([])
    await context.close()

    const admin = await profileOf(browser, parley, await signIn(parley, shop, 'admin'), {
      reducedMotion: 'reduce',
    })
    const { page: settings, faults: settingsFaults } = await openPage(admin)
    await settings.goto(`/w/${shop.workspaceId}/integrations/ai`)
    await settings.getByRole('switch', { name: 'Let agents use the assistant' }).click()
    await settings.getByRole('button', { name: 'Check and save' }).click()
    await settings.getByText('AI assistant is connected').waitFor()
    expect((await shop.get('/integrations/ai')).body.integration.settings.forAgents).toBe(true)
    await settings.getByRole('button', { name: 'Test connection' }).click()
    await settings.getByText('The connection works.').waitFor()
    expect(await looked(settings, 'integration-ai')).toEqual([])
    expect(settingsFaults).toEqual([])
    await admin.close()
  })

  test('on a phone, the draft and the field both fit', async () => {
    const { context, page, faults } = await openChat({ options: PHONE })
    await page.getByRole('button', { name: 'Send something else' }).click()
    await page.getByRole('menuitem', { name: 'Draft a reply' }).click()
    await expect.poll(() => fieldOf(page).inputValue()).toBe(TEXT)
    expect(await violationsOf(page)).toEqual([])
    await picture(page, 'assistant-draft-390')

    // The details leave the screen for the summary.
    await draftCard(page).getByRole('button', { name: 'Close draft' }).click()
    await page.getByRole('button', { name: 'Contact details' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Summarize chat' }).click()
    await summaryCard(page).getByText(TEXT).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await picture(page, 'assistant-summary-390')
    expect(faults).toEqual([])
    await context.close()
  })
})
