/** The published examples of the phone app's history and address book, and odd ones (docs/formats.md section 10). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Report } from '../../report.ts'
import { webhookChanges } from '../changes.ts'
import { readWebhook, readWebhookValue } from '../reports.ts'

const folder = join(import.meta.dirname, '../../../../test/fixtures/operator/coexistence')
const read = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
const reportsOf = (body: unknown): Report[] => readWebhook(body).flatMap(({ reports }) => reports)
const OWN = '15550783881'
const metadata = { display_phone_number: OWN, phone_number_id: '106540352242922' }
const inThread = (message: object, thread: object = { id: '16505551234' }): Report[] =>
  readWebhookValue('history', {
    metadata,
    history: [
      { threads: [{ ...thread, messages: [{ id: 'wamid.a', timestamp: '1739230955', ...message }] }] },
    ],
  }).reports
const text = { type: 'text', text: { body: 'Hi' } }

describe('the history of the phone app', () => {
  test('its published example has both directions, in two chats, and its progress', () => {
    const reports = reportsOf(read('history'))
    expect(reports.map((report) => report.kind)).toEqual(['past', 'past', 'past', 'past', 'history'])
    expect(reports[0]).toMatchObject({
      direction: 'outbound',
      phone: '+16505551234',
      type: 'text',
      status: 'read',
      at: new Date('2025-02-10T23:42:35.000Z'),
    })
    expect(reports[1]).toMatchObject({ type: 'media_placeholder', content: {}, status: 'read' })
    expect(reports[2]).toMatchObject({ direction: 'inbound', phone: '+16505551234', status: null })
    expect(reports[3]).toMatchObject({ direction: 'outbound', phone: '+12125557890', status: 'delivered' })
    expect(reports[4]).toMatchObject({ progress: 55, phase: 0, declined: null })
  })

  test('a file comes separately, with the id of its message', () => {
    expect(reportsOf(read('history_file'))).toMatchObject([
      {
        kind: 'past_file',
        chanmid: 'wamid.QyNUEHBgLMTY0NjcwNDM1OTUVAgARGBI1Rj3NEYxMzAzMzQ5MkEA',
        type: 'image',
        content: { id: '24230790383178626', caption: 'Black Prince echeveria' },
        customer: { phone: '+16505551234' },
      },
    ])
  })

  test('a refusal to share it is read with and without the envelope', () => {
    const declined = { kind: 'history', declined: 'History sharing is turned off by the business' }
    const body = read('history_declined')
    expect(reportsOf(body)).toMatchObject([declined])
    const entry = [{ id: '1', changes: [{ field: 'history', value: body }] }]
    expect(reportsOf({ entry })).toMatchObject([declined])
  })

  test.each([
    ['the sender', { from: OWN, ...text }, 'outbound'],
    ['a receiver', { from: '15550000000', to: '16505551234', ...text }, 'outbound'],
    ['its context', { from: '16505551234', history_context: { from_me: true }, ...text }, 'outbound'],
    ['the customer as sender', { from: '16505551234', ...text }, 'inbound'],
  ])('%s decides the direction', (_, message, direction) => {
    expect(inThread(message)).toMatchObject([{ kind: 'past', direction, phone: '+16505551234' }])
  })

  test('a customer without a number is known by the user id', () => {
    const [report] = inThread({ from_user_id: 'US.1349', ...text }, { context: { user_id: 'US.1349' } })
    expect(report).toMatchObject({ kind: 'past', phone: null, userId: 'US.1349', direction: 'inbound' })
  })

  test('messages of unknown types, without content, and of groups', () => {
    expect(inThread({ from: OWN, type: 'errors' })).toMatchObject([{ type: 'errors', content: {} }])
    expect(inThread({ from: OWN, type: 'unknown_kind', unknown_kind: { a: 1 } })).toMatchObject([
      { type: 'unknown_kind', content: { a: 1 } },
    ])
    expect(inThread({ from: OWN, group_id: 'g', ...text })).toMatchObject([{ kind: 'group' }])
    expect(inThread(text, { id: 'Y2FwaV9ncm91cDox' })).toMatchObject([{ kind: 'unrecognized' }])
  })

  test('a large value is split, and only the last part of a chunk has its progress', () => {
    const messages = Array.from({ length: 450 }, (_, i) => ({ from: OWN, id: `wamid.${i}`, ...text }))
    const threads = [
      { id: '16505551234', messages: messages.slice(0, 230) },
      { id: '12125557890', messages: messages.slice(230) },
    ]
    const value = { metadata, history: [{ metadata: { phase: 1, chunk_order: 1, progress: 70 }, threads }] }
    const parts = webhookChanges({ entry: [{ changes: [{ field: 'history', value }] }] })
    const reports = parts.map((part) => readWebhookValue(part.field, part.value).reports)
    expect(reports.map((list) => list.length)).toEqual([200, 200, 51])
    const past = reports.flat().filter((report) => report.kind === 'past')
    expect(past.map(({ chanmid }) => chanmid)).toEqual(messages.map(({ id }) => id))
    expect(past.filter(({ phone }) => phone === '+12125557890')).toHaveLength(220)
    expect(reports.map((list) => list.filter(({ kind }) => kind === 'history').length)).toEqual([0, 0, 1])
  })
})

describe('the address book of the phone app', () => {
  test('its published example adds one contact and removes one', () => {
    expect(reportsOf(read('address_book'))).toEqual([
      {
        kind: 'address_book',
        phone: '+16505551234',
        name: 'Pablo Morales',
        isRemoved: false,
        at: new Date('2025-02-12T00:43:44.000Z'),
      },
      {
        kind: 'address_book',
        phone: '+12125557890',
        name: null,
        isRemoved: true,
        at: new Date('2025-02-12T00:43:45.000Z'),
      },
    ])
  })

  test('an entry without a number, and one of another type, change nothing', () => {
    const state_sync = [
      { type: 'contact', contact: { full_name: 'A' }, action: 'add' },
      { type: 'label', contact: { phone_number: '16505551234' }, action: 'add' },
      { type: 'contact', contact: { phone_number: '16505551234' }, action: 'merge' },
    ]
    const { reports } = readWebhookValue('smb_app_state_sync', { metadata, state_sync })
    expect(reports.map(({ kind }) => kind)).toEqual(['unrecognized', 'unrecognized', 'unrecognized'])
  })
})

describe('the end of the connection', () => {
  test('names the account, and the reason if the operator gives one', () => {
    const body = read('partner_removed')
    const report = { kind: 'number', accountId: '980198427658004' }
    expect(reportsOf(body)).toMatchObject([
      {
        ...report,
        news: { state: 'disconnected', stateReason: expect.stringContaining('not opened for too long') },
      },
    ])
    delete body.entry[0].changes[0].value.disconnection_info
    expect(reportsOf(body)).toMatchObject([
      { ...report, news: { stateReason: "The business removed Parley's access." } },
    ])
  })
})

test.each(['history', 'smb_app_state_sync'])('any value of %s is read without a fault', (field) => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      for (const key of ['history', 'messages', 'state_sync'])
        for (const list of [
          value,
          [value],
          [{ threads: [{ messages: [value] }], contact: value, metadata: value }],
        ])
          webhookChanges({ entry: [{ changes: [{ field, value: { metadata, [key]: list } }] }] }).map(
            (change) => readWebhookValue(change.field, change.value),
          )
    }),
  )
})
