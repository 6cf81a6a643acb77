/** A campaign with values from fields of the contacts, and the response to it. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { storeTemplate } from '../support/templates.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)('a personal campaign', () => {
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

  /** Creates a shop with a template of two values, a custom field, and contacts with and without them. */
  async function arrange() {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await storeTemplate(parley, shop, {
      name: 'new_shop',
      category: 'MARKETING',
      components: [
        { type: 'BODY', text: 'Hello {{1}}, our shop in {{2}} is open.' },
        { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Tell me more' }] },
      ],
    })
    await shop.post('/contact-fields', { key: 'city', label: 'City', type: 'text' })
    for (const contact of [
      { phone: '+919800000001', displayName: 'Asha Rao', attributes: { city: 'Pune' } },
      { phone: '+919800000002', attributes: { city: 'Goa' } },
      { phone: '+919800000003', displayName: 'Meera' },
      { phone: '+14155550126', displayName: 'John', attributes: { city: 'Delhi' } },
    ])
      await shop.post('/contacts', { optInStatus: 'opted_in', ...contact })
    return shop
  }

  test('each value comes from a field with a fallback, examples show it, and the response has rates and causes', async () => {
    const shop = await arrange()
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/campaigns/new`)
    await page.getByLabel('Name', { exact: true }).fill('Opening')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: /new_shop/ }).click()
    await page.getByText('All customers get the same values.').waitFor()
    const choose = async (variable: string, field: string) => {
      await page.getByRole('combobox', { name: `Source of ${variable}` }).click()
      await page.getByRole('option', { name: field }).click()
      await page.getByRole('listbox').waitFor({ state: 'detached' })
    }
    await choose('{{1}}', "Customer's name")
    await page.getByLabel('Fallback for {{1}}').fill('there')
    // A value without a source or a text is missing.
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Enter a value.').waitFor()
    await choose('{{2}}', 'City')
    expect(await page.getByText('All customers get the same values.').count()).toBe(0)
    const phone = page.getByRole('region', { name: 'Preview on a phone' })
    await phone.getByText('Hello there, our shop in [City] is open.').waitFor()
    expect(await looked(page, 'personal-values')).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).click()

    // The preview shows real recipients, and who is left out.
    await phone.getByText('Hello John, our shop in Delhi is open.').waitFor()
    const examples = page.getByRole('group', { name: 'Examples' })
    expect(await examples.getByRole('button').count()).toBe(3)
    await examples.getByRole('button', { name: '+919800000002' }).click()
    await phone.getByText('Hello there, our shop in Goa is open.').waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: /^Missing value1$/ })
      .waitFor()
    expect(await looked(page, 'personal-preview')).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Send now' }).click()

    // The response fills in as customers read and answer.
    await page.getByRole('heading', { name: 'Opening' }).waitFor()
    await shop.advance(60)
    await shop.inbound('+919800000001', 'When do you open?')
    await page.reload()
    const response = page.getByRole('table', { name: 'Response' })
    await response.getByRole('row', { name: 'Replied 1 33.3%' }).waitFor()
    await response.getByRole('row', { name: 'Read 2 66.7%' }).waitFor()
    const causes = page.getByRole('table', { name: 'Why messages failed' })
    await causes.getByText("Number can't be reached on the chat network").waitFor()
    await causes.getByText('Check these numbers, and remove the wrong ones.').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page
        .locator('section', { has: page.getByRole('heading', { name: 'Why messages failed' }) })
        .last()
        .getByRole('button', { name: 'CSV' })
        .click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^campaign-failures-.*\.csv$/)
    const recipients = page.getByRole('table', { name: 'Recipients' })
    await recipients.getByRole('row', { name: /Meera .*Skipped – Missing value/ }).waitFor()
    expect(await looked(page, 'campaign-response')).toEqual([])
    await causes.scrollIntoViewIfNeeded()
    await picture(page, 'campaign-causes')
    expect(faults).toEqual([])
    await context.close()
  })

  test('a segment is built with a live count, saved, used by the campaign, and changed in the settings', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    for (const [i, tags] of [['vip'], ['vip'], ['vip', 'staff'], []].entries())
      await shop.post('/contacts', { phone: `+91980000000${i}`, tags, optInStatus: 'opted_in' })
    await shop.post('/contacts', { phone: '+919800000009', tags: ['vip'], optInStatus: 'opted_out' })
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/campaigns/new`)
    await page.getByText('5 contacts match. 4 can be messaged.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Opening')
    await page.getByLabel('Has any of these tags').fill('vip')
    await page.getByLabel('Has any of these tags').press('Enter')
    await page.getByText('4 contacts match. 3 can be messaged.').waitFor()
    expect(await looked(page, 'segment-audience')).toEqual([])
    await page.getByRole('button', { name: 'Save as segment' }).click()
    const dialog = page.getByRole('dialog', { name: 'New segment' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/Must not be empty/).waitFor()
    // The browser reports the refusal.
    expect(faults.splice(0)).toHaveLength(1)
    await dialog.getByLabel('Segment name').fill('Regulars')
    await dialog.getByLabel('Has none of these tags').fill('staff')
    await dialog.getByLabel('Has none of these tags').press('Enter')
    await dialog.getByText('3 contacts match. 2 can be messaged.').waitFor()
    expect(await looked(page, 'segment-dialog')).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })

    // The campaign now uses the segment.
    await page.getByRole('combobox', { name: 'Segment' }).getByText('Regulars').waitFor()
    await page.getByText('3 contacts match. 2 can be messaged.').waitFor()

    await page.goto(`/w/${shop.workspaceId}/settings/segments`)
    const segments = page.getByRole('table', { name: 'Segments' })
    await segments.getByRole('row', { name: /Regulars Tagged vip · Without staff 3/ }).waitFor()
    await segments.getByRole('button', { name: /Edit Regulars/ }).click()
    const change = page.getByRole('dialog', { name: 'Edit segment' })
    await change.getByRole('button', { name: 'Remove staff' }).click()
    await change.getByText('4 contacts match. 3 can be messaged.').waitFor()
    await change.getByRole('button', { name: 'Save' }).click()
    await segments.getByRole('row', { name: /Regulars Tagged vip 4/ }).waitFor()
    expect((await shop.get('/segments')).body.segments).toMatchObject([
      { name: 'Regulars', segment: { tags: ['vip'] }, matched: 4 },
    ])
    expect(await looked(page, 'segments')).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })
})
