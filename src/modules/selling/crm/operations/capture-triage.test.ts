import { expect, test } from 'vitest'
import { enquiryAnswers } from './capture-fields.ts'
import { asideReason, isPing } from './capture-triage.ts'

const reasonOf = (values: Record<string, unknown>) => asideReason(enquiryAnswers(values), values)

test.each<[object, string | undefined]>([
  [{}, 'empty'],
  [{ name: ' ' }, 'empty'],
  [{ redirect: '/thanks' }, 'empty'],
  [{ test: true, phone: '9812345678' }, 'test'],
  [{ test: 'true', phone: '9812345678' }, undefined],
  [{ is_test: 'Yes', phone: '9812345678' }, 'test'],
  [{ testLead: 1, phone: '9812345678' }, 'test'],
  [{ is_test: false, phone: '9812345678' }, undefined],
  [{ phone: '<test lead: dummy data for phone>' }, 'test'],
  [{ mobile: '+91-XXXXXXXXXX' }, 'test'],
  [{ model: 'XXXX' }, undefined],
  [{ phone: '9812345678' }, undefined],
])('the reason to set %j aside: %s', (values, reason) => {
  expect(reasonOf(values as Record<string, unknown>)).toBe(reason)
})

test.each([
  [{ event: 'ping' }, true],
  [{ type: 'webhook.test' }, true],
  [{ event_type: 'verify' }, true],
  [{ event: 'shopping' }, false],
  [{ name: 'ping' }, false],
  [{ event: `test ${'x'.repeat(60)}` }, false],
])('%j is a ping: %s', (values, expected) => {
  expect(isPing(enquiryAnswers(values))).toBe(expected)
})
