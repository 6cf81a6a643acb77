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
    fc.property(text, value, value, fc.nat(40), (given, a, b, max) => {
      const values: Record<string, string> = { a, b }
      const whole = given.replace(PLACE, (place, name: string) => values[name] ?? place)
      const expected = Array.from(whole).slice(0, max).join('')
      expect(fillPlaces(given, PLACE, (name) => values[name], max)).toBe(expected)
    }),
  )
})

test('a repeated place is looked up once, and no more text is built than is kept', () => {
  let looks = 0
  const long = 'x'.repeat(1_000_000)
  const look = () => {
    looks++
    return long
  }
  const filled = fillPlaces('{{a}}'.repeat(10_000), PLACE, look, 100)
  expect([filled.length, looks]).toEqual([100, 1])
})
