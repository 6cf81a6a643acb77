/** A campaign that compares two templates: planning, measuring, and choosing. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { approvedTemplate, makeContacts } from '../support/campaigns.ts'
import { signIn } from '../support/sessions.ts'
import { storeTemplate } from '../support/templates.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'

describe.skipIf(!hasChromium)('a campaign that compares templates', () => {
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

  async function arrange() {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await approvedTemplate(parley, shop, { name: 'lights', text: 'Lights for your terrace: 20 percent off.' })
    await storeTemplate(parley, shop, {
      name: 'hello_lights',
      category: 'MARKETING',
      components: [
        { type: 'BODY', text: 'Hello {{1}}, which light fits your terrace?' },
        { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Show me' }] },
      ],
    })
    await approvedTemplate(parley, shop, { name: 'notice', category: 'UTILITY' })
    await makeContacts(shop, 60, { optInStatus: 'opted_in' })
    return shop
  }

  test('the wizard adds a variant, the page shows which one leads, and an admin sends it to the rest', async () => {
    const shop = await arrange()
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/campaigns/new`)
    await page.getByLabel('Name', { exact: true }).fill('Terrace lights')
    await page.getByRole('button', { name: 'Continue' }).click()
    const pick = async (field: string, option: RegExp) => {
      await page.getByRole('combobox', { name: field }).last().click()
      await page.getByRole('option', { name: option }).click()
      await page.getByRole('listbox').waitFor({ state: 'detached' })
    }
    await pick('Template', /^lights/)
    await page.getByRole('button', { name: 'Compare templates' }).click()
    const second = page.getByRole('region', { name: 'Variant B' })
    await second.waitFor()
    // A variant without a template is missing.
    await page.getByRole('button', { name: 'Continue' }).click()
    await second.getByText('Choose a template.').waitFor()
    await second.getByRole('combobox', { name: 'Template' }).click()
    // Only templates of the same category can be compared.
    expect(await page.getByRole('option').allTextContents()).not.toContainEqual(
      expect.stringContaining('notice'),
    )
    await page.getByRole('option', { name: /^hello_lights/ }).click()
    await second.getByLabel('Value for {{1}}').fill('there')
    await pick('Sample', /^50%/)
    await pick('Chosen by', /^You/)
    expect(await page.getByRole('combobox', { name: 'Wait' }).count()).toBe(0)
    await pick('Chosen by', /^Reply rate/)
    expect(await looked(page, 'compare-templates')).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('About 15 recipients get each variant.').waitFor()
    await page
      .getByText('After 4 hours, the other 30 recipients get the one with the highest reply rate.')
      .waitFor()
    await page
      .getByText('With so few recipients, the difference is often chance.', { exact: false })
      .waitFor()
    await second.getByText('Hello there, which light fits your terrace?').waitFor()
    expect(await looked(page, 'compare-preview')).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByRole('heading', { name: 'Terrace lights' }).waitFor()
    await shop.advance(60)
    const [{ id }] = (await shop.get('/broadcasts')).body.broadcasts
    const { recipients } = (await shop.get(`/broadcasts/${id}/recipients?limit=100`)).body
    for (const { phone } of recipients
      .filter((person: { variant: string }) => person.variant === 'B')
      .slice(0, 8))
      await shop.post('/sandbox/inbound', { from: phone, text: 'The round one.' })
    await shop.advance(5)
    await page.reload()
    await page.getByText('Comparing', { exact: true }).first().waitFor()
    await page
      .getByText(/The variant with the highest reply rate goes to the rest at .* \(Asia\/Kolkata\)/)
      .waitFor()
    const variants = page.getByRole('table', { name: 'Variants' })
    await variants.getByRole('row', { name: /B · hello_lights/ }).waitFor()
    await page.getByText('Too few to tell by reply rate.').waitFor()
    expect(await looked(page, 'compare-measuring')).toEqual([])
    await page.getByRole('button', { name: 'Send B to the rest' }).click()
    const question = page.getByRole('dialog', { name: 'Send variant B to the rest?' })
    await question.getByRole('button', { name: 'Send B to the rest' }).click()
    await page.getByText('Variant B goes to the rest of the audience.', { exact: false }).waitFor()
    await variants.getByText('Chosen').waitFor()
    await shop.advance(60)
    await page.getByText('Sent', { exact: true }).first().waitFor({ timeout: 15_000 })
    expect(await page.getByRole('button', { name: 'Send A to the rest' }).count()).toBe(0)
    expect(await looked(page, 'compare-decided')).toEqual([])
    expect((await shop.get(`/broadcasts/${id}`)).body.broadcast.counts.sent).toBe(60)
    expect(faults).toEqual([])
    await context.close()
  })
})
