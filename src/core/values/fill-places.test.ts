import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillPlaces } from './fill-places.ts'

const PLACE = /\{\{(\w+)\}\}/g
const text = fc
  .array(fc.constantFrom('{{a}}', '{{b}}', '{{c}}', 'x', '🙂', '{{', '}}'))
  .map((parts) => parts.join(''))
const value = fc.array(fc.constantFrom('y', '🙂', '{{a}}')).map((parts) => parts.join(''))

test('a text is filled as if every place were replaced, and then cut to the same number of characters', () => {
  fc.assert(
    fc.property(text, value, value, fc.nat(40), (input, a, b, max) => {
      const values: Record<string, string> = { a, b }
      const replaced = input.replace(PLACE, (place, name: string) => values[name] ?? place)
      const expected = Array.from(replaced).slice(0, max).join('')
      expect(fillPlaces(input, PLACE, (name) => values[name], max)).toBe(expected)
    }),
  )
})

test('a repeated place is looked up once, and no more text is built than is kept', () => {
  let lookUps = 0
  const long = 'x'.repeat(1_000_000)
  const lookUp = () => {
    lookUps++
    return long
  }
  const filled = fillPlaces('{{a}}'.repeat(10_000), PLACE, lookUp, 100)
  expect([filled.length, lookUps]).toEqual([100, 1])
})
