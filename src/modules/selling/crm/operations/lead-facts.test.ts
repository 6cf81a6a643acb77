import { expect, test } from 'vitest'
import type { Condition } from '../lead-condition.ts'
import { asksOnly, matches, peopleOf } from './lead-facts.ts'

const facts = { stage: 's1', owner: 'o1', rating: 3, lostReason: null, source: 'web%site' }

test.each<[Condition, boolean]>([
  [{ all: [] }, true],
  [{ any: [] }, false],
  [{ is: 'in', of: 'stage', values: ['s1', 's2'] }, true],
  [{ is: 'in', of: 'stage', values: ['s2'] }, false],
  [{ not: { is: 'in', of: 'owner', values: ['o1'] } }, false],
  [{ is: 'null', of: 'lostReason' }, true],
  [{ is: 'null', of: 'owner' }, false],
  [{ is: 'eq', of: 'rating', value: 3 }, true],
  [{ is: 'gt', of: 'rating', value: 3 }, false],
  [{ is: 'gte', of: 'rating', value: 3 }, true],
  [{ is: 'lt', of: 'rating', value: 3 }, false],
  [{ is: 'lte', of: 'rating', value: 3 }, true],
  [{ is: 'like', of: 'source', pattern: 'web%' }, true],
  [{ is: 'like', of: 'source', pattern: 'site%' }, false],
  [{ is: 'like', of: 'source', pattern: '%site%' }, true],
  [{ is: 'like', of: 'source', pattern: '%b\\%s%' }, true],
  [{ is: 'like', of: 'source', pattern: 'web_%' }, false],
])('%j matches: %s', (condition, isMatch) => {
  expect(matches(condition, facts)).toBe(isMatch)
  expect(matches({ any: [{ any: [] }, condition] }, facts)).toBe(isMatch)
  expect(matches({ all: [{ all: [] }, condition] }, facts)).toBe(isMatch)
})

test('a pattern matches no missing text', () => {
  expect(matches({ is: 'like', of: 'source', pattern: '%' }, { stage: 's1', source: null })).toBe(false)
})

test.each<[Condition, boolean]>([
  [{ is: 'in', of: 'stage', values: [] }, true],
  [{ not: { any: [{ is: 'in', of: 'stage', values: [] }] } }, true],
  [
    {
      all: [
        { is: 'in', of: 'stage', values: [] },
        { is: 'eq', of: 'rating', value: 1 },
      ],
    },
    false,
  ],
  [{ is: 'null', of: { attribute: 'stage' } }, false],
  [{ is: 'untagged' }, false],
])('%j uses only stages: %s', (condition, isOnly) => {
  expect(asksOnly(condition, new Set(['stage']))).toBe(isOnly)
})

test.each([
  ['s1|o1|3|r1', { stage: 's1', owner: 'o1', rating: 3, lostReason: 'r1' }],
  ['s1||0|', { stage: 's1', owner: null, rating: 0, lostReason: null }],
])('the facts of the counter %s', (value, expected) => {
  expect(peopleOf(value)).toEqual(expected)
})
