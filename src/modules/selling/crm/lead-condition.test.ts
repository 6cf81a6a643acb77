import { expect, test } from 'vitest'
import { asParameters, type Condition, isLowered, likePatterns, lowered, partsOf } from './lead-condition.ts'

const treeAndValues = (condition: Condition) => {
  const { tree, values } = asParameters(condition)
  return [JSON.parse(tree), JSON.parse(values)]
}

test.each<[Condition, unknown, string[]]>([
  [{ all: [] }, ['all'], []],
  [
    { any: [{ is: 'untagged' }, { not: { is: 'noted' } }] },
    ['any', ['none', 'tags'], ['not', ['noted']]],
    [],
  ],
  [{ is: 'in', of: 'stage', values: ['a'] }, ['eq', 'stage', 0], ['a']],
  [{ is: 'in', of: 'name', values: ['a', 'b"\\'] }, ['in', 'name', 0], ['{"a","b\\"\\\\"}']],
  [{ is: 'gte', of: 'rating', value: 3 }, ['gte', 'rating', 0], ['3']],
  [
    { is: 'lt', of: 'createdAt', value: new Date('2026-01-01T00:00:00Z') },
    ['lt', 'createdAt', 0],
    ['2026-01-01T00:00:00.000Z'],
  ],
  [{ is: 'gt', of: { attribute: 'size' }, value: 3 }, ['gt', 'attribute', 0, 1, 'number'], ['3', 'size']],
  [{ is: 'gt', of: { attribute: 'size' }, value: '3' }, ['gt', 'attribute', 0, 1, 'text'], ['3', 'size']],
  [{ is: 'like', of: 'words', pattern: '%a%' }, ['like', 'words', 0], ['%a%']],
  [{ is: 'null', of: 'email' }, ['null', 'email', 0], ['']],
  [{ is: 'holds', attributes: { size: 5 } }, ['holds', 'attributes', 0], ['{"size":5}']],
  [{ is: 'tagged', how: 'anyOf', tags: ['vip'] }, ['anyOf', 'tags', 0], ['{"vip"}']],
  [{ is: 'noteLike', pattern: '%a%' }, ['noteLike', 'note', 0], ['%a%']],
  [
    { is: 'prefix', digits: '98' },
    ['all', ['gte', 'phone', 0], ['lte', 'phone', 1]],
    ['98', '9899999999999999'],
  ],
])('%j as parameters', (condition, tree, values) => {
  expect(treeAndValues(condition)).toEqual([tree, values])
})

test.each([new Date(-8.64e15), new Date(8.64e15)])('a moment that no column can have: %s', (value) => {
  const [, values] = treeAndValues({ is: 'gt', of: 'createdAt', value })
  expect(values[0]).toMatch(/^\d{4}-/)
})

test('the parts that must all match', () => {
  const part: Condition = { is: 'untagged' }
  expect(partsOf({ all: [part, { all: [part, { any: [part] }] }] })).toEqual([part, part, { any: [part] }])
})

test.each([
  ['Asha', 'asha', true],
  ['İZMİR', 'İZMİR', false],
  ['ΔΡΟΜΟΣ', 'ΔΡΟΜΟΣ', false],
])('%s in lower case; odd capitals are left to the database', (text, lower, isStored) => {
  expect(lowered(text)).toBe(lower)
  expect(isLowered({ is: 'in', of: 'name', values: [lowered(text)] })).toBe(isStored)
})

test('the wildcards of a text match themselves', () => {
  expect(likePatterns('100%_\\', 'around')).toEqual(['%100\\%\\_\\\\%'])
  expect(likePatterns('Ash', 'beginning')).toEqual(['ash%'])
})
