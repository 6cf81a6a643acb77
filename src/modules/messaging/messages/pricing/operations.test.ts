import { expect, test } from 'vitest'
import { isCharged } from './operations.ts'

test.each([
  ['MARKETING', false, true],
  ['MARKETING', true, true],
  ['AUTHENTICATION', true, true],
  ['UTILITY', false, true],
  ['utility', true, false],
] as const)('a %s template with an open window of %s is charged: %s', (category, isWindowOpen, charged) => {
  expect(isCharged(category, isWindowOpen)).toBe(charged)
})
