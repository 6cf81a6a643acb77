import { expect, test } from 'vitest'
import { nearNames } from './near-names.ts'

const unrelated = () => false

test('a mistyped name is answered with at most three nearest names, in any case', () => {
  const names = ['Contacted', 'Contracted', 'Contact', 'Contested', 'Won']
  expect(nearNames('contactd', names, unrelated)).toEqual(['Contacted', 'Contact', 'Contracted'])
  expect(nearNames('xyzzyx', names, (name) => name === 'Won')).toEqual(['Won'])
})

test('texts of more than 64 letters have no near names', () => {
  const name = 'x'.repeat(64)
  expect(nearNames(`${name.slice(1)}y`, [name], unrelated)).toEqual([name])
  expect(nearNames(`${name}y`, [name], unrelated)).toEqual([])
})
