import { expect, test } from 'vitest'
import { parseTap, tapId } from './option-ids.ts'

const tap = { session: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a11', node: 'menu_1', option: 'o-2' }

test('the id of an option has its session and its node', () => {
  expect(tapId(tap)).toBe('bot:01978f2e-9c1b-7d30-8a44-3f5f0e6b9a11:menu_1:o-2')
  expect(parseTap(tapId(tap))).toEqual(tap)
})

test.each(['', 'o-2', 'bot:x:menu:o', `${tapId(tap)}:more`, `x${tapId(tap)}`, tapId({ ...tap, option: '' })])(
  '%j is not the id of an option',
  (id) => {
    expect(parseTap(id)).toBeUndefined()
  },
)
