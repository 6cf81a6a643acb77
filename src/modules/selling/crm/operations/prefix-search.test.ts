import { expect, test } from 'vitest'
import type { Condition } from '../lead-condition.ts'
import { prefixSearchOf } from './prefix-search.ts'

const prefix = (digits: string): Condition => ({ is: 'prefix', digits })
const words: Condition = { is: 'like', of: 'words', pattern: '%98%' }

test.each<[string, Condition, string[], Condition[]]>([
  ['one prefix', prefix('98'), ['98'], []],
  ['several prefixes', { any: [prefix('98'), prefix('9198')] }, ['98', '9198'], []],
  ['a prefix inside another', { any: [prefix('91'), prefix('9198')] }, ['91'], []],
  ['a prefix twice', { any: [prefix('98'), prefix('98')] }, ['98'], []],
  ['a prefix beside words', { all: [{ any: [prefix('98'), words] }] }, ['98'], [words]],
])('%s', (_title, condition, separate, others) => {
  expect(prefixSearchOf(condition)).toMatchObject({ separate, others })
})

test.each<[string, Condition]>([
  ['without a prefix', { any: [words] }],
  ['with another part', { all: [prefix('98'), words] }],
  ['without parts', { all: [] }],
])('a condition %s is no search for a number', (_title, condition) => {
  expect(prefixSearchOf(condition)).toBeUndefined()
})
