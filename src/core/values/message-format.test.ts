import { expect, test } from 'vitest'
import { messageFormatter } from './message-format.ts'

const formatMessage = messageFormatter('en')

test('values replace their placeholders', () => {
  expect(formatMessage('{name} wrote', { name: 'Asha' })).toBe('Asha wrote')
  expect(formatMessage('No braces here')).toBe('No braces here')
})

test('plurals follow the rules of the language, and exact counts take precedence', () => {
  const message = '{count, plural, =0 {No chats} one {# chat of {name}} other {# chats of {name}}}!'
  const format = (count: number) => formatMessage(message, { count, name: 'Asha' })
  expect([format(0), format(1), format(2), format(1_234)]).toEqual([
    'No chats!',
    '1 chat of Asha!',
    '2 chats of Asha!',
    '1,234 chats of Asha!',
  ])
})

test('each language has its own plural forms and numbers', () => {
  const message =
    '{count, plural, zero {لا محادثات} one {محادثة} two {محادثتان} few {# محادثات} many {# محادثة} other {# محادثة}}'
  const format = messageFormatter('ar-u-nu-latn')
  expect([0, 1, 2, 3, 11, 100].map((count) => format(message, { count }))).toEqual([
    'لا محادثات',
    'محادثة',
    'محادثتان',
    '3 محادثات',
    '11 محادثة',
    '100 محادثة',
  ])
  expect(format('هنا: {url}', { url: 'https://example.com/x' })).toBe('هنا: https://example.com/x')
  expect(format('الرقم {phone}', { phone: '+919812345678' })).toBe('الرقم \u2068+919812345678\u2069')
  expect(messageFormatter('hi')('{count}', { count: 1_234_567 })).toBe('12,34,567')
})
