import { expect, test } from 'vitest'
import { isOlderVersion } from './own-version.ts'

test.each([
  ['1.2.0', '1.2.0', false],
  ['1.2.0', '1.10.0', true],
  ['1.10.0', '1.2.0', false],
  ['0.9.9', '1.0.0', true],
  ['2.0.0', '1.9.9', false],
  ['1.2.3-rc.1', '1.2.4', true],
  ['1.2.3-rc.1', '1.2.3', false],
])('%s is older than %s: %s', (a, b, isOlder) => {
  expect(isOlderVersion(a, b)).toBe(isOlder)
})
