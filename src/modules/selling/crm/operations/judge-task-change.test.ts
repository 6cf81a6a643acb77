import { expect, test } from 'vitest'
import {
  FORMER_MEMBER_ID,
  LEAD_WORDS,
  MEERA,
  NOW,
  RAVI,
  taskRow,
} from '../../../../../test/support/lead-rows.ts'
import type { TaskRow } from '../queries/tasks.ts'
import type { TaskPatch } from '../task-schema.ts'
import { changedFields, judgeTaskChange, timelineKind } from './judge-task-change.ts'

const LATER = new Date('2026-03-11T10:00:00Z')
const judge = (before: Partial<TaskRow>, patch: TaskPatch) =>
  judgeTaskChange(taskRow(before), patch, LEAD_WORDS, LATER)
const done = { status: 'done', completedAt: NOW, outcome: 'Agreed' } as const

test.each<[string, Partial<TaskRow>, TaskPatch, Partial<TaskRow>]>([
  [
    'done with an outcome',
    {},
    { status: 'done', outcome: 'Sold' },
    { status: 'done', completedAt: LATER, outcome: 'Sold' },
  ],
  ['done without an outcome', {}, { status: 'done' }, { status: 'done', completedAt: LATER, outcome: null }],
  ['canceled', {}, { status: 'cancelled' }, { status: 'cancelled', completedAt: null }],
  ['pending again', done, { status: 'pending' }, { status: 'pending', completedAt: null, outcome: null }],
  ['done as before with another outcome', done, { outcome: 'Sold' }, { completedAt: NOW, outcome: 'Sold' }],
  ['done as before without its outcome', done, { outcome: null }, { completedAt: NOW, outcome: null }],
  ['due later', {}, { dueAt: LATER }, { dueAt: LATER }],
  [
    'another title, type, and priority',
    {},
    { title: 'Visit', type: 'visit', priority: 'high' },
    { title: 'Visit', type: 'visit', priority: 'high' },
  ],
  [
    'with another assignee',
    { assigneeId: RAVI.id },
    { assignee: 'meera@example.com' },
    { assigneeId: MEERA.id },
  ],
  ['without an assignee', { assigneeId: RAVI.id }, { assignee: null }, { assigneeId: null }],
])('a patch makes a task %s', (_title, before, patch, after) => {
  expect(judge(before, patch)).toEqual(taskRow({ ...before, ...after, updatedAt: LATER }))
})

test.each<[string, Partial<TaskRow>, TaskPatch]>([
  ['the same title', {}, { title: 'Call about delivery' }],
  ['the same assignee', { assigneeId: RAVI.id }, { assignee: 'Ravi' }],
  ['no assignee in place of a former member', { assigneeId: FORMER_MEMBER_ID }, { assignee: null }],
  ['done again', done, { status: 'done' }],
])('a patch with %s changes nothing', (_title, before, patch) => {
  expect(judge(before, patch)).toEqual(taskRow(before))
})

test.each<[string, Partial<TaskRow>, TaskPatch, object]>([
  [
    'a done task is canceled',
    done,
    { status: 'cancelled' },
    { code: 'conflict', message: /is done\. Reopen/ },
  ],
  [
    'a canceled task is done',
    { status: 'cancelled' },
    { status: 'done' },
    { code: 'conflict', message: /is cancelled\. Reopen/ },
  ],
  ['an outcome of a pending task', {}, { outcome: 'Sold' }, { code: 'invalid', message: /outcome/ }],
  ['an unknown assignee', {}, { assignee: 'nobody@example.com' }, { code: 'invalid', message: /assignee/ }],
])('an error: %s', (_title, before, patch, { code, message }: { code?: string; message?: RegExp }) => {
  expect(judge(before, patch)).toMatchObject({ code, message: expect.stringMatching(message!) })
})

test('the changed fields are listed', () => {
  expect(changedFields(taskRow(), taskRow({ status: 'done', outcome: 'x', updatedAt: LATER }))).toEqual([
    'status',
    'outcome',
  ])
})

test.each<[TaskRow['status'], TaskRow['status'], string]>([
  ['pending', 'pending', 'task_changed'],
  ['pending', 'done', 'task_completed'],
  ['pending', 'cancelled', 'task_cancelled'],
  ['done', 'pending', 'task_reopened'],
  ['cancelled', 'pending', 'task_reopened'],
])('a task from %s to %s is %s in the timeline', (from, to, kind) => {
  expect(timelineKind(taskRow({ status: from }), taskRow({ status: to }))).toBe(kind)
})
