import { expect, test } from 'vitest'
import { digestOf } from './enquiry-digest.ts'

const enquiry = {
  name: 'Asha',
  email: null,
  note: 'Two lines\nof text',
  source: null,
  form: 'Contact',
  utm: { utm_source: 'mail' },
  extra: { rooms: 2, furnished: true, city: 'Pune', floors: [1, 2] },
}

test.each([
  [
    'fields in another order',
    { ...enquiry, extra: { floors: [1, 2], city: 'Pune', furnished: true, rooms: 2 } },
  ],
  [
    'form data, which has only text',
    { ...enquiry, extra: { rooms: '2', furnished: 'true', city: 'Pune', floors: ['1', '2'] } },
  ],
  ['the line ends of form data', { ...enquiry, note: 'Two lines\r\nof text' }],
  ['blanks around it', { ...enquiry, name: ' Asha ' }],
])('an enquiry is the same with %s', (_title, other) => {
  expect(digestOf(other)).toEqual(digestOf(enquiry))
})

test.each([
  ['name', { name: 'Ravi' }],
  ['email', { email: 'asha@example.com' }],
  ['note', { note: 'Another question' }],
  ['source', { source: 'website' }],
  ['form', { form: 'Visit' }],
  ['campaign', { utm: {} }],
  ['answer', { extra: { ...enquiry.extra, rooms: 3 } }],
])('an enquiry is another one with another %s', (_title, change) => {
  expect(digestOf({ ...enquiry, ...change })).not.toEqual(digestOf(enquiry))
})
