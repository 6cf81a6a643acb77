import { expect, test } from 'vitest'
import type { Faults } from '../../../../operator/template-components/filled-text.ts'
import type { TextPart } from '../../../../operator/template-components/parts.ts'
import { type CallerValues, textParameters, valuesFor } from './template-values.ts'

const part = (...variables: string[]) => ({ text: '', variables }) as unknown as TextPart
const fill = (variables: string[], values: CallerValues) => {
  const faults = { issues: [] } as unknown as Faults
  return [valuesFor(part(...variables), values, 'variables', faults), faults.issues.map(({ path }) => path)]
}

test.each<[string[], CallerValues, string[], string[]]>([
  [['1', '2'], ['a', 2], ['a', '2'], []],
  [['1', '2'], { '2': 'b', '1': 'a' }, ['a', 'b'], []],
  [['name', 'day'], ['Asha', 'May'], ['Asha', 'May'], []],
  [['name'], { name: 'Asha' }, ['Asha'], []],
  [['1', '2'], ['a'], ['a', ''], ['variables[1]']],
  [['1'], [null], [''], ['variables[0]']],
  [['1'], [' '], [' '], ['variables[0]']],
  [['1'], ['a', 'b'], ['a'], ['variables[1]']],
  [[], ['a'], [], ['variables[0]']],
  [['name'], { nme: 'Asha' }, [''], ['variables.nme', 'variables.name']],
  [['constructor'], {}, [''], ['variables.constructor']],
])('for the placeholders %j, the values %j are %j, with faults at %j', (variables, values, texts, paths) => {
  expect(fill(variables, values)).toEqual([texts, paths])
})

test('named placeholders keep their names as parameters', () => {
  expect(textParameters(part('1'), ['a'])).toEqual([{ type: 'text', text: 'a' }])
  expect(textParameters(part('name'), ['a'])).toEqual([{ type: 'text', parameter_name: 'name', text: 'a' }])
})
