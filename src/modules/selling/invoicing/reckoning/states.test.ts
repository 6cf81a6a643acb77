import { expect, test } from 'vitest'
import { stateCode, stateTaxName } from './states.ts'

test('UTGST applies in union territories without a legislature', () => {
  const territories = ['04', '26', '31', '35', '38', '97']
  expect(territories.map(stateTaxName)).toEqual(territories.map(() => 'UTGST'))
  expect(['07', '27', '34'].map(stateTaxName)).toEqual(['SGST', 'SGST', 'SGST'])
  expect(stateCode('Jammu & Kashmir')).toBe('01')
})
