import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { InboundMessage, Receipt, Report } from '../port.ts'
import { readWebhook, readWebhookValue } from './reports.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/operator')
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
const readSingleReport = (body: unknown): Report => {
  const reports = readWebhook(body).flatMap((number) => number.reports)
  expect(reports).toHaveLength(1)
  return reports[0]!
}
const pywa = (file: string, name: string): Report => readSingleReport(read(`pywa/${file}.json`)[name])

describe('a receipt (docs/formats.md section 9)', () => {
  test.each([
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['read', 'read'],
    ['played', 'read'],
    ['failed', 'failed'],
  ])('%s is read as %s', (name, status) => {
    expect(pywa('message_status', name)).toMatchObject({ kind: 'receipt', chanmid: 'wamid.xyzxyz', status })
  })

  test('carries our id if the operator echoes it, and its time in UTC', () => {
    expect(pywa('message_status', 'with_tracker')).toEqual({
      kind: 'receipt',
      chanmid: 'wamid.xyzxyz',
      recipient: '972987654321',
      customer: {
        phone: '+972987654321',
        userId: 'US.13491208655302741918',
        username: null,
        profileName: 'Test Name',
      },
      callbackData: 'some data',
      status: 'sent',
      at: new Date('2023-10-25T20:49:05.000Z'),
      errors: [],
      pricing: { billable: true, category: 'service', type: null, model: 'CBP' },
    })
    expect(pywa('message_status', 'sent')).toMatchObject({ callbackData: null })
  })

  test('for a failure contains the classified errors', () => {
    const { errors } = readSingleReport(read('hidden-number/status_failed.json')) as Receipt
    expect(errors).toEqual([
      {
        code: 131049,
        title: 'This message was not delivered to maintain healthy ecosystem engagement.',
        message: 'This message was not delivered to maintain healthy ecosystem engagement.',
        details: 'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
        category: 'policy',
        permanent: false,
        retryable: true,
      },
    ])
  })

  test('needs no phone number', () => {
    expect(readSingleReport(read('hidden-number/status_delivered.json'))).toMatchObject({
      status: 'delivered',
      callbackData: '0199-our-id',
    })
  })

  test('is not created from a payment or a call', () => {
    expect(readSingleReport(read('payment_status.json'))).toMatchObject({ kind: 'payment' })
    expect(pywa('call_status', 'call_status')).toEqual({ kind: 'unrecognized', field: 'calls.statuses' })
  })
})

describe('a message from a customer (docs/formats.md sections 8 and 11)', () => {
  test('is read completely', () => {
    expect(pywa('message', 'reply')).toMatchObject({
      kind: 'inbound',
      phone: '+972987654321',
      userId: 'US.13491208655302741918',
      username: null,
      profileName: 'Test Name',
      type: 'text',
      replyTo: expect.stringMatching(/^wamid\./),
    })
    expect(pywa('message', 'forwarded')).toMatchObject({ replyTo: null, content: { body: 'forwarded text' } })
  })

  test('may come from a customer who shares no number', () => {
    expect(readSingleReport(read('hidden-number/incoming_text.json'))).toEqual({
      kind: 'inbound',
      chanmid: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQUFERjg0NDEzNDdFODU3MUMxMAA=',
      phone: null,
      userId: 'US.13491208655302741918',
      username: 'pablomorales',
      profileName: 'Pablo M.',
      at: new Date('2025-06-15T23:27:53.000Z'),
      type: 'text',
      content: { body: 'Hi, no number shared' },
      context: null,
      replyTo: null,
      referred: false,
      formFields: null,
      errors: [],
    })
  })

  test('may be a tapped button or a picked row', () => {
    expect(pywa('callback_button', 'button')).toMatchObject({
      type: 'interactive',
      content: { type: 'button_reply', button_reply: { id: 'callback_data', title: 'title' } },
      replyTo: 'wamid.xyzxyz',
    })
    expect(pywa('callback_button', 'quick_reply')).toMatchObject({ type: 'button' })
    expect(pywa('callback_selection', 'description')).toMatchObject({
      type: 'interactive',
      content: { type: 'list_reply', list_reply: { description: expect.any(String) } },
    })
  })

  test.each([
    'image',
    'video',
    'document',
    'audio',
    'static_sticker',
    'reaction',
    'current_location',
    'order',
  ])('of another kind keeps the payload of its type: %s', (name) => {
    const body = read('pywa/message.json')[name]
    const original = body.entry[0].changes[0].value.messages[0]
    const { type, content } = readSingleReport(body) as InboundMessage
    expect(content).toEqual(original[type])
  })

  test('with shared contacts keeps them as a list under its key', () => {
    const { content } = pywa('message', 'contacts') as InboundMessage
    expect(content.contacts).toHaveLength(3)
  })

  test('without a payload has an empty one', () => {
    expect(pywa('message', 'unsupported')).toMatchObject({ type: 'unsupported', content: {} })
    expect(pywa('message', 'interactive_message_with_err')).toMatchObject({
      type: 'interactive',
      content: {},
    })
  })

  test('is not created from a notice about the customer', () => {
    expect(pywa('system', 'phone_number_change')).toMatchObject({
      kind: 'identity',
      from: { phone: '+972987654321' },
      to: { phone: '+972912345678' },
    })
    expect(pywa('system', 'identity_change')).toEqual({
      kind: 'unrecognized',
      field: 'messages.system.customer_identity_changed',
    })
  })

  test('belongs to the single contact next to it, however the number is spelled', () => {
    const message = { from: '5491122334455', id: 'wamid.1', timestamp: '1767168500', type: 'text' }
    const value = { contacts: [{ wa_id: '541122334455', profile: { name: 'Ana' } }], messages: [message] }
    expect(readWebhookValue('messages', value).reports).toMatchObject([
      { phone: '+5491122334455', profileName: 'Ana' },
    ])
    // With more messages the contact would be ambiguous.
    const ambiguous = { ...value, messages: [message, { ...message, from: '919812345678' }] }
    expect(readWebhookValue('messages', ambiguous).reports).toMatchObject([
      { profileName: null },
      { profileName: null },
    ])
  })

  test.each([
    ['milliseconds', { timestamp: '1767168500000' }],
    ['a number', { timestamp: 1767168500 }],
    ['a number of milliseconds', { timestamp: 1767168500000 }],
    ['no time at all', { timestamp: undefined }],
    ['an invalid time', { timestamp: 'today' }],
    ['its number as a number', { from: 919812345678, timestamp: '1767168500' }],
    ['no type', { type: undefined }],
    ['an invalid type', { type: 5 }],
  ])('with %s is still a message', (_, odd) => {
    const message = { from: '919812345678', id: 'wamid.1', type: 'text', text: { body: 'Hi' }, ...odd }
    const contacts = [
      { wa_id: '919812345670', profile: { name: 'Ravi' } },
      { wa_id: '919812345678', profile: { name: 'Asha' } },
    ]
    const time = new Date(1767168500_000)
    const { reports } = readWebhookValue(
      'messages',
      { contacts, messages: [message] },
      { accountId: '', at: time },
    )
    expect(reports).toMatchObject([
      {
        kind: 'inbound',
        phone: '+919812345678',
        profileName: 'Asha',
        at: time,
        type: 'text',
        content: { body: 'Hi' },
      },
    ])
  })

  test.each([
    ['a text', { type: 'novelty', novelty: 'Hi' }, { novelty: 'Hi' }],
    ['a number', { type: 'novelty', novelty: 7 }, { novelty: 7 }],
    ['null', { type: 'novelty', novelty: null }, {}],
  ])('with a payload that is %s keeps it', (_, fields, content) => {
    const message = { from: '919812345678', id: 'wamid.1', timestamp: '1767168500', ...fields }
    expect(readWebhookValue('messages', { messages: [message] }).reports).toMatchObject([{ content }])
  })

  test('with only a known sender is unsupported', () => {
    const message = { from: '919812345678', id: 'wamid.1', timestamp: '1767168500' }
    expect(readWebhookValue('messages', { messages: [message] }).reports).toMatchObject([
      { kind: 'inbound', type: 'unsupported', content: {} },
    ])
  })

  test("loses only what PostgreSQL can't store", () => {
    const message = { from: '919812345678', id: 'wamid.1', timestamp: '1767168500', type: 'text' }
    const value = { messages: [{ ...message, text: { body: 'a\0b\ud800c', 'k\0': ['\0'] } }] }
    const [report] = readWebhookValue('messages', value).reports
    expect(report).toMatchObject({ content: { body: 'ab\ufffdc', k: [''] } })
  })
})

describe('a webhook body', () => {
  test('is read to its end, grouped by number', () => {
    const numbers = readWebhook(read('batch.json'))
    expect(numbers.map(({ operatorId, reports }) => [operatorId, reports.map(idOf)])).toEqual([
      ['106000000000001', ['wamid.B1', 'wamid.B2', 'wamid.S1', 'wamid.S2']],
      ['106000000000002', ['wamid.B3']],
    ])
    expect(numbers[0]?.reports.slice(0, 2)).toMatchObject([{ profileName: 'Asha' }, { profileName: 'Ravi' }])
  })

  test("with a field that we don't process is unrecognized, with the field's name", () => {
    expect(readWebhook(read('pywa/account_update.json').pricing_tiering_update)).toEqual([
      { operatorId: '', reports: [{ kind: 'unrecognized', field: 'account_update' }] },
    ])
  })

  test('from the documentation gives at least one report', () => {
    for (const file of readdirSync(join(folder, 'pywa')).filter((name) => name.endsWith('.json')))
      for (const [name, body] of Object.entries(read(`pywa/${file}`)))
        expect(
          readWebhook(body).flatMap(({ reports }) => reports),
          `${file} ${name}`,
        ).not.toEqual([])
  })

  test('may be any JSON value', () => {
    fc.assert(fc.property(fc.jsonValue(), (body) => void readWebhook(body)))
  })

  test('may be a documented one with any part replaced by any JSON value', () => {
    const bodies = ['pywa/message.json', 'pywa/message_status.json'].flatMap((file) =>
      Object.values(read(file)),
    )
    fc.assert(
      fc.property(fc.constantFrom(...bodies), fc.nat(), fc.jsonValue(), (body, place, replacement) => {
        const reports = readWebhook(replaced(body, place, replacement)).flatMap((number) => number.reports)
        for (const report of reports)
          if ('at' in report) expect(Number.isNaN(report.at.getTime())).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })

  test('may be nested without limit', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const message = `{"from":"919812345678","id":"wamid.1","timestamp":"1","type":"text","text":{"body":${deep}}}`
    const value = JSON.parse(`{"messages":[${message}]}`)
    expect(readWebhookValue('messages', value).reports).toMatchObject([{ kind: 'inbound', type: 'text' }])
  })
})

const idOf = (report: Report) =>
  'chanmid' in report ? report.chanmid : report.kind === 'unrecognized' ? report.field : report.kind

/** Returns a copy of `body` with the value at one position (counted over all values) replaced. */
function replaced(body: unknown, place: number, replacement: unknown): unknown {
  let total = 0
  JSON.stringify(body, (_key, value) => {
    total++
    return value
  })
  let index = 0
  return JSON.parse(JSON.stringify(body, (_key, value) => (index++ === place % total ? replacement : value)))
}
