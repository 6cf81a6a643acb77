import { expect, test } from 'vitest'
import { chooseReplies } from './choose-replies.ts'

const customer = (text: string) => ({ by: 'customer' as const, text })

test('replies with words of the latest questions come first', () => {
  const replies = ['We open at ten.', 'Delivery takes three days.', 'Returns are free.']
  expect(chooseReplies(replies, [customer('How long does DELIVERY take?')])[0]).toBe(
    'Delivery takes three days.',
  )
  expect(chooseReplies(replies, [])).toEqual(replies)
})

test('at most 15 replies of 500 characters are chosen', () => {
  const replies = Array.from({ length: 40 }, (_, i) => `${i} ${'a'.repeat(600)}`)
  const chosen = chooseReplies(replies, [customer('39 words')])
  expect(chosen).toHaveLength(15)
  expect(Math.max(...chosen.map((text) => text.length))).toBe(500)
})

test('words of any script count', () => {
  expect(chooseReplies(['Hello', 'हम दस बजे खुलते हैं'], [customer('आप कब खुलते हैं?')])[0]).toBe('हम दस बजे खुलते हैं')
})
