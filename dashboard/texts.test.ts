import { expect, test } from 'vitest'
import { formatMessage } from './texts.ts'

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
