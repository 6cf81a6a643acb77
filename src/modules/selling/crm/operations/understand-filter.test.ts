import { describe, expect, test } from 'vitest'
import {
  CONTACTED,
  FORMER,
  FORMER_REASON,
  LEAD_WORDS,
  LOST,
  MEERA,
  NEW,
  NOW,
  PRICE,
  RAVI,
  testId,
  WON,
} from '../../../../../test/support/lead-rows.ts'
import type { FilterCondition, Op } from '../filter-schema.ts'
import type { Condition } from '../lead-condition.ts'
import { namesAsIds, phonePrefixes, understandFilter } from './understand-filter.ts'

const ctx = { now: NOW, workspace: { countryCode: '91', timezone: 'Asia/Kolkata' } }
type Value = FilterCondition['value']
const understand = (field: string, op: Op, value?: Value, match: 'all' | 'any' = 'all') =>
  understandFilter(ctx, LEAD_WORDS, { match, conditions: [{ field, op, value }] }, 'filter')

const conditionOf = (field: string, op: Op, value?: Value): Condition => {
  const { condition, issues } = understand(field, op, value)
  expect(issues).toEqual([])
  return (condition as { all: Condition[] }).all[0]!
}
const inStages = (...values: string[]) => ({ is: 'in', of: 'stage', values })
const isLost = inStages(LOST.id)
const at = (text: string) => new Date(text)

test.each<[string, Op, Value | undefined, object]>([
  ['id', 'in', [testId(1).toUpperCase()], { is: 'in', of: 'id', values: [testId(1)] }],
  ['stage', 'eq', 'contacted', inStages(CONTACTED.id, FORMER.id)],
  ['stage', 'eq', FORMER.id, inStages(CONTACTED.id, FORMER.id)],
  ['stage', 'neq', 'Won', { not: inStages(WON.id) }],
  ['stage', 'nin', ['New', 'Won'], { not: inStages(NEW.id, WON.id) }],
  ['stageKind', 'in', ['initial', 'active'], inStages(NEW.id, CONTACTED.id, FORMER.id)],
  ['owner', 'eq', 'MEERA@example.com', { is: 'in', of: 'owner', values: [MEERA.id] }],
  ['owner', 'empty', undefined, { not: { is: 'in', of: 'owner', values: [RAVI.id, MEERA.id] } }],
  ['owner', 'notEmpty', undefined, { not: { not: { is: 'in', of: 'owner', values: [RAVI.id, MEERA.id] } } }],
  ['lostReason', 'eq', 'price', { all: [isLost, { is: 'in', of: 'lostReason', values: [PRICE.id] }] }],
  [
    'lostReason',
    'in',
    [FORMER_REASON.id],
    { all: [isLost, { is: 'in', of: 'lostReason', values: [FORMER_REASON.id] }] },
  ],
  ['lostReason', 'empty', undefined, { not: { all: [isLost, { not: { is: 'null', of: 'lostReason' } }] } }],
  ['source', 'eq', 'Website', { is: 'in', of: 'source', values: ['website'] }],
  ['source', 'contains', 'Web%', { is: 'like', of: 'source', pattern: '%web\\%%' }],
  [
    'name',
    'starts',
    'Ash',
    {
      all: [
        { is: 'like', of: 'words', pattern: '%ash%' },
        { is: 'like', of: 'name', pattern: 'ash%' },
      ],
    },
  ],
  [
    'email',
    'empty',
    undefined,
    {
      any: [
        { is: 'null', of: 'email' },
        { is: 'in', of: 'email', values: [''] },
      ],
    },
  ],
  ['phone', 'eq', '+91 98123 45678', { is: 'in', of: 'phone', values: ['919812345678'] }],
  // The same digits are a number of another country, which may be stored.
  ['phone', 'eq', '98123 45678', { is: 'in', of: 'phone', values: ['919812345678', '9812345678'] }],
  ['phone', 'contains', '45-67', { is: 'like', of: 'phone', pattern: '%4567%' }],
  [
    'phone',
    'starts',
    '098123',
    {
      any: [
        { is: 'prefix', digits: '098123' },
        { is: 'prefix', digits: '9198123' },
      ],
    },
  ],
  ['rating', 'eq', 3, { is: 'eq', of: 'rating', value: 3 }],
  ['rating', 'eq', 2.5, { any: [] }],
  ['rating', 'gt', 2.5, { is: 'gt', of: 'rating', value: 2 }],
  ['rating', 'gte', 2.5, { is: 'gte', of: 'rating', value: 3 }],
  ['rating', 'lt', 2.5, { is: 'lt', of: 'rating', value: 3 }],
  ['rating', 'lte', 2.5, { is: 'lte', of: 'rating', value: 2 }],
  ['captureCount', 'lt', 1e12, { all: [] }],
  ['captureCount', 'gt', 1e12, { any: [] }],
  ['captureCount', 'gt', -1e12, { all: [] }],
  ['dealValue', 'gt', 2.5, { is: 'gt', of: 'dealValue', value: 2.5 }],
  [
    'dealValue',
    'between',
    [1, 2],
    {
      all: [
        { is: 'gte', of: 'dealValue', value: 1 },
        { is: 'lte', of: 'dealValue', value: 2 },
      ],
    },
  ],
  [
    'rating',
    'in',
    [1, 5],
    {
      any: [
        { is: 'eq', of: 'rating', value: 1 },
        { is: 'eq', of: 'rating', value: 5 },
      ],
    },
  ],
  ['tags', 'eq', 'vip', { is: 'tagged', how: 'anyOf', tags: ['vip'] }],
  ['tags', 'nin', ['vip', 'old'], { not: { is: 'tagged', how: 'anyOf', tags: ['vip', 'old'] } }],
  ['tags', 'empty', undefined, { is: 'untagged' }],
])('%s %s %j', (field, op, value, condition) => {
  expect(conditionOf(field, op, value)).toEqual(condition)
})

describe('times', () => {
  const [from, below] = [at('2026-05-31T18:30:00Z'), at('2026-06-01T18:30:00Z')]
  const moment = at('2026-06-01T08:00:00Z')
  const is = (comparison: string, value: Date) => ({ is: comparison, of: 'createdAt', value })
  test.each<[string, Op, Value | undefined, object]>([
    ['a day is a day of the workspace', 'eq', '2026-06-01', { all: [is('gte', from), is('lt', below)] }],
    ['from a day', 'gte', '2026-06-01', is('gte', from)],
    ['after a day', 'gt', '2026-06-01', is('gte', below)],
    ['until a day', 'lte', '2026-06-01', is('lt', below)],
    ['before a day', 'lt', '2026-06-01', is('lt', from)],
    ['after a time', 'gt', '2026-06-01T08:00:00Z', is('gt', moment)],
    ['a time with an offset', 'eq', '2026-06-01T13:30:00+05:30', is('eq', moment)],
    [
      'between two days',
      'between',
      ['2026-06-01', '2026-06-01'],
      { all: [is('gte', from), is('lt', below)] },
    ],
    ['past days', 'within', { last: 2 }, { all: [is('gte', at('2026-03-08T10:00:00Z')), is('lte', NOW)] }],
    ['coming days', 'within', { next: 2 }, { all: [is('gte', NOW), is('lte', at('2026-03-12T10:00:00Z'))] }],
    ['no time', 'empty', undefined, { is: 'null', of: 'createdAt' }],
  ])('%s', (_title, op, value, condition) => {
    expect(conditionOf('createdAt', op, value)).toEqual(condition)
  })
})

describe('custom fields', () => {
  const of = { attribute: 'size' }
  const holds = (...values: unknown[]) => ({
    any: values.map((value) => ({ is: 'holds', attributes: { size: value } })),
  })
  test.each<[string, Op, Value | undefined, object]>([
    ['a text', 'eq', 'L', holds('L')],
    ['a number is also a text', 'eq', 5, holds(5, '5')],
    ['a text that is a number is also a number', 'eq', '5', holds('5', 5)],
    ['a text that only looks like a number is a text', 'eq', '05', holds('05')],
    ['a boolean is also a text', 'eq', true, holds(true, 'true')],
    ['a text that is a boolean is also a boolean', 'in', ['false', 'L'], holds('false', false, 'L')],
    ['numbers are compared as numbers', 'gte', '10', { is: 'gte', of, value: 10 }],
    ['texts are compared in lower case', 'lt', 'Large', { is: 'lt', of, value: 'large' }],
    [
      'a text and a number are compared as texts',
      'between',
      [5, 'L'],
      {
        all: [
          { is: 'gte', of, value: '5' },
          { is: 'lte', of, value: 'l' },
        ],
      },
    ],
    ['a part of a text', 'contains', 'AR', { is: 'like', of, pattern: '%ar%' }],
    [
      'no value',
      'empty',
      undefined,
      {
        any: [
          { is: 'null', of },
          { is: 'holds', attributes: { size: '' } },
        ],
      },
    ],
  ])('%s', (_title, op, value, condition) => {
    expect(conditionOf('attributes.size', op, value)).toEqual(condition)
  })
})

test.each<[string, Op, Value | undefined, string, string]>([
  ['ratng', 'eq', 1, 'field', 'name, phone, email, source, stage'],
  ['attributes.', 'eq', 1, 'field', 'attributes.KEY'],
  ['stage', 'gte', 1, 'op', 'eq, neq, in, nin for stage'],
  ['phone', 'empty', undefined, 'op', 'for phone'],
  ['stage', 'eq', 'Contactd', 'value', 'Did you mean "Contacted"'],
  ['stage', 'eq', 1, 'value', 'text'],
  ['stageKind', 'eq', 'open', 'value', 'initial, active, won, lost'],
  ['owner', 'eq', 'Ravvi', 'value', 'Did you mean "Ravi"'],
  ['lostReason', 'eq', 'Prise', 'value', 'Did you mean "Price"'],
  ['id', 'eq', '7', 'value', 'id'],
  ['rating', 'gte', 'three', 'value', 'number'],
  ['rating', 'in', 3, 'value', 'list'],
  ['rating', 'between', [3], 'value', 'list of two'],
  ['phone', 'eq', 'nobody', 'value', 'phone number'],
  ['phone', 'starts', 'abc', 'value', 'digits'],
  ['createdAt', 'gte', 'soon', 'value', '2026-06-01'],
  ['createdAt', 'within', 7, 'value', '{last: days}'],
  ['name', 'eq', undefined, 'value', 'one text, number, or boolean'],
  ['attributes.size', 'gte', true, 'value', 'number or text'],
])('%s %s %j is invalid, and the error names the part', (field, op, value, part, message) => {
  const { condition, issues } = understand(field, op, value)
  expect(issues).toEqual([
    { path: `filter.conditions[0].${part}`, message: expect.stringContaining(message) },
  ])
  expect(condition).toEqual({ all: [{ any: [] }] })
})

test('match any needs one matching condition; without conditions, every lead matches', () => {
  expect(understand('rating', 'eq', 1, 'any').condition).toEqual({
    any: [{ is: 'eq', of: 'rating', value: 1 }],
  })
  const empty = understandFilter(ctx, LEAD_WORDS, { match: 'any', conditions: [] }, 'filter')
  expect(empty).toEqual({ condition: { all: [] }, issues: [] })
})

test('a phone condition also matches the numbers that stored contacts know', () => {
  const filter = {
    match: 'all' as const,
    conditions: [{ field: 'phone', op: 'eq' as const, value: '+919812345678' }],
  }
  const numbers = new Map([['+919812345678', ['919999999999']]])
  expect(understandFilter(ctx, LEAD_WORDS, filter, '', numbers).condition).toEqual({
    all: [{ is: 'in', of: 'phone', values: ['919812345678', '919999999999'] }],
  })
})

test.each([
  ['98123', ['98123', '9198123']],
  ['098123', ['098123', '9198123']],
  ['9198', ['9198', '919198']],
  ['+9198 12', ['919812']],
  ['91', ['91']],
  ['9', ['9']],
])('a number that begins with %s', (text, prefixes) => {
  expect(phonePrefixes(ctx, text)).toEqual(prefixes)
})

test.each<[string, Value | undefined, unknown]>([
  ['stage', 'contacted', CONTACTED.id],
  ['stage', ['New', FORMER.id], [NEW.id, CONTACTED.id]],
  ['owner', 'Ravi', RAVI.id],
  ['lostReason', 'Price', PRICE.id],
  ['name', 'Price', 'Price'],
  ['owner', undefined, undefined],
])('a saved condition on %s has ids instead of names: %j', (field, value, expected) => {
  expect(namesAsIds(LEAD_WORDS, { field, op: 'eq', value }).value).toEqual(expected)
})
