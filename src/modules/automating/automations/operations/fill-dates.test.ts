import { expect, test } from 'vitest'
import { fillToday } from './fill-dates.ts'

const at = (now: string, timezone: string) => ({ now: new Date(now), workspace: { timezone } })
const condition = (value: string | string[]) => ({
  field: 'contact.attributes.birthday',
  op: 'eq' as const,
  value,
})

test.each([
  ['{{now.date}}', 'Asia/Kolkata', '2026-03-11'],
  ['{{now.date}}', 'America/New_York', '2026-03-10'],
  ['{{now.monthDay}}', 'Asia/Kolkata', '03-11'],
  ['on {{now.date}}, {{now.date}}', 'UTC', 'on 2026-03-10, 2026-03-10'],
  ['{{lead.name}}', 'UTC', '{{lead.name}}'],
])('%s in %s is %s', (text, timezone, filled) => {
  const conditions = { match: 'any' as const, conditions: [condition(text), condition([text])] }
  expect(fillToday(at('2026-03-10T20:00:00Z', timezone), conditions)).toEqual({
    match: 'any',
    // A list of values has no dates.
    conditions: [condition(filled), condition([text])],
  })
})
