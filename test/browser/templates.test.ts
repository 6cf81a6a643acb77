/** A template is written next to its preview, reviewed, and written in another language. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { pngOf } from '../support/pictures.ts'
import { signIn } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'

/** A template as `POST /templates` accepts it. */
const buildTemplate = (name: string) => ({
  name,
  category: 'UTILITY',
  language: 'en',
  components: [{ type: 'BODY', text: 'Your order is on its way.' }],
})

describe.skipIf(!hasChromium)('templates', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  test.each([
    ['on a desk', {}],
    ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ])('%s', async (_place, options) => {
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'), options)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/templates`)
    await page.getByText('No templates yet').waitFor()
    await page.getByRole('button', { name: 'New template' }).first().click()

    // Missing fields are named; the preview follows the text.
    await page.getByRole('button', { name: 'Submit for approval' }).click()
    await page.getByText('Enter a name.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Diwali Offer')
    await page.getByRole('combobox', { name: 'Category' }).click()
    await page.getByRole('option', { name: 'Marketing' }).click()
    await page.getByLabel('Text', { exact: true }).fill('Hello {{1}}, act now, all of it is 20 percent off.')
    await page.getByLabel('Example for {{1}}').fill('Asha')
    const preview = page.getByLabel('Preview on a phone')
    await preview.getByText('Hello Asha, act now').waitFor()

    // The operator's likely objections are shown at their text, and disappear with it.
    const spam = page.getByText('Has the word “act now”. The operator may treat it as spam.')
    const optOut = page.getByText(/must say how to opt out, for example/)
    await spam.waitFor()
    await optOut.waitFor()
    await page.getByLabel('Text', { exact: true }).fill('Hello {{1}}, all of it is 20 percent off today.')
    await spam.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add button' }).click()
    await page.getByRole('menuitem', { name: 'Open website' }).click()
    // A link without a text yet is no code to copy.
    await page
      .getByRole('region', { name: 'Preview on a phone' })
      .getByText('Button', { exact: true })
      .waitFor()
    await page.getByLabel('Button text').fill('See the shop')
    await page.getByLabel('Link', { exact: true }).fill('shop.example')
    await page.getByText('Must be an http or https address.').waitFor()
    await page.getByLabel('Link', { exact: true }).fill('https://shop.example')
    await page.getByText('Must be an http or https address.').waitFor({ state: 'detached' })
    await preview.getByText('See the shop').waitFor()

    // Without an opt-out it is rejected, and its page says why.
    await page.getByRole('button', { name: 'Submit for approval' }).click()
    const heading = page.getByRole('heading', { name: 'diwali_offer' })
    await heading.waitFor()
    await page.getByText('The operator is reviewing this template.').waitFor()
    await shop.advance(15)
    await page
      .getByText('Check the placeholders, their examples, the links, and how customers opt out.')
      .waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await heading.waitFor({ state: 'detached' })

    // With an opt-out it is approved, and the page shows it without a reload.
    await page.getByRole('button', { name: 'New template' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('diwali_news')
    await page.getByRole('combobox', { name: 'Category' }).click()
    await page.getByRole('option', { name: 'Marketing' }).click()
    await page.getByLabel('Text', { exact: true }).fill('All of it is 20 percent off today.')
    await page.getByLabel('Footer text').fill('Reply STOP to opt out')
    await page.getByRole('button', { name: 'Submit for approval' }).click()
    await page.getByRole('heading', { name: 'diwali_news' }).waitFor()
    await shop.advance(15)
    const languages = page.getByRole('list', { name: 'Languages' })
    await languages.getByRole('link', { name: 'English Approved' }).waitFor()

    // Another language starts as a copy of this one.
    await page.getByRole('button', { name: 'Add language' }).click()
    await page.getByRole('heading', { name: 'Add a language to diwali_news' }).waitFor()
    expect(await page.getByLabel('Footer text').inputValue()).toBe('Reply STOP to opt out')
    await page.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Language' }).fill('hin')
    await page.getByRole('option', { name: /Hindi/ }).click()
    await page.getByRole('button', { name: 'Submit for approval' }).click()
    await languages.getByRole('link', { name: 'Hindi Pending' }).waitFor()
    await languages.getByRole('link', { name: 'English Approved' }).waitFor()
    // The console reports the requests that were rejected while it was written.
    expect(faults).toEqual([])
    await context.close()
  })

  test('the sample of a media header is an uploaded file, or a link', async () => {
    const own = await parley.workspace({ sandbox: true })
    const context = await profileOf(browser, parley, await signIn(parley, own, 'agent'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${own.workspaceId}/templates`)
    await page.getByRole('button', { name: 'New template' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('photo_news')
    await page.getByRole('combobox', { name: 'Category' }).click()
    await page.getByRole('option', { name: 'Marketing' }).click()
    await page.getByRole('group', { name: 'Header' }).getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Image' }).click()
    await page.getByRole('button', { name: 'Use a link' }).click()
    await page.getByLabel('Sample file: link').fill('https://shop.example/lamp.jpg')
    await page.getByRole('button', { name: 'Upload a file instead' }).click()
    await page
      .getByLabel('Sample file', { exact: true })
      .and(page.locator('input'))
      .setInputFiles({ name: 'lamp.png', mimeType: 'image/png', buffer: pngOf({ width: 64, height: 48 }) })
    await page.getByText('lamp.png').waitFor()
    expect(await looked(page, 'template-sample')).toEqual([])
    await page.getByLabel('Text', { exact: true }).fill('All of it is 20 percent off today.')
    await page.getByLabel('Footer text').fill('Reply STOP to opt out')
    await page.getByRole('button', { name: 'Submit for approval' }).click()
    await page.getByRole('heading', { name: 'photo_news' }).waitFor()
    await own.advance(15)
    await page.getByRole('link', { name: 'English Approved' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('a rejected template explains its reason, becomes a new version, and is used in a campaign', async () => {
    const shop = await parley.workspace({ sandbox: true })
    await shop.post('/templates', {
      ...buildTemplate('diwali_offer'),
      category: 'MARKETING',
      components: [
        { type: 'BODY', text: 'Hello {{1}}, lamps are 20 percent off.', example: { body_text: [['Asha']] } },
      ],
    })
    await shop.advance(15)
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/templates`)
    await page.getByRole('link', { name: /diwali_offer/ }).click()
    await page.getByText('The format is not valid').waitFor()
    const preview = page.getByLabel('Preview on a phone')
    await preview.getByText('Hello Asha, lamps are 20 percent off.').waitFor()
    expect(await looked(page, 'template-rejected')).toEqual([])
    await page.getByRole('button', { name: 'New version' }).click()
    await page.getByRole('heading', { name: 'New version of diwali_offer' }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('diwali_offer_v2')

    // A placeholder is added where the cursor was.
    const text = page.getByLabel('Text', { exact: true })
    await text.fill('Hello {{1}}, lamps are  off today.')
    await text.evaluate((field) =>
      (field as unknown as { setSelectionRange(start: number, end: number): void }).setSelectionRange(23, 23),
    )
    await page.getByRole('button', { name: 'Add placeholder' }).click()
    expect(await text.inputValue()).toBe('Hello {{1}}, lamps are {{2}} off today.')
    await page.getByText(/39 of 1,?024 characters\./).waitFor()
    await page.getByLabel('Example for {{2}}').fill('20 percent')
    await page.getByLabel('Footer text').fill('Reply STOP to opt out')
    await page.getByRole('button', { name: 'Submit for approval' }).click()
    await page.getByRole('heading', { name: 'diwali_offer_v2' }).waitFor()
    await shop.advance(15)
    await page.getByRole('button', { name: 'Use in a campaign' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Diwali')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('combobox', { name: 'Template' }).getByText('diwali_offer_v2').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('the filter is in the address: it stays after a reload, and after opening a template', async () => {
    const shop = await parley.workspace({ sandbox: true })
    for (const name of ['order_sent', 'order_paid', 'welcome'])
      await shop.post('/templates', buildTemplate(name))
    await shop.advance(15)
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'))
    const { page } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/templates`)
    const list = page.getByRole('list', { name: 'Templates' })
    const waitForFiltered = async () => {
      await list.getByRole('link', { name: /order_sent/ }).waitFor()
      await list.getByRole('link', { name: /welcome/ }).waitFor({ state: 'detached' })
      expect(await list.getByRole('link').count()).toBe(2)
    }
    await page.getByRole('searchbox', { name: 'Search templates' }).fill('order')
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Approved' }).click()
    await waitForFiltered()
    await page.reload()
    await waitForFiltered()
    await list.getByRole('link', { name: /order_sent/ }).click()
    await page.getByRole('heading', { name: 'order_sent' }).waitFor()
    await waitForFiltered()
    await page.reload()
    await page.getByRole('heading', { name: 'order_sent' }).waitFor()
    await waitForFiltered()
    await context.close()
  })
})
