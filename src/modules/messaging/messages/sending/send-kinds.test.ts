import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conform, validatorAt } from '../../../../../test/contract/conform.ts'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { FREE_FORM, INTERACTIVE } from '../../../../../test/support/payloads.ts'
import { delivered, issuesOf, refusing } from '../../../../../test/support/sends.ts'
import { storeTemplate } from '../../../../../test/support/templates.ts'
import { getMessages } from '../reading/endpoints.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

const refused = refusing(() => parley)
const asha = '+919812345678'

async function openShop(): Promise<TestWorkspace> {
  const shop = await parley.workspace({ sandbox: true })
  await shop.inbound(asha, 'Is the blue one in stock?', { name: 'Asha Rao' })
  return shop
}
const send = (type: string, content: unknown, overrides: object = {}) => ({
  to: asha,
  type,
  payload: { type, [type]: content },
  ...overrides,
})

describe('POST /send takes text, image, video, audio, document, interactive, reaction, location, sticker, contacts', () => {
  test.each(Object.entries(FREE_FORM))('%s', async (type, content) => {
    const shop = await openShop()
    const message = await delivered(shop, send(type, content))
    expect(message.type).toBe(type)
    expect(message.content).toEqual(type === 'contacts' ? { contacts: content } : content)
  })

  test.each(Object.entries(INTERACTIVE))('interactive %s', async (_kind, content) => {
    const shop = await openShop()
    expect((await delivered(shop, send('interactive', content))).content).toEqual(content)
  })

  test('reaction, to a message of the customer and to one of ours; the empty emoji removes it', async () => {
    const shop = await openShop()
    const [question] = (await shop.get('/messages')).body.messages
    const ours = await delivered(shop, { to: asha, type: 'text', text: 'Yes' })
    for (const [message_id, emoji] of [
      [question.chanmid, '👍'],
      [ours.chanmid, '❤️'],
      [question.chanmid, ''],
    ])
      expect((await delivered(shop, send('reaction', { message_id, emoji }))).content).toEqual({
        message_id,
        emoji,
      })
  })

  test('GET /messages shows the content of every kind, as the OpenAPI document describes it', async () => {
    const shop = await openShop()
    const [question] = (await shop.get('/messages')).body.messages
    await storeTemplate(parley, shop, { components: [{ type: 'BODY', text: 'Hi {{1}}, it is on its way.' }] })
    const media = ['MediaContent', 'image', 'video', 'audio', 'document', 'sticker']
    const schemaOf = (type: string): string =>
      media.includes(type) ? 'MediaContent' : `${type[0]?.toUpperCase()}${type.slice(1)}Content`
    const reaction = { message_id: question.chanmid, emoji: '👍' }
    const template = { name: 'order_ok', language: { code: 'en_US' }, variables: ['Asha'] }
    for (const [type, content] of Object.entries({ ...FREE_FORM, reaction, template }))
      expect(await shop.post('/send', send(type, content)), type).toMatchObject({ status: 200 })
    const answer = await shop.get('/messages')
    conform(getMessages, answer)
    for (const { type, content } of answer.body.messages) {
      const isAsDescribed = validatorAt('components', 'schemas', schemaOf(type))
      expect(isAsDescribed(content) || isAsDescribed.errors, type).toBe(true)
    }
    const texts = answer.body.messages.map((message: { type: string; text: string | null }) => [
      message.type,
      message.text,
    ])
    expect(texts.reverse()).toEqual([
      ['text', 'Is the blue one in stock?'],
      ['text', 'See https://example.com'],
      ['image', 'The blue one'],
      ['video', null],
      ['audio', null],
      ['document', 'Your bill'],
      ['sticker', null],
      ['location', 'Shop'],
      ['contacts', null],
      ['interactive', 'Which one?'],
      ['reaction', '👍'],
      ['template', 'Hi Asha, it is on its way.'],
    ])
  })

  test('the answer that a customer tapped is shown as its text', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/inbound', { from: asha, buttonId: 'blue', title: 'Blue' })
    await shop.post('/sandbox/inbound', { from: asha, listId: 's', title: 'Small' })
    await shop.advance(1)
    const { messages } = (await shop.get('/messages?limit=2')).body
    expect(messages.map((message: { text: string }) => message.text)).toEqual(['Small', 'Blue'])
  })
})

describe('payload is {type: <type>, <type>: {...}} in the operator format', () => {
  test('other fields in that format are ignored', async () => {
    const shop = await openShop()
    const other = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+15550100',
      context: {},
    }
    const body = send('location', FREE_FORM.location)
    const message = await delivered(shop, { ...body, payload: { ...body.payload, ...other } })
    expect(message.content).toEqual(FREE_FORM.location)
  })

  test('numbers written as strings are stored as numbers', async () => {
    const shop = await openShop()
    const { content } = await delivered(shop, send('location', { latitude: '12.97', longitude: '77.59' }))
    expect(content).toEqual({ latitude: 12.97, longitude: 77.59 })
  })

  test('file addresses with and without TLS are accepted, as the operator does', async () => {
    const shop = await openShop()
    for (const link of ['http://files.example.com/a.jpg', 'https://files.example.com/a.jpg'])
      expect((await delivered(shop, send('image', { link }))).content).toEqual({ link })
  })

  test('400 invalid names the field, and nothing is written', async () => {
    const shop = await openShop()
    const image = { link: 'https://files.example.com/a.jpg' }
    const buttons = { ...INTERACTIVE.button.action.buttons[0], reply: { id: 'a', title: 'x'.repeat(21) } }
    const cases: [string, unknown][] = [
      ['payload', { to: asha, type: 'image' }],
      ['payload', { to: asha, type: 'image', payload: null }],
      ['payload', { to: asha, type: 'image', payload: [image] }],
      ['payload.type', { to: asha, type: 'image', payload: { image } }],
      ['payload.type', { to: asha, type: 'image', payload: { type: 'picture', picture: image } }],
      ['payload.type', { to: asha, type: 'image', payload: { type: 'video', video: image } }],
      ['payload.image', { to: asha, type: 'image', payload: { type: 'image' } }],
      ['payload.image', send('image', {})],
      ['payload.image', send('image', { ...image, id: '1' })],
      ['payload.image.link', send('image', { link: 'ftp://files.example.com/a.jpg' })],
      ['payload.image.alt', send('image', { ...image, alt: 'A shirt' })],
      ['payload.image.caption', send('image', { ...image, caption: 'x'.repeat(1025) })],
      ['text', { ...send('image', image), text: 'A shirt' }],
      ['payload', { ...send('text', { body: 'Hi' }), text: 'Hi' }],
      [
        'payload.interactive.action.buttons[1].reply.title',
        send('interactive', {
          ...INTERACTIVE.button,
          action: { buttons: [INTERACTIVE.button.action.buttons[1], buttons] },
        }),
      ],
      ['payload.interactive.type', send('interactive', { type: 'quiz' })],
      ['payload.contacts[0].name', send('contacts', [{ phones: [] }])],
      ['replyTo', send('reaction', { message_id: 'wamid.X', emoji: '👍' }, { replyTo: 'wamid.X' })],
    ]
    for (const [field, body] of cases)
      expect(issuesOf(await refused(shop, body, 400, 'invalid')), JSON.stringify(body)).toContain(field)
  })

  test("at most 5 contacts are shared in one message, the operator's limit", async () => {
    const shop = await openShop()
    const cards = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        name: { formatted_name: `Asha ${i}`, first_name: 'Asha' },
      }))
    await delivered(shop, send('contacts', cards(5)))
    expect(issuesOf(await refused(shop, send('contacts', cards(6)), 400, 'invalid'))).toEqual([
      'payload.contacts',
    ])
  })

  test('orders to pay are rejected, with the name of the endpoint that sends them', async () => {
    const shop = await openShop()
    for (const type of ['order_details', 'order_status']) {
      const { body } = await refused(shop, send('interactive', { type }), 400, 'invalid')
      expect(body.message).toBe('payload.interactive.type: Send it with POST /payment-requests.')
    }
  })

  test('a payload of type text may request a link preview', async () => {
    const shop = await openShop()
    const message = await delivered(shop, send('text', { body: 'https://example.com', preview_url: 'true' }))
    expect(message.content).toEqual({ body: 'https://example.com', preview_url: true })
  })
})

describe('free-form types need an open 24-hour window', () => {
  test.each([...Object.entries(FREE_FORM), ['reaction', { message_id: 'wamid.X', emoji: '👍' }]] as [
    string,
    unknown,
  ][])('422 outside_24h_window: %s', async (type, content) => {
    const shop = await openShop()
    await refused(shop, { ...send(type, content), to: '+919899999999' }, 422, 'outside_24h_window')
    await shop.advance(86_400)
    await refused(shop, send(type, content), 422, 'outside_24h_window')
  })

  test('409 contact_opted_out and 402 quota_exceeded apply to all types', async () => {
    const shop = await openShop()
    await shop.set({ messageAllowance: 0 })
    for (const [type, content] of Object.entries(FREE_FORM))
      await refused(shop, send(type, content), 402, 'quota_exceeded')
    await shop.set({ messageAllowance: 100 })
    await shop.inbound(asha, 'STOP')
    for (const [type, content] of Object.entries(FREE_FORM))
      await refused(shop, send(type, content), 409, 'contact_opted_out')
  })
})

describe('reactions and replies need a message of the same conversation', () => {
  test('400 invalid_reference: the message is unknown, or of another conversation', async () => {
    const shop = await openShop()
    await shop.inbound('+919833333333', 'I am somebody else')
    const [elsewhere] = (await shop.get('/messages?limit=1')).body.messages
    for (const message_id of ['wamid.unknown', elsewhere.chanmid]) {
      await refused(shop, send('reaction', { message_id, emoji: '👍' }), 400, 'invalid_reference')
      await refused(
        shop,
        send('location', FREE_FORM.location, { replyTo: message_id }),
        400,
        'invalid_reference',
      )
    }
  })

  test('all free-form types except reactions may reply', async () => {
    const shop = await openShop()
    const [question] = (await shop.get('/messages')).body.messages
    for (const [type, content] of Object.entries(FREE_FORM)) {
      const message = await delivered(shop, send(type, content, { replyTo: question.chanmid }))
      expect(message.replyTo).toBe(question.chanmid)
    }
  })
})

test('a refused send does not affect other types in the same batch', async () => {
  const shop = await openShop()
  const bodies = Array.from({ length: 60 }, (_, i) =>
    [
      send('image', FREE_FORM.image),
      send('reaction', { message_id: 'wamid.none', emoji: '👍' }),
      { to: asha, type: 'text', text: 'Hi' },
      { ...send('contacts', FREE_FORM.contacts), to: '+919866666666' },
    ].at(i % 4),
  )
  const answers = await Promise.all(bodies.map((body) => shop.post('/send', body)))
  expect(answers.map((answer) => answer.status)).toEqual(bodies.map((_, i) => [200, 400, 200, 422][i % 4]))
})
