import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import examples from '../../../test/fixtures/operator/requests/examples.json' with { type: 'json' }
import schema from '../../../test/fixtures/operator/requests/send-body.schema.json' with { type: 'json' }
import { FREE_FORM, INTERACTIVE } from '../../../test/support/payloads.ts'
import { checkMessageType } from '../simulator/message-types.ts'
import { messageEnvelope } from './envelope.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addFormat('url', (text: string) => URL.canParse(text))
ajv.addSchema(schema, 'body')
const isBody = ajv.getSchema('body')!
const isAction = ajv.compile({ $ref: 'body#/$defs/ActionObject' })

type Message = Parameters<typeof messageEnvelope>[0]
const message = (patch: Partial<Message>): Message => ({
  callbackData: '0197a1b2-0000-7000-8000-000000000004',
  to: '+919812345678',
  recipient: null,
  type: 'text',
  content: { body: 'Hi' },
  replyTo: null,
  ...patch,
})
const envelope = (patch: Partial<Message>) => JSON.parse(messageEnvelope(message(patch)))

const template = {
  name: 'order_ok',
  language: { code: 'en_US' },
  components: [
    { type: 'header', parameters: [{ type: 'image', image: { id: '1' } }] },
    { type: 'body', parameters: [{ type: 'text', text: 'Asha' }] },
    { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '1001' }] },
  ],
}
const kinds: [string, string, unknown][] = [
  ...Object.entries(FREE_FORM).map(([type, content]): [string, string, unknown] => [
    type,
    type,
    type === 'contacts' ? { contacts: content } : content,
  ]),
  ...Object.entries(INTERACTIVE).map(([kind, content]): [string, string, unknown] => [
    `interactive ${kind}`,
    'interactive',
    content,
  ]),
  ['reaction', 'reaction', { message_id: 'wamid.X', emoji: '👍' }],
  ['template', 'template', template],
]

describe("every sent message validates against the operator's published schema", () => {
  test.each(kinds)('%s', (_name, type, content) => {
    const body = envelope({ type, content })
    expect(isBody(body) || isBody.errors).toBe(true)
    expect(checkMessageType(body)).toBeUndefined()
  })

  test.each(['button', 'list', 'product', 'product_list', 'catalog_message', 'flow'] as const)(
    'the tap action of a message of kind %s',
    (kind) => {
      expect(isAction(INTERACTIVE[kind].action) || isAction.errors).toBe(true)
    },
  )

  test('to a user id, and as a reply', () => {
    const body = envelope({ to: null, recipient: 'IN.1349', replyTo: 'wamid.PREV' })
    expect(isBody(body) || isBody.errors).toBe(true)
    expect(body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      recipient: 'IN.1349',
      type: 'text',
      text: { body: 'Hi' },
      context: { message_id: 'wamid.PREV' },
      biz_opaque_callback_data: '0197a1b2-0000-7000-8000-000000000004',
    })
  })

  test('a reaction has no context', () => {
    const content = { message_id: 'wamid.X', emoji: '' }
    expect(envelope({ type: 'reaction', content, replyTo: 'wamid.X' })).not.toHaveProperty('context')
  })

  test('the schema rejects the messages that the operator rejects', () => {
    expect(isBody(envelope({ type: 'contacts', content: {} }))).toBe(false)
    expect(isBody(envelope({ type: 'image', content: { caption: 'nothing' } }))).toBe(false)
  })
})

describe('every example request of the operator is accepted', () => {
  /** Fills in the placeholders of the examples with realistic values. */
  const filledIn = (example: unknown): Record<string, unknown> =>
    JSON.parse(
      JSON.stringify(example)
        .replace(/"<?http\(s\):\/\/[^"]*"/g, '"https://files.example.com/a"')
        .replaceAll('<HEADER_TYPE>', 'text')
        .replaceAll('language-and-locale-code', 'en_US')
        .replaceAll(/"(<TEMPLATE_NAME>|template-name)"/g, '"order_ok"'),
    )
  /** The examples that are not accepted, and why. */
  const refused: Record<string, [number, string]> = {
    'messages: send-order-details-message': [100, 'an item without a catalog that names no importer'],
    'messages: send-order-status-message': [131009, 'a reference of 42 characters, where 35 are allowed'],
    'messages: send-reply-to-list-message': [100, 'no type at all, so that it counts as a text without text'],
    'messages: send-sample-issue-resolution-template': [100, 'true and false where texts belong'],
    'messages: send-typing-indicator-and-read-receipt': [100, 'a read mark, which carries no message'],
  }

  test.each(Object.entries(examples))('%s', (name, example) => {
    const refusal = checkMessageType(filledIn(example))
    const [code] = refused[name] ?? []
    if (code === undefined) expect(refusal).toBeUndefined()
    else expect(refusal).toMatchObject({ status: 400, body: { error: { code } } })
  })
})
