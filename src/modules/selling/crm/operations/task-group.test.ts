import { expect, test } from 'vitest'
import { groupOf } from './task-group.ts'

const borders = { now: new Date('2026-03-10T10:00:00Z'), midnight: new Date('2026-03-10T18:30:00Z') }

test.each([
  ['pending', '2026-03-10T09:59:59.999Z', 'overdue'],
  ['pending', '2026-03-10T10:00:00Z', 'today'],
  ['pending', '2026-03-10T18:29:59.999Z', 'today'],
  ['pending', '2026-03-10T18:30:00Z', 'upcoming'],
  ['done', '2026-03-10T09:00:00Z', 'done'],
  ['cancelled', '2026-03-11T09:00:00Z', 'cancelled'],
] as const)('a %s task that is due at %s is in the group %s', (status, dueAt, group) => {
  expect(groupOf({ status, dueAt: new Date(dueAt) }, borders)).toBe(group)
})
