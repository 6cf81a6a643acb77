/** Journey 13: from a template to a campaign, through every gate, and its results by recipient. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { allowNewRecipients, approvedTemplate, campaignsOf, makeContacts } from '../support/campaigns.ts'
import { importRates } from '../support/rates.ts'
import { signIn } from '../support/sessions.ts'
import { accept, cloudShop, numberIn, standInOperator, type Taken } from '../support/stand-in-operator.ts'
import { storeTemplate } from '../support/templates.ts'
import { until } from '../support/until.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'

/** Goes through the first two steps to the preview. */
async function toPreview(
  page: Page,
  campaign: { name: string; tag: string; template: string },
): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(campaign.name)
  const tags = page.getByRole('combobox', { name: 'Has any of these tags' })
  await tags.fill(campaign.tag)
  await tags.press('Enter')
  await page.getByRole('button', { name: `Remove ${campaign.tag}` }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('combobox', { name: 'Template' }).click()
  await page.getByRole('option', { name: new RegExp(campaign.template) }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Sending time' }).waitFor()
}

describe.skipIf(!hasChromium)('campaigns', () => {
  let operator: Awaited<ReturnType<typeof standInOperator>>
  let parley: TestParley
  let browser: Browser
  beforeAll(async () => {
    operator = await standInOperator()
    parley = await boot({ env: operator.env })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
    await operator?.close()
  })

  /**
   * A shop with a marketing and a utility template, and contacts: three new, one who messaged, one who opted
   * out.
   */
  async function arrange(): Promise<TestWorkspace> {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await approvedTemplate(parley, shop, { name: 'offer' })
    await approvedTemplate(parley, shop, { name: 'notice', category: 'UTILITY' })
    for (let i = 0; i < 3; i++) await shop.post('/contacts', { phone: `+91980000000${i}`, tags: ['vip'] })
    await shop.post('/contacts', { phone: '+919800000008', tags: ['vip'], optInStatus: 'opted_out' })
    await shop.inbound('+919800000009', 'Hello', { name: 'Asha Rao' })
    const { contacts } = (await shop.get('/contacts?search=Asha')).body
    await shop.patch(`/contacts/${contacts[0].id}`, { tags: ['vip'] })
    return shop
  }

  test('a campaign passes its gates, is sent, and shows the result of each recipient', async () => {
    const shop = await arrange()
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/campaigns`)
    await page.getByText('No campaigns yet').waitFor()
    await page.getByRole('button', { name: 'New campaign' }).first().click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Enter a name.').waitFor()

    // A utility template may not go to new recipients; a marketing template may, once they opted in.
    await toPreview(page, { name: 'Diwali', tag: 'vip', template: 'notice' })
    const gates = page.getByRole('list', { name: 'Checks' })
    await gates
      .getByText(
        '3 customers have never messaged you or opted in. Leave them out, or choose a marketing template.',
      )
      .waitFor()
    // The opt-in changes nothing for other templates, so it is asked only where it does.
    expect(await gates.getByRole('listitem').count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
    await gates.getByRole('button', { name: 'Change template' }).click()
    await page.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: /^offer/ }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    const figure = (name: string) =>
      page.locator('dl > div', { has: page.getByText(name, { exact: true }) }).locator('dd')
    await gates.getByText('Confirm that they agreed to your messages').waitFor()
    expect(await figure('Matching contacts').textContent()).toBe('5')
    expect(await figure('Recipients').textContent()).toBe('4')
    await page
      .getByRole('listitem')
      .filter({ hasText: /^Opted out1$/ })
      .waitFor()

    // New recipients can be left out, or confirmed as opted in.
    await gates.getByRole('button', { name: 'Leave them out' }).click()
    await page.getByText('All checks passed.').waitFor()
    expect(await figure('Recipients').textContent()).toBe('1')
    await page.getByRole('switch', { name: 'Leave out new recipients' }).click()
    await gates.getByRole('button', { name: 'Confirm consent' }).click()
    await page.getByText('All checks passed.').waitFor()
    await page.getByText('4 messages in about 1 minute.').waitFor()
    await page
      .getByRole('region', { name: 'Preview on a phone' })
      .getByText('Lights for everybody.')
      .waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Send now' }).click()

    // Its page updates by itself and shows why a recipient was skipped.
    await page.getByRole('heading', { name: 'Diwali' }).waitFor()
    await shop.advance(30)
    await page.getByText('Sent', { exact: true }).first().waitFor()
    const recipients = page.getByRole('table', { name: 'Recipients' })
    // Sooner than the page's next check of a completed campaign.
    await recipients
      .getByRole('row', { name: /\+919800000008 Skipped – Opted out/ })
      .waitFor({ timeout: 15_000 })
    await page.getByRole('combobox', { name: 'Recipients by status' }).click()
    await page.getByRole('option', { name: 'Skipped' }).click()
    await recipients.getByRole('row', { name: /\+919800000000/ }).waitFor({ state: 'detached' })

    // A follow-up is scheduled, and recipients who did not answer get no other messages for a while.
    await page.getByRole('button', { name: 'Follow up' }).click()
    await page.getByText('Follow-up to Diwali. It starts with the same audience.').waitFor()
    await page.getByRole('button', { name: 'Remove vip' }).waitFor()
    await toPreview(page, { name: 'Again', tag: 'vip', template: 'offer' })
    await gates.getByText(/Some new recipients didn't reply to a recent campaign/).waitFor()
    const tooSoon = gates.getByRole('listitem').filter({ hasText: 'This follow-up can start at' })
    expect(await tooSoon.textContent()).toMatch(/can start at .*\d:\d\d.* \(Asia\/Kolkata\)/)
    await tooSoon.getByRole('button', { name: 'Send separately' }).click()
    await tooSoon.waitFor({ state: 'detached' })
    await page.getByText('Follow-up to Diwali.').waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await context.close()
  })

  test('the preview shows the filled-in values, and warns if there are no recipients', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const buttons = [
      { type: 'URL', text: 'Look', url: 'https://shop.example.com/{{1}}' },
      { type: 'COPY_CODE', text: 'Copy', example: 'SAVE10' },
    ]
    await storeTemplate(parley, shop, {
      name: 'offer',
      category: 'MARKETING',
      components: [
        { type: 'BODY', text: 'Lights for {{1}}.' },
        { type: 'BUTTONS', buttons },
      ],
    })
    await storeTemplate(parley, shop, {
      name: 'slides',
      category: 'MARKETING',
      components: [
        { type: 'BODY', text: 'New in.' },
        { type: 'CAROUSEL', cards: [] },
      ],
    })
    await shop.post('/contacts', { phone: '+919800000000', tags: ['vip'], optInStatus: 'opted_out' })
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/campaigns/new`)
    await page.getByLabel('Name', { exact: true }).fill('Diwali')
    await page.getByRole('button', { name: 'Continue' }).click()
    // The next field to fill in also comes next by keyboard.
    await page.getByRole('group', { name: 'Template' }).and(page.locator(':focus')).waitFor()
    await page.getByRole('combobox', { name: 'Template' }).click()
    // A template that the page has no fields for says so, and can't be chosen.
    const slides = page.getByRole('option', { name: /^slides.* Send it with the API\.$/ })
    expect(await slides.isDisabled()).toBe(true)
    await page.getByRole('option', { name: /^offer/ }).click()
    await page.getByLabel('Value for {{1}}').fill('your terrace')
    await page.getByLabel('End of the link for “Look”').fill('lights')
    await page.getByLabel('Coupon code').fill('DIWALI')
    await page.getByRole('button', { name: 'Continue' }).click()
    const phone = page.getByRole('region', { name: 'Preview on a phone' })
    for (const text of ['Lights for your terrace.', 'https://shop.example.com/lights', 'DIWALI'])
      await phone.getByText(text).waitFor()
    await page.getByText('This campaign has no recipients now.').waitFor()
    expect(await page.getByText('All checks passed.').count()).toBe(0)
    await page.getByRole('button', { name: 'Change audience' }).click()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Diwali')
    expect(faults).toEqual([])
    await context.close()
  })

  test('the preview shows the expected cost by country, and recipients are followed up by their response', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await approvedTemplate(parley, shop, { name: 'offer' })
    for (const phone of ['+919800000000', '+919800000001', '+447400123456'])
      await shop.post('/contacts', { phone, tags: ['vip'], optInStatus: 'opted_in' })
    await importRates(parley, shop, ['IN,marketing,2026-01-01,882550', 'GB,marketing,2026-01-01,5290000'])
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/campaigns/new`)
    await toPreview(page, { name: 'Diwali', tag: 'vip', template: 'offer' })
    await page.getByText('₹7.06 for 3 charged messages.').waitFor()
    const countries = page.getByRole('table', { name: 'Expected cost by country' })
    await countries.getByRole('row', { name: 'United Kingdom 1 ₹5.29' }).waitFor()
    await countries.getByRole('row', { name: 'India 2 ₹1.77' }).waitFor()
    expect(await looked(page, 'campaign-cost')).toEqual([])
    const rates = page.getByRole('link', { name: 'See the rates' })
    expect(await rates.getAttribute('href')).toContain('/settings/usage?find=usage.rates')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Expected cost: ₹7.06.').waitFor()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByRole('heading', { name: 'Diwali' }).waitFor()
    await shop.advance(30)
    await shop.inbound('+919800000001', 'How much?')
    await shop.advance(5)

    await page.reload()
    const recipients = page.getByRole('table', { name: 'Recipients' })
    await recipients.getByRole('row', { name: /\+447400123456/ }).waitFor()
    const byResponse = page.getByRole('combobox', { name: 'Recipients by response' })
    await byResponse.click()
    await page.getByRole('option', { name: 'Replied' }).click()
    await recipients.getByRole('row', { name: /\+919800000000/ }).waitFor({ state: 'detached' })
    await recipients.getByRole('row', { name: /\+919800000001/ }).waitFor()
    await byResponse.click()
    await page.getByRole('option', { name: 'No response' }).click()
    await recipients.getByRole('row', { name: /\+919800000001/ }).waitFor({ state: 'detached' })
    expect(await looked(page, 'campaign-responses')).toEqual([])
    await page.getByRole('button', { name: 'Follow up with these' }).click()
    await page.getByText('Follow-up to Diwali, for 2 of its recipients.').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('a campaign that has reached all recipients can be stopped while messages wait, and not afterwards', async () => {
    const shop = await cloudShop(parley)
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 60, { optInStatus: 'opted_in' })
    const held: Taken[] = []
    operator.answer((handover) => void held.push(handover))
    const { id } = (await campaigns.create({ phoneNumberId: shop.cloudNumberId, sendNow: true })).body
    await until(async () => (await campaigns.of(id)).status === 'completed', 'all are queued')
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/campaigns/${id}`)
    await page.getByText('Sending', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    operator.answer(accept)
    for (const handover of held) accept(handover)
    const listHandovers = () =>
      operator.taken.filter((handover) => numberIn(handover.request.url) === shop.operatorId)
    await until(() => listHandovers().length === 60, 'the operator has all messages')
    await shop.operatorSays({
      statuses: listHandovers().map(({ chanmid, body }) => ({
        id: chanmid,
        biz_opaque_callback_data: body.biz_opaque_callback_data,
        status: 'sent',
        timestamp: String(Math.floor(Date.now() / 1000)),
      })),
    })
    await shop.settled()
    await page.reload()
    await page.getByText('Sent', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Follow up' }).waitFor()
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  test('a campaign is scheduled, started, paused, resumed, and canceled', async () => {
    const shop = await arrange()
    await allowNewRecipients(parley, shop, 1)
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/campaigns/new`)
    await toPreview(page, { name: 'Diwali', tag: 'vip', template: 'offer' })
    await page.getByText('Your number messages up to 1 new recipient a day.', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Confirm consent' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('combobox', { name: 'Start' }).click()
    await page.getByRole('option', { name: 'Later' }).click()
    await page.getByRole('button', { name: 'Schedule campaign' }).click()
    await page.getByText('Scheduled', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText("2 new recipients wait because of your number's daily limit.").waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.getByRole('button', { name: 'Cancel campaign' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel campaign' }).click()
    await page.getByText('Canceled', { exact: true }).first().waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('a campaign whose answer was lost is created once, for any number of presses on the button', async () => {
    const shop = await arrange()
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/campaigns/new`)
    await toPreview(page, { name: 'Diwali', tag: 'vip', template: 'offer' })
    await page.getByRole('button', { name: 'Confirm consent' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    let lost = 0
    await page.route('**/api/v1/broadcasts', async (route) => {
      if (route.request().method() !== 'POST' || lost++ > 0) return route.continue()
      // The request arrives, and the answer is lost.
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByRole('alert').getByText("The server can't be reached.").waitFor()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByRole('heading', { name: 'Diwali' }).waitFor()
    expect((await shop.get('/broadcasts')).body.broadcasts).toHaveLength(1)
    await context.close()
  })

  test('the search and the filter are in the address: they stay after a reload, and after opening a campaign', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 1, { optInStatus: 'opted_in' })
    for (const name of ['Diwali', 'Diwali thanks', 'Opening']) await campaigns.create({ name })
    await campaigns.create({ name: 'Diwali last year', sendNow: true })
    await shop.advance(30)
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'viewer'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/campaigns`)
    const list = page.getByRole('list', { name: 'Campaigns' })
    await list.getByRole('link', { name: /Diwali last year.*1 sent, / }).waitFor()
    const waitForFiltered = async () => {
      await list.getByRole('link', { name: /Opening/ }).waitFor({ state: 'detached' })
      await list.getByRole('link', { name: /last year/ }).waitFor({ state: 'detached' })
      await list.getByRole('link', { name: /thanks/ }).waitFor()
      expect(await list.getByRole('link').count()).toBe(2)
    }
    await page.getByRole('searchbox', { name: 'Search campaigns' }).fill('diwali')
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Drafts' }).click()
    await waitForFiltered()
    await page.reload()
    await waitForFiltered()
    await list.getByRole('link', { name: /thanks/ }).click()
    await page.getByRole('heading', { name: 'Diwali thanks' }).waitFor()
    await waitForFiltered()
    await page.getByRole('searchbox', { name: 'Search campaigns' }).fill('zzz')
    await page.getByText('No campaigns found').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('a missing record is reported as missing, without an offer to try again', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page } = await openPage(context)
    for (const noun of ['campaigns', 'templates', 'payments', 'bots']) {
      await page.goto(`/w/${shop.workspaceId}/${noun}/01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f`)
      await page.getByRole('alert').getByText('Not found').waitFor()
      expect(await page.getByRole('button', { name: 'Try again' }).count(), noun).toBe(0)
    }
    await context.close()
  })

  test('leaving an unfinished campaign or template asks for confirmation before it is lost', async () => {
    const shop = await arrange()
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page } = await openPage(context)
    const question = page.getByRole('dialog', { name: 'Discard changes?' })
    for (const noun of ['campaigns', 'templates']) {
      await page.goto(`/w/${shop.workspaceId}/${noun}`)
      await page.getByRole('button', { name: /^New / }).first().click()
      const name = page.getByLabel('Name', { exact: true })
      // Leaving an empty one asks nothing.
      await name.waitFor()
      await page.getByRole('link', { name: 'Contacts', exact: true }).click()
      await page.getByRole('heading', { name: 'Contacts' }).waitFor()
      await page.goBack()
      await name.fill('diwali')
      for (const leave of [
        () => page.goBack(),
        () => page.getByRole('link', { name: 'Contacts', exact: true }).click(),
      ]) {
        await leave()
        await question.waitFor()
        await question.getByRole('button', { name: 'Cancel' }).click()
        await question.waitFor({ state: 'detached' })
        expect(await name.inputValue()).toBe('diwali')
      }
      await page.getByRole('link', { name: 'Contacts', exact: true }).click()
      await question.getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('heading', { name: 'Contacts' }).waitFor()
    }
    await context.close()
  })
})
