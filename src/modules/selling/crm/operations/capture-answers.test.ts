import { describe, expect, test } from 'vitest'
import { answersOf, type Fields, segmentsOf } from './capture-answers.ts'

const read = (values: Fields) => answersOf(values).map(({ path, label, text }) => [path, label, text])

test.each<[string, Fields, string[][]]>([
  [
    'flat fields',
    { city: ' Pune ', floor: 2, lift: false },
    [
      ['city', 'city', 'Pune'],
      ['floor', 'floor', '2'],
      ['lift', 'lift', 'false'],
    ],
  ],
  ['nested objects', { a: { b: { c: 'x' } } }, [['a.b.c', 'c', 'x']]],
  [
    'a list of texts',
    { 'rooms[]': ['2', '3'] },
    [
      ['rooms[]', 'rooms', '2'],
      ['rooms[]', 'rooms', '3'],
    ],
  ],
  [
    'names in brackets',
    { 'f[city]': 'Pune', 'f[x][y]': 'z' },
    [
      ['f.city', 'city', 'Pune'],
      ['f.x.y', 'y', 'z'],
    ],
  ],
  ['JSON inside a field', { raw: '{"city":"Pune"}' }, [['raw.city', 'city', 'Pune']]],
  [
    'lines inside a field',
    { raw: 'first = Asha\nlast = Rao' },
    [
      ['raw.first', 'first', 'Asha'],
      ['raw.last', 'last', 'Rao'],
    ],
  ],
  ['names with values', { data: [{ name: 'City', value: 'Pune' }] }, [['data.City', 'City', 'Pune']]],
  [
    'several values',
    { data: [{ name: 'City', values: ['Pune', 'Goa'] }] },
    [
      ['data.City', 'City', 'Pune'],
      ['data.City', 'City', 'Goa'],
    ],
  ],
  ['a value with metadata', { city: { value: 'Pune', timestamp: 1 } }, [['city', 'city', 'Pune']]],
  [
    'the text of a chosen option',
    { fields: [{ key: 'q1', label: 'City', value: ['a'], options: [{ id: 'a', text: 'Pune' }] }] },
    [['fields.q1', 'City', 'Pune']],
  ],
  [
    'a number in parts',
    { tel: { area: '981', phone: '2345678', country: '91' } },
    [['tel', 'tel', '+91 981 2345678']],
  ],
  ['empty values', { a: null, b: '', c: ' ', d: [], e: {} }, []],
])('%s', (_title, values, answers) => {
  expect(read(values)).toEqual(answers)
})

test('the title of a question that the form describes is the label of its answer', () => {
  const values = {
    definition: { title: 'Visit', fields: [{ id: 'q1', title: 'Which city?' }] },
    answers: [{ type: 'text', text: 'Pune', field: { id: 'q1' } }],
  }
  expect(read(values)).toEqual([
    ['definition', 'Form', 'Visit'],
    ['answers.q1', 'Which city?', 'Pune'],
  ])
})

test('a numbered name field has a first and a last name; an address has not', () => {
  const namesOf = (values: Fields) => answersOf(values).map(({ names }) => names[0])
  expect(namesOf({ '1.3': 'Asha', '1.6': 'Rao' })).toEqual(['first name', 'last name'])
  expect(namesOf({ '2.1': 'Main Road', '2.3': 'Pune' })).toEqual(['2.1', '2.3'])
})

describe('limits', () => {
  test('at most 400 answers', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}`, 'x']))
    expect(answersOf(many)).toHaveLength(400)
  })

  test('at most ten levels', () => {
    const nested = (levels: number): Fields => (levels === 0 ? { x: 'y' } : { a: nested(levels - 1) })
    expect(answersOf(nested(10))).toHaveLength(1)
    expect(answersOf(nested(11))).toEqual([])
  })

  test('no prototype is changed', () => {
    answersOf(JSON.parse('{"__proto__":{"polluted":"1"},"a":"{\\"__proto__\\":{\\"polluted\\":\\"1\\"}}"}'))
    answersOf({ 'a[__proto__][polluted]': '1', '__proto__[polluted]': '1' })
    expect(({} as Fields).polluted).toBeUndefined()
  })
})

test.each([
  ['fields[name][value]', ['fields', 'name', 'value']],
  ['interest[]', ['interest[]']],
  ['a[b][]', ['a', 'b']],
  ['a[]b', ['a[]b']],
  ['a[][b]', ['a[][b]']],
  ['[a]', ['[a]']],
  ['a[__proto__]', ['a[__proto__]']],
])('the parts of %s', (name, parts) => {
  expect(segmentsOf(name)).toEqual(parts)
})
