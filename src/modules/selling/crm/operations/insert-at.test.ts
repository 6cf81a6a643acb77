import { expect, test } from 'vitest'
import { insertAt } from './insert-at.ts'

const row = (name: string) => ({ name, position: 9 })

test.each([
  [0, ['new', 'a', 'b']],
  [1, ['a', 'new', 'b']],
  [2, ['a', 'b', 'new']],
  [50, ['a', 'b', 'new']],
])('at position %i', (position, names) => {
  const rows = insertAt([row('a'), row('b')], row('new'), position)
  expect(rows).toEqual(names.map((name, i) => ({ name, position: i })))
})
