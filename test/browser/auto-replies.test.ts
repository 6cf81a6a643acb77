/** Auto-replies: written on their page, received on the sandbox phone. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { connectNumber } from '../support/operator-webhooks.ts'
import { signIn } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'

/** The browser's console message about an expected error answer. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/
const AWAY = 'We are closed now. We write tomorrow.'

describe.skipIf(!hasChromium)('auto-replies', () => {
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
    return { context, ...(await openPage(context)), path: `/w/${shop.workspaceId}/auto-replies` }
  }
  const choose = async (page: Page, field: string, option: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  const save = async (page: Page) => {
    // By name, because the notice about saving is also a dialog and stays for seconds.
    const dialog = page.getByRole('dialog', { name: /auto-reply$/ })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  test('an away message and a keyword reply are written, and a customer who messages gets them', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { context, page, faults, path } = await open(shop, 'admin')
    await page.goto(path)
    await page.getByText('No auto-replies yet').waitFor()
    await page.getByText("Your hours aren't set yet.").waitFor()

    await page.keyboard.press('c')
    await choose(page, 'Type', 'Away message')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Must not be empty.').waitFor()
    await page.getByLabel('Message', { exact: true }).fill('Hello ')
    await page.getByRole('button', { name: "Insert the customer's name" }).click()
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('Hello {{contact.name}}')
    await page.getByLabel('Message').fill(AWAY)
    await choose(page, 'Hours', 'At any time')
    await save(page)
    await page.getByText('Once per chat every 4 hours').waitFor()

    for (const [keywords, text] of [
      ['price', 'From 900 rupees.'],
      ['price\nprices', 'See https://shop.example/prices'],
    ] as const) {
      await page.getByRole('button', { name: 'Create auto-reply' }).click()
      await page.getByRole('textbox', { name: 'Keywords' }).fill(keywords)
      await page.getByLabel('Message').fill(text)
      await save(page)
      await page.getByText(text).waitFor()
    }
    const keywords = page.getByRole('list', { name: 'Keywords' }).getByRole('listitem')
    await keywords.nth(1).getByText('The message contains the word “price” or “prices”').waitFor()
    await keywords.nth(1).getByText('“price” is answered by an auto-reply above.').waitFor()
    expect(await looked(page, 'auto-replies')).toEqual([])

    // The preview answers by the saved rules, and explains the other replies.
    await page.getByLabel('A customer writes').fill('What is the price?')
    const why = page.getByRole('list', { name: 'Why' })
    await why.getByRole('listitem').nth(0).getByText('Sent: contains “price”').waitFor()
    await why.getByRole('listitem').nth(1).getByText('One above is sent first').waitFor()
    await why.getByRole('listitem').nth(2).getByText('Already answered').waitFor()
    await page.getByRole('status').getByText('From 900 rupees.').waitFor()
    await keywords.nth(0).getByText('Not sent in the last 30 days').waitFor()
    expect(await looked(page, 'auto-replies-preview')).toEqual([])

    // The first match is sent, so the second is moved above it.
    await keywords.nth(1).getByRole('button', { name: 'Move price up' }).click()
    await keywords.nth(0).getByText('See https://shop.example/prices').waitFor()
    await page.getByRole('status').getByText('See https://shop.example/prices').waitFor()
    const { autoReplies } = (await shop.get('/auto-replies')).body
    expect(autoReplies).toHaveLength(3)

    await page.goto(`/w/${shop.workspaceId}/sandbox`)
    const line = page.getByLabel('Message as Asha Rao')
    const log = page.getByRole('log')
    const write = async (text: string) => {
      await line.fill(text)
      await line.press('Enter')
      await log.getByText(text, { exact: true }).waitFor()
      await shop.advance(5)
    }
    await write('What is the price?')
    await log.getByText('See https://shop.example/prices').waitFor()
    await write('Is anybody there?')
    await log.getByText(AWAY).waitFor()
    expect(await log.getByText('From 900 rupees.').count()).toBe(0)

    // When turned off, it sends nothing.
    await page.goto(path)
    await keywords.nth(0).getByText('Sent once in the last 30 days').waitFor()
    await page.getByRole('switch', { name: `Active: ${AWAY}` }).click()
    await page.getByText('Auto-reply turned off').waitFor()
    await page.getByRole('button', { name: `Remove ${AWAY}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Auto-reply deleted').waitFor()
    expect((await shop.get('/auto-replies')).body.autoReplies).toHaveLength(2)
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('a regular expression is tested while it is written, and a reply shows the end of its time', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { context, page, faults, path } = await open(shop, 'admin')
    await page.goto(path)
    await page.getByRole('button', { name: 'Create auto-reply' }).click()
    await choose(page, 'Match', 'Regular expression')
    await page.getByLabel('Regular expressions').fill('order (#')
    await page.getByLabel('Test with an example').fill('Where is ORDER #4711?')
    await page.getByText("At character 7, this parenthesis isn't closed.").waitFor()
    await page.getByLabel('Regular expressions').fill('order #\\d{4}')
    await page.getByText('Matches', { exact: true }).waitFor()
    await page.getByLabel('Test with an example').fill('Hello')
    await page.getByText("Doesn't match").waitFor()
    await page.getByLabel('Message', { exact: true }).fill('We look it up.')
    await page.getByLabel('Until').fill('2099-12-03T18:00')
    expect(await looked(page, 'auto-reply-regex')).toEqual([])
    await save(page)
    await page.getByText(/^Ends .*Dec/).waitFor()
    const [reply] = (await shop.get('/auto-replies')).body.autoReplies
    expect(reply).toMatchObject({ match: 'regex', keywords: ['order #\\d{4}'], validFrom: null })
    await shop.patch(`/auto-replies/${reply.id}`, { validUntil: '2020-01-01T00:00:00Z' })
    await page.getByText('Ended', { exact: true }).waitFor()
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('a reply is for all numbers, for several, or for one', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await connectNumber(parley, shop)
    const numbers: { id: string; number: string }[] = (await shop.get('/phone-numbers')).body.phoneNumbers
    expect(numbers).toHaveLength(2)
    const { context, page, faults, path } = await open(shop, 'admin')
    const readPhoneNumberIds = async () =>
      (await shop.get('/auto-replies')).body.autoReplies[0].phoneNumberIds
    const chosen = page.getByRole('group', { name: 'Numbers' })
    const change = () => page.getByRole('button', { name: 'Edit Welcome to us.' }).click()
    await page.goto(path)
    await page.getByRole('button', { name: 'Create auto-reply' }).click()
    await choose(page, 'Type', 'Welcome')
    await page.getByLabel('Message').fill('Welcome to us.')
    await chosen.getByText('Leave empty to answer on all numbers.').waitFor()
    await save(page)
    expect(await readPhoneNumberIds()).toBeNull()

    await change()
    for (const { number } of numbers) {
      await page.getByRole('combobox', { name: 'Numbers: Add' }).click()
      await page.getByRole('option', { name: number }).click()
      await chosen.getByRole('button', { name: number }).waitFor()
    }
    await save(page)
    await page.getByText('On 2 numbers').waitFor()
    expect((await readPhoneNumberIds()).toSorted()).toEqual(numbers.map(({ id }) => id).toSorted())

    await change()
    await chosen.getByRole('button', { name: numbers[0]!.number }).click()
    await save(page)
    await page.getByText('On 1 number').waitFor()
    expect(await readPhoneNumberIds()).toEqual([numbers[1]!.id])
    expect(faults).toEqual([])
    await context.close()
  })

  test('a viewer can read but not change anything', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.post('/auto-replies', { kind: 'welcome', reply: { text: 'Welcome to Blue Lotus.' } })
    const { context, page, faults, path } = await open(shop, 'viewer')
    await page.goto(path)
    await page.getByText('Welcome to Blue Lotus.', { exact: true }).waitFor()
    await page.getByRole('switch', { disabled: true }).waitFor()
    expect(await page.getByRole('button', { name: /Create auto-reply|Remove|Edit/ }).count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })
})
