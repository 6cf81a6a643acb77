import { expect, test } from 'vitest'
import { leadRow } from '../../../../../test/support/lead-rows.ts'
import { ATTRIBUTES_BYTES_MAX } from '../../../messaging/contacts/operations/merge-attributes.ts'
import { recapturedLead } from './recaptured-lead.ts'

const LATER = new Date('2026-04-01T00:00:00Z')
const full = { all: 'x'.repeat(ATTRIBUTES_BYTES_MAX - 10) }

test.each([
  ['without answers', { city: 'Pune' }, {}, { city: 'Pune' }],
  [
    'with answers that it lacks',
    { city: 'Pune' },
    { city: 'Nagpur', size: 'L' },
    { city: 'Pune', size: 'L' },
  ],
  ['with more answers than it can have', full, { size: 'L' }, full],
])('a known lead is counted again, %s', (_title, attributes, answers, after) => {
  const before = leadRow({ attributes, captureCount: 3 })
  expect(recapturedLead(before, answers, LATER)).toEqual({
    ...before,
    captureCount: 4,
    lastCapturedAt: LATER,
    attributes: after,
  })
})
