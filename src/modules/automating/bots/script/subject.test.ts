import { expect, test } from 'vitest'
import { filled, matchesCondition, type Subject } from './subject.ts'

const subject: Subject = {
  contact: {
    name: 'Asha Rao',
    phone: '+919812345678',
    tags: ['VIP', 'new'],
    attributes: { city: 'Pune', size: 12, list: [1, 2], none: null },
  },
  answers: { color: 'Dark  Blue', rooms: '3' },
  text: 'Hello there',
  open: true,
  countryCode: '91',
}
type Condition = Parameters<typeof matchesCondition>[1]
const matches = (field: string, is: Condition['is'], value = '', of = subject) =>
  matchesCondition(of, { id: 'a', type: 'condition', field, is, value, next: null, otherwise: null })

test.each<[string, Condition['is'], string, boolean]>([
  ['contact.name', 'equals', 'asha  RAO', true],
  ['contact.name', 'equals', 'asha', false],
  ['contact.name', 'not_equals', 'asha', true],
  ['contact.name', 'contains', 'rao', true],
  ['contact.name', 'not_contains', 'rao', false],
  ['answers.color', 'equals', 'dark blue', true],
  ['answers.missing', 'empty', '', true],
  ['answers.__proto__', 'empty', '', true],
  ['answers.color', 'not_empty', '', true],
  ['contact.attributes.city', 'equals', 'pune', true],
  ['contact.attributes.none', 'empty', '', true],
  ['contact.attributes.constructor', 'empty', '', true],
  ['contact.attributes.list', 'equals', '[1,2]', true],
  ['contact.tags', 'equals', 'vip', true],
  ['contact.tags', 'contains', 'vi', false],
  ['contact.tags', 'not_contains', 'vip', false],
  ['contact.tags', 'not_equals', 'old', true],
  ['contact.attributes.size', 'greater', '9', true],
  ['contact.attributes.size', 'less', '9', false],
  ['answers.rooms', 'less', '3.5', true],
  ['answers.color', 'greater', '1', false],
  ['answers.missing', 'less', '1', false],
  ['message.text', 'contains', 'HELLO', true],
  ['now.open', 'equals', 'true', true],
])('%s %s %j: %s', (field, is, value, expected) => {
  expect(matches(field, is, value)).toBe(expected)
})

test('without business hours, whether the business is open is empty', () => {
  expect(matches('now.open', 'empty', '', { ...subject, open: undefined })).toBe(true)
})

test('texts are filled in, and cut', () => {
  expect(
    filled(subject, 'Hi {{contact.name}}, {{answers.rooms}} rooms in {{contact.attributes.city}}?', 100),
  ).toBe('Hi Asha Rao, 3 rooms in Pune?')
  expect(filled(subject, '{{contact.name}}', 4)).toHaveLength(4)
  expect(filled(subject, '{{contact.tags}} {{answers.missing}}', 100)).toBe('VIP, new ')
})
