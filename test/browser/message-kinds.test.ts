/**
 * Every kind of message in a thread: ours as the customer sees them, and theirs with all of their content.
 */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { connectNumber } from '../support/operator-webhooks.ts'
import { payingShop } from '../support/payments.ts'
import { signIn } from '../support/sessions.ts'
import { storeTemplate } from '../support/templates.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const PHONE = '919812345678'
describe.skipIf(!hasChromium)('every kind of message', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let paying: string
  let browser: Browser
  let page: Page
  let faults: string[]
  beforeAll(async () => {
    parley = await boot()
    ;({ shop, conversationId: paying } = await payingShop(parley, '+919812345670'))
    browser = await launch()
    // A viewer marks nothing as read, because that would send a read receipt through the operator.
    const session = await signIn(parley, shop, 'viewer')
    ;({ page, faults } = await openPage(await profileOf(browser, parley, session)))
  })
  afterAll(async () => {
    expect(faults).toEqual([])
    await browser?.close()
    await parley?.close()
  })
  const open = async (name: string) => {
    const { conversations } = (await shop.get('/conversations')).body
    const chat = conversations.find(({ contact }: Body) => contact.name === name)
    await page.goto(`/w/${shop.workspaceId}/inbox/${chat.id}`)
    return page.getByRole('log', { name: `Messages with ${name}` })
  }
  const findBubble = async (thread: Locator, bubble: string, ...texts: string[]) => {
    const message = thread.locator('[data-message]').filter({ hasText: bubble })
    for (const text of texts) await message.getByText(text, { exact: true }).first().waitFor()
    return message
  }

  test('of ours is shown as the customer sees it', async () => {
    await shop.inbound('+919812345670', 'Hello', { name: 'Asha Rao' })
    await storeTemplate(parley, shop, {
      name: 'offer',
      language: 'en',
      category: 'MARKETING',
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'For {{1}}', example: { header_text: ['Asha'] } },
        { type: 'BODY', text: 'Your {{1}} is ready.', example: { body_text: [['kurta']] } },
        { type: 'FOOTER', text: 'Reply STOP to opt out' },
        {
          type: 'BUTTONS',
          buttons: [
            {
              type: 'URL',
              text: 'Track it',
              url: 'https://shop.example/{{1}}',
              example: ['https://shop.example/1'],
            },
            { type: 'QUICK_REPLY', text: 'Stop' },
          ],
        },
      ],
    })
    const send = async (body: object) => {
      const answer = await shop.post('/send', { to: '+919812345670', ...body })
      expect(answer.status, answer.text).toBe(200)
    }
    const interactive = (content: object) =>
      send({ type: 'interactive', payload: { type: 'interactive', interactive: content } })
    await send({
      type: 'template',
      payload: {
        type: 'template',
        template: {
          name: 'offer',
          language: 'en',
          variables: ['kurta'],
          headerText: ['Asha'],
          buttons: [{ index: 0, urlSuffix: '1001' }],
        },
      },
    })
    await interactive({
      type: 'list',
      header: { type: 'text', text: 'Our shop' },
      body: { text: 'What is it about?' },
      footer: { text: 'Open from ten' },
      action: {
        button: 'Choose',
        sections: [
          { title: 'Orders', rows: [{ id: 'a', title: 'Where is it', description: 'With its number' }] },
        ],
      },
    })
    await interactive({
      type: 'cta_url',
      body: { text: 'See all colors' },
      action: {
        name: 'cta_url',
        parameters: { display_text: 'Open the shop', url: 'https://shop.example/all' },
      },
    })
    const response = await shop.post('/payment-requests', {
      conversationId: paying,
      referenceId: 'ORD-1001',
      items: [{ name: 'Kurta', quantity: 2, unitPaise: 22_000 }],
      shippingPaise: 4_000,
      body: 'Please pay for your order',
    })
    expect(response.status, response.text).toBe(201)
    const thread = await open('Asha Rao')
    const offer = await findBubble(
      thread,
      'Template offer',
      'For Asha',
      'Your kurta is ready.',
      'Reply STOP to opt out',
      'Stop',
    )
    expect(await offer.getByRole('link', { name: 'Track it' }).getAttribute('href')).toBe(
      'https://shop.example/1001',
    )
    await findBubble(
      thread,
      'What is it about?',
      'Our shop',
      'Open from ten',
      'Orders',
      'Where is it',
      'With its number',
      'Choose',
    )
    const link = await findBubble(thread, 'See all colors')
    expect(await link.getByRole('link').getAttribute('href')).toBe('https://shop.example/all')
    await findBubble(
      thread,
      'Please pay for your order',
      'Order ORD-1001',
      'Kurta',
      '2 ×',
      'Shipping',
      '₹40',
      'Total',
      '₹480',
    )
    await picture(page, 'kinds-ours')
  })

  test('of theirs is shown with all of its content', async () => {
    const number = await connectNumber(parley, shop)
    let count = 0
    const from = async (type: string, payload: object, more: object = {}) =>
      number.report('messages', {
        contacts: [{ profile: { name: 'Ravi Menon' }, wa_id: PHONE }],
        messages: [
          {
            from: PHONE,
            id: `wamid.kind${count++}`,
            timestamp: String(Math.floor(Date.now() / 1_000)),
            type,
            ...payload,
            ...more,
          },
        ],
      })
    await from('order', {
      order: {
        catalog_id: '1',
        text: 'By Friday, please',
        product_items: [
          { product_retailer_id: 'KURTA-BLUE', quantity: 3, item_price: 799.5, currency: 'INR' },
          { product_retailer_id: 'SCARF', quantity: 1, item_price: 250, currency: 'INR' },
        ],
      },
    })
    await from('contacts', {
      contacts: [
        {
          name: { formatted_name: 'Meera Iyer', first_name: 'Meera' },
          org: { company: 'Acme', title: 'Buyer' },
          phones: [{ phone: '+91 98123 00001' }],
          emails: [{ email: 'meera@example.com' }],
          addresses: [{ street: 'MG Road', city: 'Bengaluru', country: 'India' }],
          urls: [{ url: 'javascript:alert(1)' }],
        },
      ],
    })
    const interactive = (content: object) => from('interactive', { interactive: content })
    await interactive({
      type: 'nfm_reply',
      nfm_reply: {
        name: 'flow',
        body: 'Sent',
        response_json: '{"flow_token":"t","delivery_rating":"4","comment":"Very quick"}',
      },
    })
    await interactive({
      type: 'list_reply',
      list_reply: { id: 'a', title: 'Where is it', description: 'With its number' },
    })
    await interactive({ type: 'call_permission_reply', call_permission_reply: { response: 'accept' } })
    await from('button', { button: { payload: 'yes', text: 'Yes, send it' } })
    await from(
      'text',
      { text: { body: 'Is this still to be had?' } },
      {
        referral: {
          source_url: 'https://ads.example/1',
          source_type: 'ad',
          headline: 'Summer sale',
          body: 'All kurtas',
        },
      },
    )
    await from('location', {
      location: { latitude: 12.9, longitude: 77.5, name: 'The shop', address: 'MG Road' },
    })
    await from('unsupported', {
      errors: [{ code: 131051, title: 'Message type unknown' }],
      unsupported: { type: 'poll' },
    })
    const thread = await open('Ravi Menon')
    await findBubble(
      thread,
      'Order of 2 products',
      'KURTA-BLUE',
      '3 ×',
      '₹2,398.50',
      'SCARF',
      'Total',
      '₹2,648.50',
      'By Friday, please',
    )
    const card = await findBubble(
      thread,
      'Meera Iyer',
      'Buyer · Acme',
      'MG Road, Bengaluru, India',
      'javascript:alert(1)',
    )
    expect(
      await card.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).toEqual(['tel:+919812300001', 'mailto:meera@example.com'])
    await findBubble(thread, 'Completed a form', 'Delivery rating', '4', 'Comment', 'Very quick')
    await findBubble(thread, 'Where is it', 'Tapped', 'With its number')
    await findBubble(thread, 'Allowed calls')
    await findBubble(thread, 'Yes, send it', 'Tapped')
    await findBubble(thread, 'Is this still to be had?', 'From an ad', 'Summer sale', 'All kurtas')
    await findBubble(thread, 'The shop', 'MG Road')
    const unknown = await findBubble(thread, 'does not pass on: poll.')
    expect(await unknown.getByRole('button').count()).toBe(0)
    await picture(page, 'kinds-theirs')
  })

  test('of the phone app without its content says so in words, in the chat and in a reply', async () => {
    const number = await connectNumber(parley, shop)
    const customer = '919812345674'
    const second = Math.floor(Date.now() / 1_000)
    await number.report('smb_app_state_sync', {
      state_sync: [
        {
          type: 'contact',
          contact: { full_name: 'Meera Iyer', phone_number: customer },
          action: 'add',
          metadata: { timestamp: String(second) },
        },
      ],
    })
    const past = { from: number.displayNumber, to: customer, type: 'media_placeholder' }
    await number.report('history', {
      history: [
        {
          metadata: { phase: 0, chunk_order: 1, progress: 100 },
          threads: [
            {
              id: customer,
              messages: [
                { ...past, id: 'wamid.file', timestamp: String(second - 7_200) },
                {
                  from: customer,
                  id: 'wamid.thanks',
                  timestamp: String(second - 3_600),
                  type: 'text',
                  text: { body: 'Thanks' },
                  context: { id: 'wamid.file' },
                },
                { ...past, id: 'wamid.last', timestamp: String(second - 60) },
              ],
            },
          ],
        },
      ],
    })
    const thread = await open('Meera Iyer')
    await expect.poll(() => thread.getByText(/It is only in the phone app/).count()).toBe(2)
    await thread.locator('blockquote').getByText('File in the phone app').waitFor()
    expect(await thread.textContent()).not.toContain('media_placeholder')
    await picture(page, 'kinds-phone-app')
  })

  test('is formatted like in the apps of the chat network, and is copied as it was typed', async () => {
    const typed = [
      'Hi *Asha*, _please_ see https://shop.example/a_b_c',
      '',
      '- ~1,200~ *990*',
      '- code `KURTA_10`',
      '',
      '> is it *blue*?',
      '```a\n  b``` <b>no</b> 2*3*4',
    ].join('\n')
    await shop.inbound('+919812345672', typed, { name: 'Noor Khan' })
    const bubble = (await open('Noor Khan')).locator('[data-message] [dir=auto]').last()
    await bubble.waitFor()
    for (const line of [
      '- strong: Asha',
      '- emphasis: please',
      '- link "https://shop.example/a_b_c"',
      '- list:\n  - listitem:\n    - deletion: 1,200\n    - strong: "990"\n  - listitem:\n    - text: code\n    - code: KURTA_10',
      '- blockquote:\n  - text: is it\n  - strong: blue',
      '- code: a b\n- text: <b>no</b> 2*3*4',
    ])
      expect(await bubble.ariaSnapshot()).toContain(line)
    await page.evaluate(
      'getSelection().selectAllChildren(document.querySelector("[data-message] [dir=auto]"))',
    )
    expect(await page.evaluate('String(getSelection())')).toBe(typed)
    await picture(page, 'kinds-formatted')
  })
})
