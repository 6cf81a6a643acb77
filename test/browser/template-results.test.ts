/** A template shows its sample file and its results; a campaign shows the responses of its recipients. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { storeTemplate } from '../support/templates.ts'
import { until } from '../support/until.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { drawPhoto } from './drawn-photos.ts'
import { looked } from './page-problems.ts'

const text = (value: string) => ({ type: 'text', text: value })
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const UNREACHABLE = '+14155550126'
const PEOPLE = [
  ['+919812345601', 'Asha Rao'],
  ['+919812345602', 'Ravi Menon'],
  ['+919812345603', 'Meera Joshi'],
  ['+919812345604', 'Kabir Singh'],
] as const

describe.skipIf(!hasChromium)('results of a template', () => {
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

  test('appear in the list, on its page with the sample, and next to recipients', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const photo = await drawPhoto(context, { hue: 25, name: 'Diwali sale', width: 800, height: 500 })
    const upload = await shop.post('/media', { fileBase64: photo.toString('base64'), mimeType: 'image/jpeg' })
    expect(upload.status, upload.text).toBe(200)
    const template = {
      language: 'en',
      category: 'MARKETING',
      components: [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: [upload.body.id] } },
        { type: 'BODY', text: 'All kurtas are 20 percent off until Sunday. See you in the shop.' },
        { type: 'FOOTER', text: 'Reply STOP to opt out' },
      ],
    }
    const created = await shop.post('/templates', { ...template, name: 'diwali_sale' })
    expect(created.status, created.text).toBe(200)
    const { id } = created.body.template
    await shop.post('/templates', { ...template, name: 'holi_sale' })
    await until(
      async () => (await shop.get(`/templates/${id}`)).body.template.sampleType === 'image/jpeg',
      'the sample is kept',
    )
    await shop.advance(15)
    for (const [phone, displayName] of [...PEOPLE, [UNREACHABLE, 'Nisha Das'] as const])
      await shop.post('/contacts', { phone, displayName, optInStatus: 'opted_in' })
    const campaign = await shop.post('/broadcasts', {
      name: 'Diwali',
      templateId: id,
      phoneNumberId: shop.phoneNumberId,
      segment: {},
      variables: {
        components: [{ type: 'header', parameters: [{ type: 'image', image: { id: upload.body.id } }] }],
      },
      sendNow: true,
    })
    expect(campaign.status, campaign.text).toBe(201)
    await shop.advance(60)
    await shop.inbound(PEOPLE[0][0], 'Until when?')
    await shop.inbound(PEOPLE[1][0], 'STOP')
    await shop.advance(5)

    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/templates`)
    await page.getByText(/^\d sent · .*delivered · .*read · 1 failed$/).waitFor()
    expect(await looked(page, 'template-list')).toEqual([])
    await page.getByRole('link', { name: /diwali_sale/ }).click()
    const results = page.getByRole('region', { name: 'Last 30 days' })
    await results.getByText('Sent', { exact: true }).waitFor()
    await results
      .getByText(
        /of the recipients of 1 campaign replied within 72 hours. Replies are counted only for campaigns./,
      )
      .waitFor()
    await results.getByText(/^Most frequent error: .* \(1 message\)\.$/).waitFor()
    const sample = page.getByRole('img', { name: 'Sample image' })
    await sample.waitFor()
    await until(
      () => sample.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0),
      'the sample is shown',
    )
    expect(await looked(page, 'template-results')).toEqual([])

    await page.goto(`/w/${shop.workspaceId}/campaigns/${campaign.body.id}`)
    const table = page.getByRole('table', { name: 'Recipients' })
    const row = (name: string) => table.getByRole('row').filter({ hasText: name })
    await row('Asha Rao').getByRole('cell', { name: 'Replied', exact: true }).waitFor()
    await row('Ravi Menon').getByRole('cell', { name: 'Opted out', exact: true }).waitFor()
    await row('Meera Joshi').getByRole('cell', { name: 'No response', exact: true }).waitFor()
    await row('Asha Rao').scrollIntoViewIfNeeded()
    expect(await looked(page, 'recipient-responses')).toEqual([])
    expect(faults).toEqual([])
  })

  test('a phone shows the cards of a carousel with samples, and a campaign the values that customers receive', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const card = (name: string, price: string) => ({
      components: [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::aW1hZ2UvanBn:abc'] } },
        { type: 'BODY', text: '{{1}} for {{2}}', example: { body_text: [[name, price]] } },
        {
          type: 'BUTTONS',
          buttons: [
            {
              type: 'URL',
              text: 'See it',
              url: 'https://bluelotus.example/{{1}}',
              example: [`https://bluelotus.example/${name.toLowerCase()}`],
            },
          ],
        },
      ],
    })
    await storeTemplate(parley, shop, {
      name: 'new_sarees',
      category: 'MARKETING',
      components: [
        { type: 'BODY', text: 'Hello {{1}}, they are new.', example: { body_text: [['Asha']] } },
        { type: 'CAROUSEL', cards: [card('Silk', '4,500'), card('Cotton', '1,200')] },
      ],
    })
    const [{ id }] = (await shop.get('/templates?name=new_sarees')).body.templates
    await shop.post('/contacts', { phone: PEOPLE[0][0], optInStatus: 'opted_in' })
    const photo = await shop.post('/media', { fileBase64: PIXEL, mimeType: 'image/png' })
    expect(photo.status, photo.text).toBe(200)
    const sentCard = (place: number, price: string) => ({
      card_index: place,
      components: [
        { type: 'header', parameters: [{ type: 'image', image: { id: photo.body.id } }] },
        { type: 'body', parameters: [text('Linen'), text(price)] },
        { type: 'button', sub_type: 'url', index: '0', parameters: [text('linen')] },
      ],
    })
    const draft = await shop.post('/broadcasts', {
      name: 'Sarees',
      templateId: id,
      phoneNumberId: shop.phoneNumberId,
      segment: {},
      variables: {
        components: [
          { type: 'body', parameters: [{ type: 'text', field: 'contact.name' }] },
          { type: 'carousel', cards: [sentCard(0, '999'), sentCard(1, '899')] },
        ],
      },
    })
    expect(draft.status, draft.text).toBe(201)
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/templates/${id}`)
    const phone = page.getByRole('region', { name: 'Preview on a phone' })
    await phone.getByText('Hello Asha, they are new.').waitFor()
    const cards = phone.getByRole('list', { name: 'Cards' }).getByRole('listitem')
    await cards.nth(0).getByText('Silk for 4,500').waitFor()
    await cards.nth(1).getByText('https://bluelotus.example/cotton').waitFor()
    expect(await looked(page, 'template-cards')).toEqual([])
    await page.goto(`/w/${shop.workspaceId}/campaigns/${draft.body.id}`)
    await phone.getByText('Hello Asha, they are new.').waitFor()
    await cards.nth(0).getByText('Linen for 999').waitFor()
    await cards.nth(1).getByText('https://bluelotus.example/linen').waitFor()
    await page.getByText('The phone shows samples.').waitFor()
    expect(await looked(page, 'campaign-cards')).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })
})
