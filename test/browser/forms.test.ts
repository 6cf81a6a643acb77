/** In-chat forms: designed in the page, published, sent, and answered by a customer. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'

const ASHA = '+919812345678'
/** The browser's console message about an expected error answer. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/

describe.skipIf(!hasChromium)('in-chat forms', () => {
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

  test('a form is designed, corrected, published, and answered; its answers are a table', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const session = await signIn(parley, shop, 'agent')
    const context = await profileOf(browser, parley, session, { reducedMotion: 'reduce' })
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/forms`)
    await page.getByRole('link', { name: /Book a visit/ }).waitFor()
    expect(await looked(page, 'forms')).toEqual([])
    await page.keyboard.press('c')
    await page.getByRole('heading', { name: 'New form' }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Table for tonight')

    const first = page.getByRole('region', { name: 'Screen 1' })
    await first.getByLabel('Title').fill('Your table')
    await first.getByLabel('Text above the fields').fill('We are open from 6 to 11.')
    await first.getByLabel('Label').fill('How many guests will come with you?')
    await page.getByRole('button', { name: 'Add screen' }).click()
    expect(await first.getByLabel('Button').inputValue()).toBe('Next')
    const second = page.getByRole('region', { name: 'Screen 2' })
    await second.getByLabel('Title').fill('Your time')
    await second.getByLabel('Label').fill('Part of the evening')
    await second.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'One of several' }).click()
    await second.getByLabel('Options').fill('Early\nLate')

    // The label is longer than the operator allows: the error is at its field.
    await page.getByRole('button', { name: 'Save draft' }).click()
    await first.getByText('Must be at most 20 characters for text.').waitFor()
    expect(await looked(page, 'form-errors')).toEqual([])
    await first.getByLabel('Label').fill('Guests')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByRole('button', { name: 'Next' }).click()
    await preview.getByText('Late').waitFor()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('heading', { name: 'Table for tonight', level: 2 }).waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await page.getByText('No answers yet').waitFor()

    const { flows } = (await shop.get('/flows')).body
    const { id } = flows.find(({ name }: { name: string }) => name === 'Table for tonight')
    await shop.inbound(ASHA, 'A table, please', { name: 'Asha Rao' })
    const sent = await shop.post(`/flows/${id}/send`, { to: ASHA, body: 'Please choose.', cta: 'Choose' })
    expect(sent.status, sent.text).toBe(200)
    await shop.advance(6)

    // The customer fills in the form on the phone.
    await page.goto(`/w/${shop.workspaceId}/sandbox`)
    await page.getByRole('button', { name: 'Tap Choose' }).click()
    const fields = page.getByRole('dialog', { name: 'Table for tonight' })
    await fields.getByLabel('Guests').fill('4')
    await fields.getByRole('checkbox', { name: 'Late' }).click()
    expect(await looked(page, 'form-filled')).toEqual([])
    await fields.getByRole('button', { name: 'Submit form' }).click()
    await fields.waitFor({ state: 'detached' })
    await page.goto(`/w/${shop.workspaceId}/forms/${id}`)
    const table = page.getByRole('table', { name: 'Answers' })
    await table.getByRole('row', { name: /4.*Late/ }).waitFor()
    expect(await looked(page, 'form-answers')).toEqual([])

    await table.getByRole('row', { name: /Asha Rao.*4.*Late/ }).waitFor()

    // A published form never changes: a copy does. Stored fields are closed; a field of a kind is added at the end.
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('heading', { name: 'Copy Table for tonight' }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Table for tonight (copy)')
    const copied = page.getByRole('region', { name: 'Screen 2' })
    const stored = copied.getByRole('button', { name: 'Edit Part of the evening' })
    expect(await stored.getAttribute('aria-expanded')).toBe('false')
    await stored.click()
    await copied.getByLabel('Options').waitFor()
    await copied.getByRole('button', { name: 'Add field' }).click()
    await page.getByRole('menuitem', { name: 'Email' }).click()
    await copied.getByLabel('Label').last().fill('Your email')
    // The preview follows the screen that is being edited.
    await preview.getByText('Your email *').waitFor()
    await page.getByRole('button', { name: 'Move screen 2 up' }).click()
    await expect
      .poll(() => page.getByRole('region', { name: 'Screen 1' }).getByLabel('Title').inputValue())
      .toBe('Your time')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('heading', { name: 'Table for tonight (copy)', level: 2 }).waitFor()
    await page.goto(`/w/${shop.workspaceId}/forms/${id}`)

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    expect((await download).suggestedFilename()).toBe('Table for tonight.csv')

    await table.getByRole('link').click()
    await page.getByRole('log', { name: 'Messages with Asha Rao' }).getByText('Late').waitFor()
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })
})
