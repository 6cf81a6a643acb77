// A template from its submission to the customer's phone, in a sandbox.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley.close())

test('submitted, approved, sent with variables, delivered with the text that the customer reads', async () => {
  const to = '+919812345678'
  const submitted = await shop.post('/templates', {
    name: 'order_shipped',
    language: 'en_US',
    category: 'UTILITY',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['1001'] } },
      {
        type: 'BODY',
        text: 'Hi {{1}}, your parcel comes {{2}} between ten and noon.',
        example: { body_text: [['Asha', 'tomorrow']] },
      },
      {
        type: 'BUTTONS',
        buttons: [
          {
            type: 'URL',
            text: 'Track',
            url: 'https://shop.example/t/{{1}}',
            example: ['https://shop.example/t/7'],
          },
          { type: 'QUICK_REPLY', text: 'Change the time' },
        ],
      },
    ],
  })
  expect(submitted.body).toMatchObject({ template: { status: 'pending' }, warnings: [] })

  const payload = {
    type: 'template',
    template: {
      name: 'order_shipped',
      language: { code: 'en_US' },
      headerText: '1001',
      variables: ['Asha', 'on Friday'],
      buttons: [{ index: 0, urlSuffix: '1001' }],
    },
  }
  // A template that the operator has not approved can't be sent.
  const early = await shop.post('/send', { to, type: 'template', payload })
  expect([early.status, early.body.error, early.body.code]).toEqual([400, 'meta_error', 132001])

  await shop.advance(10)
  const { template } = (await shop.get(`/templates/${submitted.body.template.id}`)).body
  expect(template.status).toBe('approved')

  // A template starts the conversation, which a free text may not.
  expect((await shop.post('/send', { to, type: 'text', text: 'Hello' })).body.error).toBe(
    'outside_24h_window',
  )
  const { status, body } = await shop.post('/send', { to, type: 'template', payload })
  expect(status, JSON.stringify(body)).toBe(200)
  await shop.advance(10)

  const { message } = (await shop.get(`/messages/${body.messageId}`)).body
  expect(message).toMatchObject({
    type: 'template',
    status: 'read',
    text: 'Hi Asha, your parcel comes on Friday between ten and noon.',
    content: {
      name: 'order_shipped',
      language: { code: 'en_US' },
      components: [
        { type: 'header', parameters: [{ type: 'text', text: '1001' }] },
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Asha' },
            { type: 'text', text: 'on Friday' },
          ],
        },
        { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: '1001' }] },
      ],
    },
  })

  // A deleted template is deleted at the operator too, so later sends fail.
  expect((await shop.delete(`/templates/${template.id}`)).body).toEqual({ ok: true, deleted: true })
  const late = await shop.post('/send', { to, type: 'template', payload })
  expect([late.body.error, late.body.code]).toEqual(['meta_error', 132001])
})
