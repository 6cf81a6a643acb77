import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { deadlocksIn } from '../../../../../test/support/deadlocks.ts'
import { eventsOf } from '../../../../../test/support/records.ts'
import { delivered, issuesOf, refusing } from '../../../../../test/support/sends.ts'
import { storeTemplate, type TemplateGiven } from '../../../../../test/support/templates.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

const refused = refusing(() => parley)
const asha = '+919812345678'

const BODY = { type: 'BODY', text: 'Hi {{1}}, your order {{2}} is on its way.' }
const shopWith = async (...templates: TemplateGiven[]): Promise<TestWorkspace> => {
  const shop = await parley.workspace({ sandbox: true })
  for (const template of templates) await storeTemplate(parley, shop, template)
  return shop
}
const order = (template: object = {}, overrides: object = {}) => ({
  to: asha,
  type: 'template',
  payload: {
    type: 'template',
    template: { name: 'order_ok', language: { code: 'en_US' }, variables: ['Asha', 1001], ...template },
  },
  ...overrides,
})
const created = async (shop: TestWorkspace) =>
  (await eventsOf(parley, shop.workspaceId)).filter(
    (event) => event.name === 'contact.created' && event.data.source === 'api_send',
  )

describe('a template is the only way to open a new conversation', () => {
  test('it creates the contact and the conversation, with contact.created from api_send', async () => {
    const shop = await shopWith({ components: [BODY] })
    const message = await delivered(shop, order())
    expect(message).toMatchObject({
      type: 'template',
      content: {
        name: 'order_ok',
        language: { code: 'en_US' },
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Asha' },
              { type: 'text', text: '1001' },
            ],
          },
        ],
      },
    })
    const { conversations } = (await shop.get('/conversations')).body
    expect(conversations).toMatchObject([
      { id: message.conversationId, contact: { phone: asha }, windowExpiresAt: null },
    ])
    expect(await created(shop)).toMatchObject([
      { data: { contactId: message.contactId, phone: asha, source: 'api_send' } },
    ])
  })

  test('it opens no window: free-form types wait for the customer', async () => {
    const shop = await shopWith({ components: [BODY] })
    await delivered(shop, order())
    await refused(shop, { to: asha, type: 'text', text: 'Hi' }, 422, 'outside_24h_window')
  })

  test('a known contact and conversation are reused', async () => {
    const shop = await shopWith({ components: [BODY] })
    await shop.inbound(asha, 'hello')
    const [open] = (await shop.get('/conversations')).body.conversations
    const txCtx = await delivered(shop, order())
    await shop.advance(2 * 86_400)
    const outside = await delivered(shop, order())
    expect([txCtx.conversationId, outside.conversationId]).toEqual([open.id, open.id])
    expect((await shop.get('/conversations')).body.conversations).toHaveLength(1)
  })

  test('a contact that never wrote gets a conversation', async () => {
    const shop = await shopWith({ components: [BODY] })
    const { contact } = (await shop.post('/contacts', { phone: asha })).body
    expect((await delivered(shop, order())).contactId).toBe(contact.id)
    expect(await created(shop)).toHaveLength(0)
  })

  test('a customer without a number is reached by chan:<user id> or recipient', async () => {
    const shop = await shopWith({ components: [BODY] })
    const first = await delivered(shop, order({}, { to: 'chan:IN.1349' }))
    const second = await delivered(shop, order({}, { to: undefined, recipient: 'IN.1349' }))
    expect(second.contactId).toBe(first.contactId)
    expect((await shop.get('/contacts/chan:IN.1349')).body.contact).toMatchObject({ userId: 'IN.1349' })
  })

  test('an invalid user id as recipient is rejected with the name of the field, and creates no contact', async () => {
    const shop = await shopWith({ components: [BODY] })
    for (const recipient of ['chan:IN.1349', 'IN 1349', 'ünï', '', 'x'.repeat(151)])
      expect(await shop.post('/send', order({}, { to: undefined, recipient }))).toMatchObject({
        status: 400,
        body: {
          error: 'invalid',
          issues: [{ path: 'recipient', message: expect.stringContaining('user id as reported') }],
        },
      })
    expect((await shop.get('/contacts')).body.contacts).toEqual([])
  })

  test('concurrent duplicates of a first send to a new number create one contact and one conversation', async () => {
    const shop = await shopWith({ components: [BODY] })
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.post('/send', order())))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.body.messageId)).size).toBe(20)
    expect((await shop.get('/contacts')).body.contacts).toHaveLength(1)
    expect((await shop.get('/conversations')).body.conversations).toHaveLength(1)
    expect(await created(shop)).toHaveLength(1)
  })

  test('concurrent duplicates with different keys create one contact, in each round', async () => {
    const shop = await shopWith({ components: [BODY] })
    for (let round = 0; round < 10; round++) {
      const to = `+91981230${1000 + round}`
      const answers = await Promise.all(
        [order({}, { to }), order({}, { to, phoneNumberId: shop.phoneNumberId })].map((body, i) =>
          shop.post('/send', body, { idempotencyKey: `${round}-${i}` }),
        ),
      )
      expect(answers.map((answer) => answer.status)).toEqual([200, 200])
    }
    expect((await shop.get('/contacts')).body.contacts).toHaveLength(10)
    expect(await created(shop)).toHaveLength(10)
  })

  test('replyTo has no effect on a template', async () => {
    const shop = await shopWith({ components: [BODY] })
    expect((await delivered(shop, order({}, { replyTo: 'wamid.unknown' }))).replyTo).toBeNull()
  })

  test('the language may be a plain code, with a dash too', async () => {
    const shop = await shopWith({ components: [BODY] })
    for (const language of ['en_US', 'en-US', { code: 'en-US', policy: 'deterministic' }])
      expect((await delivered(shop, order({ language }))).content.language).toEqual({ code: 'en_US' })
  })
})

test('from the submission of a template to its message (spec 4.2, 4.4)', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const components = [
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['1001'] } },
    { ...BODY, example: { body_text: [['Asha', '1001']] } },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'COPY_CODE', example: 'SAVE10' },
        { type: 'URL', text: 'Track', url: 'https://x.example/t/{{1}}', example: ['https://x.example/t/1'] },
      ],
    },
  ]
  const template = { name: 'order_ok', language: 'en_US', category: 'UTILITY', components }
  const submitted = await shop.post('/templates', template)
  expect(submitted, submitted.text).toMatchObject({ status: 200 })
  await refused(shop, order(), 400, 'meta_error')
  await shop.advance(60)
  const values = { headerText: 1001, couponCode: 'SAVE10', buttons: [{ index: 1, urlSuffix: '1001' }] }
  const { content, text } = await delivered(shop, order(values))
  expect(content.components).toEqual([
    { type: 'header', parameters: [{ type: 'text', text: '1001' }] },
    {
      type: 'body',
      parameters: [
        { type: 'text', text: 'Asha' },
        { type: 'text', text: '1001' },
      ],
    },
    {
      type: 'button',
      sub_type: 'copy_code',
      index: 0,
      parameters: [{ type: 'coupon_code', coupon_code: 'SAVE10' }],
    },
    { type: 'button', sub_type: 'url', index: 1, parameters: [{ type: 'text', text: '1001' }] },
  ])
  expect(text).toBe('Hi Asha, your order 1001 is on its way.')
})

describe('a refused template send writes nothing: no contact, conversation or contact.created', () => {
  test("meta_error with the operator's codes: unknown, not approved, paused, disabled", async () => {
    const shop = await shopWith(
      { components: [BODY], name: 'pending_one', status: 'pending' },
      { components: [BODY], name: 'rejected_one', status: 'rejected' },
      { components: [BODY], name: 'paused_one', status: 'paused' },
      { components: [BODY], name: 'disabled_one', status: 'disabled' },
      { components: [BODY], language: 'de' },
    )
    for (const [name, code] of [
      ['unknown_one', 132001],
      ['order_ok', 132001],
      ['pending_one', 132001],
      ['rejected_one', 132001],
      ['paused_one', 132015],
      ['disabled_one', 132016],
    ]) {
      const { body } = await refused(shop, order({ name }), 400, 'meta_error')
      expect(body.code, String(name)).toBe(code)
      expect(body.message).toContain(name)
    }
  })

  test("another workspace's template is answered like a missing one", async () => {
    const [shop, neighbor] = [await shopWith(), await shopWith({ components: [BODY] })]
    expect((await neighbor.post('/send', order())).status).toBe(200)
    const foreign = await refused(shop, order(), 400, 'meta_error')
    const missing = await refused(await shopWith(), order(), 400, 'meta_error')
    expect(foreign.body).toEqual(missing.body)
  })

  test('invalid_template_parameters names missing, blank, surplus or malformed values', async () => {
    const shop = await shopWith({ components: [BODY] })
    for (const [variables, path] of [
      [undefined, 'payload.template.variables[0]'],
      [['Asha'], 'payload.template.variables[1]'],
      [['Asha', ''], 'payload.template.variables[1]'],
      [['Asha', '  '], 'payload.template.variables[1]'],
      [['Asha', null], 'payload.template.variables[1]'],
      [['Asha', 'a\nb'], 'payload.template.variables[1]'],
      [['Asha', '1', '2'], 'payload.template.variables[2]'],
    ] as const) {
      const answer = await refused(shop, order({ variables }), 400, 'invalid_template_parameters')
      expect(issuesOf(answer), JSON.stringify(variables)).toContain(path)
    }
  })

  test('invalid_template_parameters names the place in complete components', async () => {
    const shop = await shopWith({ components: [BODY] })
    const parameters = (...texts: unknown[]) => texts.map((text) => ({ type: 'text', text }))
    for (const [components, path] of [
      [[], 'payload.template.components'],
      [[{ type: 'body', parameters: parameters('Asha') }], 'payload.template.components[0].parameters'],
      [
        [{ type: 'body', parameters: parameters('Asha', ' ') }],
        'payload.template.components[0].parameters[1]',
      ],
      [
        [{ type: 'body', parameters: parameters('Asha', '1'), shade: 'red' }],
        'payload.template.components[0]',
      ],
      [
        [
          { type: 'body', parameters: parameters('Asha', '1') },
          { type: 'tail', parameters: [] },
        ],
        'payload.template.components[1].type',
      ],
    ] as const) {
      const body = order({ variables: undefined, components })
      const answer = await refused(shop, body, 400, 'invalid_template_parameters')
      expect(issuesOf(answer), JSON.stringify(components)).toContain(path)
    }
  })

  test("invalid_template_parameters for complete components without a value for a button or an offer's end", async () => {
    const shop = await shopWith({
      components: [
        { type: 'BODY', text: 'Hello' },
        { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Today', has_expiration: true } },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'COPY_CODE', example: 'SAVE10' },
            { type: 'URL', text: 'Track', url: 'https://x.example/t/{{1}}', example: ['1'] },
          ],
        },
      ],
    })
    const offer = {
      type: 'limited_time_offer',
      parameters: [
        { type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1_900_000_000_000 } },
      ],
    }
    const copy = {
      type: 'button',
      sub_type: 'copy_code',
      index: '0',
      parameters: [{ type: 'coupon_code', coupon_code: 'SAVE10' }],
    }
    const url = { type: 'button', sub_type: 'url', index: 1, parameters: [{ type: 'text', text: '1001' }] }
    const inFull = (...components: object[]) => order({ variables: undefined, components })
    await delivered(shop, inFull(offer, copy, url))
    for (const [index, ...components] of [
      [0, { ...offer, parameters: [] }, copy, url],
      [1, offer, { ...copy, parameters: undefined }, url],
      [2, offer, copy, { ...url, parameters: [] }],
      [2, offer, copy, { ...url, parameters: undefined }],
    ] as [number, ...object[]][]) {
      const answer = await refused(shop, inFull(...components), 400, 'invalid_template_parameters')
      expect(issuesOf(answer)).toEqual([`payload.template.components[${index}].parameters`])
    }
  })

  test('invalid_template_parameters for values that make a header longer than 60 or a body longer than 1,024 characters', async () => {
    const shop = await shopWith({
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'No. {{1}}' },
        { type: 'BODY', text: 'Hi {{1}}.' },
      ],
    })
    const part = (type: string, characters: number) => ({
      type,
      parameters: [{ type: 'text', text: 'x'.repeat(characters) }],
    })
    const inFull = (header: number, body: number) =>
      order({ variables: undefined, components: [part('header', header), part('body', body)] })
    const byValues = (header: number, body: number) =>
      order({ headerText: 'x'.repeat(header), variables: ['x'.repeat(body)] })
    const longest = [56, 1_020] as const
    for (const filled of [inFull, byValues]) {
      await delivered(shop, filled(...longest))
      for (const [header, body] of [
        [longest[0] + 1, longest[1]],
        [longest[0], longest[1] + 1],
      ] as const)
        await refused(shop, filled(header, body), 400, 'invalid_template_parameters')
    }
  })

  test('template_header_media_required, and how to pass the file', async () => {
    const shop = await shopWith({ components: [{ type: 'HEADER', format: 'DOCUMENT' }, BODY] })
    const answer = await refused(shop, order(), 400, 'template_header_media_required')
    expect(issuesOf(answer)).toEqual(['payload.template.headerMedia'])
    for (const headerMedia of [
      { id: '1', link: 'https://a.example/b.pdf' },
      { link: 'http://a.example/b.pdf' },
    ])
      await refused(shop, order({ headerMedia }), 400, 'invalid')
    const headerMedia = { link: 'https://files.example.com/bill.pdf', filename: 'bill.pdf' }
    const { content } = await delivered(shop, order({ headerMedia }))
    expect(content.components[0]).toEqual({
      type: 'header',
      parameters: [{ type: 'document', document: headerMedia }],
    })
  })

  test('422 needs_phone_number: a verification code to a customer with no number', async () => {
    const code = {
      name: 'code',
      category: 'AUTHENTICATION',
      components: [{ type: 'BODY' }, { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] }],
    }
    const shop = await shopWith(code)
    const verify = (to: string) => order({ name: 'code', variables: ['482913'] }, { to })
    await refused(shop, verify('chan:IN.new'), 422, 'needs_phone_number')
    await shop.inbound('chan:IN.known', 'hello')
    await refused(shop, verify('chan:IN.known'), 422, 'needs_phone_number')
    const { content } = await delivered(shop, verify(asha))
    expect(content.components).toMatchObject([
      { type: 'body', parameters: [{ text: '482913' }] },
      { type: 'button', sub_type: 'url', index: 0, parameters: [{ text: '482913' }] },
    ])
  })

  test('409 contact_opted_out, number_banned and sending_blocked; 400 cannot_send_to_self', async () => {
    const shop = await shopWith({ components: [BODY] })
    await refused(shop, order({}, { to: shop.number }), 400, 'cannot_send_to_self')
    await shop.inbound(asha, 'STOP')
    await refused(shop, order(), 409, 'contact_opted_out')
    for (const state of ['number_banned', 'sending_blocked']) {
      await parley.system((tx) =>
        tx.sql('update phone_numbers set state = $2 where workspace_id = $1', [shop.workspaceId, state]),
      )
      await refused(shop, order({}, { to: '+919811111111' }), 409, state)
    }
  })

  test('402 plan_limit_reached: a new number over the contact limit; known contacts still get messages', async () => {
    const shop = await shopWith({ components: [BODY] })
    await shop.set({ contactLimit: 2, messageAllowance: 100 })
    const numbers = ['+919811111111', '+919822222222', '+919833333333', '+919844444444']
    const answers = await Promise.all(numbers.map((to) => shop.post('/send', order({}, { to }))))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 402, 402])
    await shop.advance(5)
    const fifth = order({}, { to: '+919855555555' })
    await refused(shop, fifth, 402, 'plan_limit_reached')
    const [contact] = (await shop.get('/contacts')).body.contacts
    expect((await shop.post('/send', order({}, { to: contact.e164 }))).status).toBe(200)
    expect(await created(shop)).toHaveLength(2)
  })

  test('402 quota_exceeded stores no contact, and a refused contact does not count against the allowance', async () => {
    const shop = await shopWith({ components: [BODY] })
    await shop.set({ contactLimit: 0, messageAllowance: 1 })
    // The first request counts the contacts, and stores that count.
    expect((await shop.post('/send', order())).status).toBe(402)
    await refused(shop, order(), 402, 'plan_limit_reached')
    await shop.set({ contactLimit: 10 })
    expect((await shop.post('/send', order())).status).toBe(200)
    await shop.advance(5)
    await refused(shop, order({}, { to: '+919811111111' }), 402, 'quota_exceeded')
  })

  test("batches of templates and of new contacts never deadlock, with any combination of their workspaces' limits", async () => {
    const before = await deadlocksIn(parley)
    const shops = await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const shop = await shopWith({ components: [BODY] })
        await shop.set({ contactLimit: 5_000, ...(i % 2 ? {} : { messageAllowance: 5_000 }) })
        return shop
      }),
    )
    for (let round = 0; round < 5; round++) {
      const requests = Array.from({ length: 200 }, (_, i) => {
        const shop = shops[(i * 7 + round) % shops.length]!
        const to = `+91987${String(round * 1_000 + i).padStart(7, '0')}`
        return i % 3 ? shop.post('/contacts', { phone: to }) : shop.post('/send', order({}, { to }))
      })
      for (const answer of await Promise.all(requests))
        expect([200, 201], answer.text).toContain(answer.status)
    }
    expect(await deadlocksIn(parley)).toBe(before)
  })

  test('texts and templates in one batch: each is checked separately', async () => {
    const shop = await shopWith({ components: [BODY] })
    await shop.inbound(asha, 'hello')
    const bodies = Array.from({ length: 60 }, (_, i) =>
      [
        order({}, { to: `+9198123${10_000 + i}` }),
        { to: asha, type: 'text', text: 'Hi' },
        order({ variables: [] }, { to: `+9198124${10_000 + i}` }),
        { to: `+9198125${10_000 + i}`, type: 'text', text: 'Hi' },
      ].at(i % 4),
    )
    const answers = await Promise.all(bodies.map((body) => shop.post('/send', body)))
    expect(answers.map((answer) => answer.status)).toEqual(bodies.map((_, i) => [200, 200, 400, 422][i % 4]))
    expect(await created(shop)).toHaveLength(15)
  })

  test('a retry with the same Idempotency-Key creates no second contact or message', async () => {
    const shop = await shopWith({ components: [BODY] })
    const key = { idempotencyKey: 'first-order' }
    const answers = [await shop.post('/send', order(), key), await shop.post('/send', order(), key)]
    expect(answers[1]!.body).toEqual(answers[0]!.body)
    expect((await shop.get('/messages')).body.messages).toHaveLength(1)
  })
})

test('a contact erased meanwhile is created again or not at all: no message remains, and no request gets a 500', async () => {
  const shop = await shopWith({ components: [BODY] })
  await shop.set({ contactLimit: 100, messageAllowance: 10_000 })
  const found = new Set<number>()
  for (let round = 0; round < 15; round++) {
    const answers = await Promise.all([
      shop.post('/send', order()),
      shop.delete(`/contacts/${asha}`),
      shop.post('/send', order()),
      shop.post('/send', { to: asha, type: 'text', text: 'Hi' }),
      shop.delete(`/contacts/${asha}`),
      shop.post('/send', order()),
    ])
    for (const { status } of answers) found.add(status)
  }
  expect([...found].sort().filter((status) => ![200, 404, 422, 429].includes(status))).toEqual([])
  const [left] = await parley.system((tx) =>
    tx.sql<{ count: number }>(
      `select count(*) as count from messages m where workspace_id = $1 and not exists (
         select from conversations c join contacts p on p.workspace_id = c.workspace_id and p.id = c.contact_id
         where c.workspace_id = m.workspace_id and c.id = m.conversation_id)`,
      [shop.workspaceId],
    ),
  )
  expect(left!.count).toBe(0)
})
