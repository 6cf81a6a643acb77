import { expect, test } from 'vitest'
import type { ChatwootMessage } from '../../../../../chatwoot/port.ts'
import { messageIn } from '../../../../../chatwoot/read.ts'
import { convertChat } from './convert-chat.ts'
import { causeOf, filenameIn, mapMessage, mapNote } from './map-message.ts'
import { phoneOf } from './read-contacts.ts'
import { causeOf as causeOfInbox } from './start.ts'

const WORKSPACE = { id: '018f0000-0000-7000-8000-000000000001', countryCode: '91' } as never
const place = {
  workspaceId: '018f0000-0000-7000-8000-000000000001',
  key: 'key',
  contact: { phone: '+919812345678' },
  members: { '1': 'member-1' },
}
const read = (fields: Record<string, unknown>): ChatwootMessage =>
  messageIn({ id: 5, message_type: 0, created_at: 1_700_000_000, content: 'Hi', ...fields })!
const agent = { message_type: 1, sender: { id: 1, name: 'Asha Rao', type: 'user' } }
const recordOf = (fields: Record<string, unknown>) => mapMessage(read(fields), place)[0]!.record

test('a text of the customer keeps its time and the id that the operator gave it', () => {
  expect(recordOf({ source_id: 'wamid.A', content: ' Hi\0 ' })).toEqual({
    kind: 'message',
    place: 'message 5',
    externalId: 'key 5',
    contact: { phone: '+919812345678' },
    direction: 'inbound',
    createdAt: new Date(1_700_000_000_000),
    order: 5,
    chanmid: 'wamid.A',
    content: { body: 'Hi' },
  })
  // Ids of other channels are no ids of the operator.
  expect(recordOf({ source_id: 'SM123' })).not.toHaveProperty('chanmid')
})

test('an answer has its status, and the member with the email address of its agent', () => {
  expect(recordOf({ ...agent, status: 'read' })).toMatchObject({
    direction: 'outbound',
    status: 'read',
    sentBy: 'member-1',
  })
  expect(recordOf({ message_type: 1, sender: { id: 2, type: 'user' } })).toMatchObject({ sentBy: null })
  expect(recordOf({ message_type: 3, status: 'progress' })).toMatchObject({ status: 'delivered' })
})

test.each([
  [{ message_type: 2 }, 'activity'],
  [{ content_attributes: { deleted: true } }, 'deleted'],
  [{ content: '', content_attributes: { is_unsupported: true } }, 'unsupported'],
  [{ content: ' ' }, 'empty'],
  [{ content: '', attachments: [{ file_type: 'image', data_url: 'https://x/y' }] }, undefined],
  [{}, undefined],
])('the message %o is left out as %s', (fields, cause) => {
  expect(causeOf(read(fields))).toBe(cause)
})

test.each([
  [
    'input_select',
    { items: [{ title: 'Yes' }, { title: 'No' }], submitted_values: [{ title: 'No', value: 'no' }] },
    'Hi\n- Yes\n- No\nNo: no',
  ],
  [
    'form',
    { items: [], submitted_values: [{ name: 'email', value: 'a@example.com' }] },
    'Hi\nemail: a@example.com',
  ],
  ['cards', { items: [{ title: 'Mug' }] }, 'Hi\n- Mug'],
  ['article', { items: [{ title: 'Help', link: 'https://x' }] }, 'Hi\n- Help: https://x'],
  [
    'input_csat',
    { submitted_values: { csat_survey_response: { rating: 4, feedback_message: 'Good' } } },
    'Hi\nRating: 4\nGood',
  ],
  ['input_email', { submitted_email: 'a@example.com' }, 'Hi\na@example.com'],
  ['text', { items: [{ title: 'x' }] }, 'Hi'],
  ['cards', { items: 'broken', submitted_values: 7 }, 'Hi'],
])(
  'a message of the type %s becomes text with its choices and answers',
  (content_type, content_attributes, body) => {
    expect(recordOf({ content_type, content_attributes })).toMatchObject({ content: { body } })
  },
)

test('each attachment is a message of its own, the first with the text', () => {
  const attachments = [
    { file_type: 'image', data_url: 'https://chat.example.com/rails/a/photo%20one.jpg' },
    { file_type: 'location', coordinates_lat: 18.5, coordinates_long: 73.8, fallback_title: 'Shop' },
    { file_type: 'contact', fallback_title: '+919800000001' },
    { file_type: 'story_mention', data_url: 'https://x/story' },
  ]
  const [image, location, card, link] = mapMessage(read({ attachments }), place)
  expect(image).toMatchObject({
    file: { url: 'https://chat.example.com/rails/a/photo%20one.jpg', text: 'Hi' },
    record: { externalId: 'key 5', content: { body: 'Hi\nImage: photo one.jpg' } },
  })
  expect(location!.record).toMatchObject({
    externalId: 'key 5 1',
    type: 'location',
    content: { latitude: 18.5, longitude: 73.8, name: 'Shop' },
    createdAt: new Date(1_700_000_000_001),
  })
  expect(card!.record).toMatchObject({ content: { body: 'Contact: +919800000001' } })
  expect(link!.record).toMatchObject({ content: { body: 'Link: https://x/story' } })
  const again = mapMessage(read({ attachments }), place)
  expect(again[0]!.file!.mediaId).toBe(image!.file!.mediaId)
})

test('a private note names its agent', () => {
  expect(mapNote(read({ ...agent, private: true }), place).record).toMatchObject({
    kind: 'note',
    externalId: 'key 5',
    authorName: 'Asha Rao',
    body: 'Hi',
  })
})

test('a page with more records than the batch has room continues at the last message that fit', () => {
  const messages = Array.from({ length: 30 }, (_, i) => read({ id: i + 1 }))
  const found = {
    contact: { id: 1, name: null, phone: '+919812345678', email: null, attributes: {} },
    messages,
    size: 30,
    lastId: 30,
  }
  const limits = { workspace: WORKSPACE, members: {} }
  expect(convertChat([9, 'key', 0], found, { ...limits, room: 12 })).toMatchObject({
    isFull: true,
    rest: [9, 'key', 12],
    mapped: { length: 12 },
  })
  expect(convertChat([9, 'key', 0], found, { ...limits, room: 500 }).rest).toEqual([9, 'key', 30])
  // The same page again: an old version ignores where to continue.
  expect(convertChat([9, 'key', 30], found, { ...limits, room: 500 })).toEqual({
    mapped: [],
    leftOut: [],
    isFull: false,
  })
  const last = { ...found, messages: messages.slice(0, 5), size: 5, lastId: 5 }
  expect(convertChat([9, 'key', 0], last, { ...limits, room: 500 })).not.toHaveProperty('rest')
})

test('a conversation that is gone, or without a valid number, is left out with its cause', () => {
  const limits = { workspace: WORKSPACE, members: {}, room: 500 }
  const causeFor = (found: Parameters<typeof convertChat>[1]) =>
    convertChat([9, 'key', 0], found, limits).leftOut[0]?.cause
  const contact = { id: 1, name: null, phone: null, email: null, attributes: {} }
  const page = { messages: [read({})], size: 1, lastId: 5 }
  expect(causeFor(undefined)).toBe('deleted_conversation')
  expect(causeFor({ ...page, contact })).toBe('no_phone')
  expect(causeFor({ ...page, contact: { ...contact, phone: '+12' } })).toBe('invalid_phone')
  expect(causeFor({ ...page, contact: null })).toBe('no_phone')
  expect(phoneOf(WORKSPACE, { phone: '+91 98123 45678' })).toEqual({ phone: '+919812345678' })
})

test.each([
  ['Channel::Whatsapp', '+91 11 2345 6789', null],
  ['Channel::Whatsapp', '+91 11 9999 9999', 'other_number'],
  ['Channel::Whatsapp', '+1 415 555 0123', null],
  ['Channel::Api', null, null],
  ['Channel::Email', null, 'other_channel'],
  ['Channel::WebWidget', null, 'other_channel'],
])('an inbox of the channel %s with the number %s is left out as %s', (channel, phone, cause) => {
  const numbers = [
    { id: 'own', number: '+911123456789' },
    { id: 'other', number: '+911199999999' },
  ]
  expect(causeOfInbox({ id: 1, name: 'Shop', channel, phone }, numbers, 'own')).toBe(cause)
})

test.each([
  ['https://x/a/photo%20one.jpg?x=1', 'photo one.jpg'],
  ['/rails/b%ZZ.png', 'b%ZZ.png'],
  ['https://x/', null],
  [null, null],
])('the file name in %s is %s', (url, name) => {
  expect(filenameIn(url)).toBe(name)
})
