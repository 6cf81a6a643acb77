/** Submissions at the capture link that need attention: a member maps their fields, and the lead is there. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'

const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/

describe.skipIf(!hasChromium)('submissions that need attention', () => {
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

  test('are shown on the Leads page, mapped to a lead, dismissed, and restored', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.set({ leadCapture: true })
    await shop.post('/leads', { phone: '+919812345601', name: 'Meera' })
    const submit = (body: string) =>
      parley.anonymous.post(`/api/leads/capture/${shop.captureToken}`, body, {
        headers: { 'content-type': 'application/json' },
      })
    const form = {
      form_name: 'Site visit',
      guest: 'Asha Rao',
      reach: 'Call me on 98123 45602 after six',
      'Which flat do you like?': '2 BHK, garden side',
      city: 'Pune',
      remarks_long:
        'We saw your hoarding near the station and would like to come on Sunday with our parents. '.repeat(3),
    }
    await submit(JSON.stringify(form))
    await submit(JSON.stringify(form))
    await submit('{"phone": "98123 45603", name: Ravi')
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const { page, faults } = await openPage(await profileOf(browser, parley, session))
    await page.goto(`/w/${shop.workspaceId}/leads`)
    const attention = page.getByRole('button', { name: 'Needs attention' })
    await attention.waitFor()
    const problems = await looked(page, 'leads-attention-board')
    await attention.click()
    await page.getByRole('heading', { name: 'Needs attention', exact: true }).waitFor()
    const rows = page.getByRole('table', { name: 'Submissions' })
    await rows.getByRole('row').filter({ hasText: 'The JSON has an error' }).waitFor()
    await rows.getByRole('row').filter({ hasText: '2 times' }).waitFor()
    problems.push(...(await looked(page, 'leads-attention-list')))

    await rows.getByRole('button', { name: 'Site visit' }).click()
    await page.getByText('No phone number found.').waitFor()
    const create = page.getByRole('button', { name: 'Create lead' })
    expect(await create.isDisabled()).toBe(true)
    const use = async (field: string, meaning: string) => {
      await page.getByRole('combobox', { name: `Use ${field} as` }).click()
      await page.getByRole('option', { name: meaning, exact: true }).click()
      await page.getByRole('listbox').waitFor({ state: 'detached' })
    }
    await use('reach', 'Phone number')
    await use('guest', 'Name')
    await use('Which flat do you like?', 'Custom field “Which flat do you like?”')
    await create.click()
    await page.getByRole('alert').filter({ hasText: 'reach: Must be a phone number' }).waitFor()
    problems.push(...(await looked(page, 'leads-attention-mapping')))
    await page.getByRole('textbox', { name: 'Phone number' }).fill('+91 98123 45602')
    await create.click()
    await page.getByRole('heading', { name: 'Asha Rao' }).waitFor()
    await page.getByText('Which flat do you like? 2 BHK, garden side').waitFor()
    problems.push(...(await looked(page, 'leads-attention-lead')))

    // An unreadable submission is shown as received, and needs a typed number.
    await page.goto(`/w/${shop.workspaceId}/leads/attention`)
    await rows.getByRole('button', { name: 'Capture link' }).click()
    await page.getByText('{"phone": "98123 45603", name: Ravi').waitFor()
    problems.push(...(await looked(page, 'leads-attention-unreadable')))
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('Nothing needs attention').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await rows.getByRole('button', { name: 'Capture link' }).waitFor()
    await page.getByRole('tab', { name: 'Lead created' }).click()
    await rows.getByRole('button', { name: 'Site visit' }).click()
    await page.getByRole('link', { name: 'Open lead' }).waitFor()
    expect(problems).toEqual([])
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
  })
})
