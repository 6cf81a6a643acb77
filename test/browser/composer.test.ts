/** Journeys 5, 6, and 9: offline, after the window, and with drafts no text is lost or doubled. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

describe.skipIf(!hasChromium)('written text is neither lost nor doubled', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  const chats = new Map<string, string>()
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true })
    for (const [phone, name] of [
      ['+919812345678', 'Asha Rao'],
      ['+919812345679', 'Ravi Menon'],
      ['+919812345680', 'Meera Iyer'],
      ['+919812345681', 'Divya Pillai'],
      // A number that receives nothing (docs/simulator.md).
      ['+15715550126', 'Nobody There'],
    ] as const)
      await shop.inbound(phone, `Hello, this is ${name}`, { name })
    for (const { id, contact } of (await shop.get('/conversations')).body.conversations)
      chats.set(contact.name, id)
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const open = async (name: string, options: BrowserContextOptions = {}) => {
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session, options)
    const { page } = await openPage(context)
    await show(page, name)
    return { context, page }
  }
  const show = async (page: Page, name: string) => {
    await page.goto(`/w/${shop.workspaceId}/inbox/${chats.get(name)}`)
    await page
      .getByRole('log', { name: `Messages with ${name}` })
      .getByText(`Hello, this is ${name}`)
      .waitFor()
  }
  const chooseMore = async (page: Page, entry: string) => {
    await page.getByRole('button', { name: 'Send something else' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })
  const listSent = async (name: string): Promise<string[]> =>
    (await shop.get(`/messages?conversationId=${chats.get(name)}&direction=outbound`)).body.messages.map(
      (message: { text: string }) => message.text,
    )

  test('the Send button is reachable at every width, on a laptop at 200 % too', async () => {
    for (const hasTouch of [false, true]) {
      const { context, page } = await open('Ravi Menon', { hasTouch, isMobile: hasTouch })
      for (const width of [360, 640, 900]) {
        await page.setViewportSize({ width, height: 500 })
        const { x, width: wide } = (await page
          .getByRole('button', { name: /^(Send|Record a voice message)$/ })
          .boundingBox())!
        expect(x + wide, `at ${width}`).toBeLessThanOrEqual(width)
        expect(await page.evaluate('document.documentElement.scrollWidth'), `at ${width}`).toBe(width)
        expect(await page.evaluate('document.documentElement.scrollHeight'), `at ${width}`).toBe(500)
      }
      await context.close()
    }
  })

  test('messages that were written offline are sent once, in their order', async () => {
    const { context, page } = await open('Asha Rao')
    await context.setOffline(true)
    for (const text of ['One', 'Two', 'Three']) {
      await field(page).fill(text)
      await field(page).press('Enter')
      await page.locator('[data-outbox]').filter({ hasText: text }).waitFor()
    }
    await page.getByText("You're offline.").waitFor()
    expect(await listSent('Asha Rao')).toEqual([])
    await context.setOffline(false)
    await page.locator('[data-message]').filter({ hasText: 'Three' }).waitFor()
    expect(await listSent('Asha Rao')).toEqual(['Three', 'Two', 'One'])
    await context.close()
  })

  test('a message whose answer was lost is not sent twice', async () => {
    const { context, page } = await open('Asha Rao')
    let lost = 0
    await page.route('**/api/v1/send', async (route) => {
      if (lost++ > 0) return route.continue()
      // The request arrives, and the answer is lost.
      await route.fetch()
      await route.abort('connectionreset')
    })
    await field(page).fill('Only once')
    await field(page).press('Enter')
    await page.locator('[data-message]').filter({ hasText: 'Only once' }).waitFor()
    expect((await listSent('Asha Rao')).filter((text) => text === 'Only once')).toHaveLength(1)
    await context.close()
  })

  test('on a slow connection that breaks each message is shown immediately and arrives once, in its order', async () => {
    const { context, page } = await open('Ravi Menon')
    const line = await context.newCDPSession(page)
    const set = (offline: boolean) =>
      line.send('Network.emulateNetworkConditions', {
        offline,
        latency: 200,
        downloadThroughput: 190_000,
        uploadThroughput: 90_000,
      })
    await set(false)
    const texts = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth']
    for (const text of texts) {
      // It breaks while messages are under way, and returns while others wait.
      if (text === 'Third') await set(true)
      if (text === 'Sixth') await set(false)
      await field(page).fill(text)
      await field(page).press('Enter')
      await page.getByRole('log').getByText(text, { exact: true }).waitFor()
    }
    for (const text of texts)
      await page
        .locator('[data-message]')
        .filter({ has: page.getByText(text, { exact: true }) })
        .waitFor()
    await expect.poll(() => page.locator('[data-outbox]').count()).toBe(0)
    expect(await listSent('Ravi Menon')).toEqual(texts.toReversed())
    await context.close()
  })

  test.each([
    ['on a desk', {}],
    ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ])(
    'a failed message shows the reason and the next step, and is sent again as another, linked message, %s',
    async (place, options) => {
      const { context, page } = await open('Nobody There', options)
      const text = `Can you read this ${place}?`
      await field(page).fill(text)
      await field(page).press('Enter')
      const bubbles = page.locator('[data-message]').filter({ hasText: text })
      await bubbles.waitFor()
      await shop.advance(10)
      await bubbles.getByText("this number can't be reached on the chat network.").waitFor()
      await bubbles.getByText('Check the number.').waitFor()
      await bubbles.getByText('(131026)').waitFor()
      await bubbles.getByRole('button', { name: 'Send again' }).click()
      await expect.poll(() => bubbles.count()).toBe(2)
      await bubbles.first().getByRole('button', { name: 'Sent again below' }).waitFor()
      expect(await bubbles.first().getByRole('button', { name: 'Send again', exact: true }).count()).toBe(0)
      await bubbles.last().getByRole('button', { name: 'Sent again', exact: true }).waitFor()
      expect((await listSent('Nobody There')).filter((message) => message === text)).toHaveLength(2)
      await context.close()
    },
  )

  test('a waiting message can be canceled, becomes a draft after a reload, and is sent once', async () => {
    const { context, page } = await open('Ravi Menon')
    const wait = async (choice: string) => {
      await page.goto(`/w/${shop.workspaceId}/profile`)
      await page.getByRole('combobox', { name: 'Undo send' }).click()
      await page.getByRole('option', { name: choice }).click()
      await show(page, 'Ravi Menon')
    }
    const before = await listSent('Ravi Menon')
    await wait('10 seconds')
    await field(page).fill('On second thought')
    await field(page).press('Enter')
    const bubble = page.locator('[data-outbox]').filter({ hasText: 'On second thought' })
    await bubble.getByText(/Sends in \d+ second/).waitFor()
    await bubble.getByRole('button', { name: 'Undo' }).click()
    await bubble.waitFor({ state: 'detached' })
    expect(await field(page).inputValue()).toBe('On second thought')

    await field(page).press('Enter')
    await bubble.waitFor()
    await page.reload()
    await expect.poll(() => field(page).inputValue()).toBe('On second thought')
    await bubble.waitFor({ state: 'detached' })

    await wait('3 seconds')
    await field(page).press('Enter')
    await page.locator('[data-message]').filter({ hasText: 'On second thought' }).waitFor()
    expect(await listSent('Ravi Menon')).toEqual(['On second thought', ...before])
    expect(await field(page).inputValue()).toBe('')
    await context.close()
  })

  test('a draft is kept for each chat and survives a reload', async () => {
    const { context, page } = await open('Ravi Menon')
    await field(page).fill('I am still looking')
    await page.getByRole('link', { name: /Meera Iyer/ }).click()
    await page.getByRole('log', { name: 'Messages with Meera Iyer' }).waitFor()
    expect(await field(page).inputValue()).toBe('')
    await page.getByRole('link', { name: /Ravi Menon.*Draft: I am still looking/ }).waitFor()
    await page.reload()
    await show(page, 'Ravi Menon')
    expect(await field(page).inputValue()).toBe('I am still looking')
    await context.close()
  })

  test('a quoted reply stays with its chat: another chat opens without it', async () => {
    const { context, page } = await open('Asha Rao')
    const bubble = page.locator('[data-message]').filter({ hasText: 'Hello, this is Asha Rao' })
    await bubble.hover()
    await bubble.getByRole('button', { name: 'Reply to this message' }).click()
    await page.getByText('Replying to: Hello, this is Asha Rao').waitFor()
    await page.getByRole('link', { name: /Ravi Menon/ }).click()
    await page.getByRole('log', { name: 'Messages with Ravi Menon' }).waitFor()
    expect(await page.getByText('Replying to:').count()).toBe(0)
    await field(page).fill('To nobody else')
    await field(page).press('Enter')
    await page.locator('[data-message]').filter({ hasText: 'To nobody else' }).waitFor()
    const { messages } = (await shop.get(`/messages?conversationId=${chats.get('Ravi Menon')}`)).body
    expect(messages[0]).toMatchObject({ text: 'To nobody else', replyTo: null })
    await page.getByRole('link', { name: /Asha Rao/ }).click()
    await page.getByText('Replying to: Hello, this is Asha Rao').waitFor()
    await context.close()
  })

  test('a note stays in the composer until it is saved, and is saved once', async () => {
    const { context, page } = await open('Meera Iyer')
    const notes = async (): Promise<string[]> =>
      (await shop.get(`/conversations/${chats.get('Meera Iyer')}/notes`)).body.notes.map(
        (note: { body: string }) => note.body,
      )
    const before = await notes()
    const note = page.getByRole('textbox', { name: 'Internal note' })
    let isCut = true
    let arrived = 0
    await page.route('**/api/v1/conversations/*/notes', async (route) => {
      if (route.request().method() !== 'POST' || !isCut) return route.continue()
      // The request arrives, and the answer is lost.
      await route.fetch()
      arrived++
      await route.abort('connectionreset')
    })
    await page.getByRole('button', { name: 'Note', exact: true }).click()
    await note.fill('She asked for the blue one')
    await note.press('Enter')
    await expect.poll(() => arrived).toBeGreaterThan(0)
    await page.getByRole('link', { name: /Ravi Menon/ }).click()
    await page.getByRole('link', { name: /Meera Iyer.*Draft: She asked for the blue one/ }).waitFor()
    isCut = false
    await page.getByRole('link', { name: /Meera Iyer/ }).click()
    await page.getByRole('log').getByText('She asked for the blue one').waitFor()
    await expect.poll(() => note.inputValue()).toBe('')
    expect(await notes()).toEqual(['She asked for the blue one', ...before])
    await context.close()
  })

  test('a file may take longer to upload than an answer may take', async () => {
    const { context, page } = await open('Asha Rao')
    // Timeouts are ten times shorter here.
    await page.evaluate(
      'const timeout = AbortSignal.timeout; AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 10)',
    )
    const line = await context.newCDPSession(page)
    await line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 100_000,
    })
    const buffer = Buffer.from('A long list of everything in stock.\\n'.repeat(8_000))
    const chooser = page.waitForEvent('filechooser')
    await chooseMore(page, 'Attach files')
    await (await chooser).setFiles({ name: 'stock.txt', mimeType: 'text/plain', buffer })
    await page.getByRole('list', { name: 'Attached files' }).getByText('Uploading stock.txt').waitFor()
    await page.getByRole('button', { name: 'Remove stock.txt' }).waitFor()
    await context.close()
  })

  test('one file too many is rejected with a message, and none of the added files is sent', async () => {
    const { context, page } = await open('Divya Pillai')
    const attach = async (names: string[]) => {
      const chooser = page.waitForEvent('filechooser')
      await chooseMore(page, 'Attach files')
      const buffer = Buffer.from('What is in stock.')
      await (await chooser).setFiles(names.map((name) => ({ name, mimeType: 'text/plain', buffer })))
    }
    const files = page.getByRole('list', { name: 'Attached files' })
    const nine = Array.from({ length: 9 }, (_, index) => `list-${index + 1}.txt`)
    await attach(nine)
    for (const name of nine) await files.getByRole('button', { name: `Remove ${name}` }).waitFor()
    await attach(['tenth.txt', 'eleventh.txt'])
    await page
      .getByRole('region', { name: 'Notifications' })
      .getByText('You can send up to 10 files at a time.')
      .waitFor()
    await files.getByRole('button', { name: 'Remove tenth.txt' }).waitFor()
    expect(await files.getByRole('listitem').count()).toBe(10)
    await files.getByRole('button', { name: 'Remove list-1.txt' }).waitFor()
    await context.close()
  })

  test("the Enter that ends an input method's composition selects no saved reply", async () => {
    await shop.post('/quick-replies', { shortcut: 'hours', text: 'We are open from 10 to 7.' })
    const { context, page } = await open('Ravi Menon')
    await field(page).fill('/ho')
    await page.getByRole('option').waitFor()
    await field(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true })
    expect(await field(page).inputValue()).toBe('/ho')
    await field(page).dispatchEvent('keydown', { key: 'Enter' })
    await expect.poll(() => field(page).inputValue()).toContain('We are open from 10 to 7.')
    await field(page).fill('')
    await context.close()
  })

  test('an Enter before the saved replies are loaded sends nothing, and selects one once they are there', async () => {
    await shop.post('/quick-replies', { shortcut: 'place', text: 'We are at 12 Hill Road.' })
    const { context, page } = await open('Ravi Menon')
    const released = Promise.withResolvers<void>()
    await page.route(/quick-replies/, async (route) => {
      await released.promise
      await route.continue()
    })
    await field(page).fill('/pla')
    await page.getByRole('listbox', { name: 'Saved replies' }).waitFor({ state: 'attached' })
    await field(page).press('Enter')
    expect(await field(page).inputValue()).toBe('/pla')
    released.resolve()
    await page.getByRole('option').waitFor()
    await field(page).press('Enter')
    await expect.poll(() => field(page).inputValue()).toContain('We are at 12 Hill Road.')
    await field(page).fill('')
    await context.close()
  })

  test('when the clock closes the window, only a template can be sent, and notes can still be written', async () => {
    const { context, page } = await open('Meera Iyer')
    await shop.advance(25 * 3_600)
    await page.getByText('The 24-hour window is closed').waitFor()
    expect(await field(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Choose a template' }).click()
    await page.getByRole('dialog', { name: 'Send a template' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Write a note' }).click()
    await page.getByRole('textbox', { name: 'Internal note' }).fill('Call her back')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('log').getByText('Call her back').waitFor()
    expect(await listSent('Meera Iyer')).toEqual([])
    await context.close()
  })
})
