/** A campaign is tried on one number, scheduled in the time zone of the workspace, exported, and repeated. */
import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { storeTemplate } from '../support/templates.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'

const DAY_MS = 86_400_000

describe.skipIf(!hasChromium)('a repeated campaign', () => {
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

  /** Creates a shop in Kolkata, while the browser's clock is in UTC, with a personal template and two customers. */
  async function arrange() {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus', timezone: 'Asia/Kolkata' })
    await storeTemplate(parley, shop, {
      name: 'new_shop',
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'Hello {{1}}, our shop in {{2}} is open.' }],
    })
    for (const [phone, displayName] of [
      ['+919800000001', 'Asha Rao'],
      ['+919800000002', 'Ravi Menon'],
    ])
      await shop.post('/contacts', { phone, displayName, tags: ['vip'], optInStatus: 'opted_in' })
    return shop
  }

  test('a test message, a time in the workspace zone, the file of recipients, and a copy with everything', async () => {
    const shop = await arrange()
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'), {
      timezoneId: 'UTC',
    })
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/campaigns/new`)
    await page.getByLabel('Name', { exact: true }).fill('Opening')
    await page.getByLabel('Has any of these tags').fill('vip')
    await page.getByLabel('Has any of these tags').press('Enter')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: /^new_shop · English/ }).click()
    await page.getByRole('combobox', { name: 'Source of {{1}}' }).click()
    await page.getByRole('option', { name: "Customer's name" }).click()
    await page.getByLabel('Fallback for {{1}}').fill('there')
    await page.getByLabel('Value for {{2}}').fill('Pune')
    await page.getByRole('button', { name: 'Continue' }).click()

    // The test is the message of the chosen recipient, and does not start the campaign.
    const examples = page.getByRole('group', { name: 'Examples' })
    await examples.getByRole('button', { name: 'Asha Rao' }).click()
    await page.getByRole('button', { name: 'Send test' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send test' })
    await dialog.getByRole('button', { name: 'Send test message' }).click()
    await dialog.getByText('Enter a phone number.').waitFor()
    expect(await looked(page, 'campaign-test')).toEqual([])
    await dialog.getByLabel('Phone number').fill('+919800000077')
    await dialog.getByLabel('Phone number').press('Enter')
    await page.getByText('Test sent to +919800000077').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Sending time' }).waitFor()
    const sent = (await shop.get('/messages?direction=outbound')).body.messages
    expect(sent.map(({ text }: { text: string }) => text)).toEqual([
      'Hello Asha Rao, our shop in Pune is open.',
    ])
    expect((await shop.get('/broadcasts')).body.broadcasts).toEqual([])

    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(/new_shop to 2 recipients, from /).waitFor()
    await page.getByRole('combobox', { name: 'Start' }).click()
    await page.getByRole('option', { name: 'Later' }).click()
    await page.getByText('In the time zone Asia/Kolkata.').waitFor()
    const { now } = (await shop.get('/sandbox/clock')).body
    const day = (days: number) => new Date(Date.parse(now) + days * DAY_MS).toISOString().slice(0, 10)
    await page.getByLabel('Date and time').fill(`${day(2)}T09:00`)
    expect(await looked(page, 'campaign-time')).toEqual([])
    await page.getByRole('button', { name: 'Schedule campaign' }).click()
    const details = page.locator('dl', { has: page.getByText('Audience', { exact: true }) })
    await details.getByText(/9:00\sAM \(Asia\/Kolkata\)/).waitFor()
    await details.getByText('Tagged vip').waitFor()
    const phone = page.getByRole('region', { name: 'Preview on a phone' })
    await phone.getByText('Hello there, our shop in Pune is open.').waitFor()
    const [planned] = (await shop.get('/broadcasts')).body.broadcasts
    expect(planned.scheduledAt).toBe(`${day(2)}T03:30:00.000Z`)

    // The time can be changed where it is shown.
    await page.getByRole('button', { name: 'Choose another time' }).click()
    const move = page.getByRole('dialog', { name: 'Move Opening?' })
    await move.getByLabel('New date and time').fill(`${day(3)}T18:30`)
    await move.getByRole('button', { name: 'Move campaign' }).click()
    await details.getByText(/6:30\sPM \(Asia\/Kolkata\)/).waitFor()
    expect(await looked(page, 'campaign-scheduled')).toEqual([])

    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await shop.advance(60)
    await page.getByText('Sent', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Show message' }).click()
    await phone.getByText('Hello there, our shop in Pune is open.').waitFor()
    const recipients = page.getByRole('table', { name: 'Recipients' })
    await recipients.getByRole('link', { name: 'Asha Rao' }).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export recipients' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('Recipients of Opening.csv')
    expect((await readFile(await file.path(), 'utf8')).split('\r\n')).toEqual([
      'contactId,phone,name,status,reason,messageId,errorCode,response',
      expect.stringContaining('Asha Rao'),
      expect.stringContaining('Ravi Menon'),
      '',
    ])
    await recipients.getByRole('link', { name: 'Asha Rao' }).click()
    await page.getByRole('heading', { name: 'Asha Rao' }).first().waitFor()
    await page.goBack()

    // A follow-up goes to the recipients with a result.
    await page.getByRole('combobox', { name: 'Recipients by status' }).click()
    await page.getByRole('option', { name: 'Read', exact: true }).click()
    await page.getByRole('button', { name: 'Follow up with these' }).click()
    await page.getByText('Follow-up to Opening, for 2 of its recipients.').waitFor()
    await page.getByText('2 contacts match. 2 can be messaged.').waitFor()
    await page.goBack()

    // The copy starts with the audience, the template, and its values.
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: 'Duplicate campaign' }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Opening (copy)')
    await page.getByRole('button', { name: 'Remove vip' }).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    expect(await page.getByLabel('Fallback for {{1}}').inputValue()).toBe('there')
    expect(await page.getByLabel('Value for {{2}}').inputValue()).toBe('Pune')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Send test' }).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('combobox', { name: 'Start' }).click()
    await page.getByRole('option', { name: 'Save as draft' }).click()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Draft', { exact: true }).first().waitFor()
    await page.getByText('2 customers for now.').waitFor()
    const [copy, original] = (await shop.get('/broadcasts')).body.broadcasts
    const contentOf = ({ templateId, variables, segment }: typeof copy) => ({
      templateId,
      variables,
      segment,
    })
    expect(contentOf(copy)).toEqual(contentOf(original))
    expect(faults).toEqual([])
    await context.close()
  })
})
