import { expect, test } from 'vitest'
import { compareVariants } from './compare-variants.ts'

const variant = (number: number, sent: number, hits: number) => ({ number, sent, hits })

test.each([
  ['few messages', [variant(1, 20, 4), variant(2, 20, 12)], 2, 'too_few'],
  ['few results', [variant(1, 500, 1), variant(2, 500, 4)], 2, 'too_few'],
  ['the same rate', [variant(1, 500, 100), variant(2, 500, 100)], 1, 'no_difference'],
  ['a small difference', [variant(1, 500, 100), variant(2, 500, 110)], 2, 'no_difference'],
  ['a difference that is seldom by chance', [variant(1, 500, 100), variant(2, 500, 123)], 2, 'likely'],
  ['a large difference', [variant(1, 500, 100), variant(2, 500, 150)], 2, 'clear'],
  [
    'a large difference to the last only',
    [variant(1, 500, 150), variant(2, 500, 20), variant(3, 500, 148)],
    1,
    'no_difference',
  ],
  ['nothing sent', [variant(1, 0, 0), variant(2, 0, 0)], 1, 'too_few'],
  ['one variant not sent', [variant(1, 0, 0), variant(2, 100, 30)], 2, 'too_few'],
  ['every message read', [variant(1, 100, 100), variant(2, 100, 100)], 1, 'too_few'],
] as const)('%s', (_, variants, leader, certainty) => {
  expect(compareVariants(variants)).toMatchObject({ leader, certainty })
})
