import { expect, test } from 'vitest'
import { recordsOf } from './capture-records.ts'

const asha = { name: 'Asha', phone: '9812345678' }
const ravi = { name: 'Ravi', phone: '9812345679' }
const answers = [
  { name: 'fullName', value: 'Asha' },
  { name: 'mobile', value: '9812345678' },
]

test.each<[string, unknown, object[]]>([
  ['one enquiry', asha, [asha]],
  ['a list with one enquiry', [asha], [asha]],
  ['a list of enquiries', [asha, ravi], [asha, ravi]],
  ['a list in a field', { CODE: 200, RESPONSE: [asha, ravi] }, [asha, ravi]],
  ['a list in a field of a field', { data: { leads: [asha, ravi] } }, [asha, ravi]],
  [
    'a list in which one item has no number',
    [asha, ravi, { name: 'Meera' }],
    [asha, ravi, { name: 'Meera' }],
  ],
  [
    'a list in which only one item has a number',
    [asha, { name: 'Meera' }],
    [{ fields: [asha, { name: 'Meera' }] }],
  ],
  ['a list of answers', answers, [{ fields: answers }]],
  [
    'a list of answers that are numbers',
    [
      { label: 'Phone', value: '9812345678' },
      { label: 'Mobile', value: '9812345679' },
    ],
    [
      {
        fields: [
          { label: 'Phone', value: '9812345678' },
          { label: 'Mobile', value: '9812345679' },
        ],
      },
    ],
  ],
  ['a text', 'hello', [{ value: 'hello' }]],
  ['nothing', null, [{}]],
  ['an empty list', [], [{}]],
])('%s', (_title, content, records) => {
  expect(recordsOf(content, '91')).toEqual(records)
})
