import { expect, test } from 'vitest'
import { actionsOf, formOf, type MacroActions } from './macro-shape.ts'

const MEMBER = '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10'
const KINDS: MacroActions[] = [
  {},
  { addTags: ['refund', 'vip'], removeTags: ['new'], quickReplyId: MEMBER, assignee: 'me', priority: 'low' },
  { teamId: MEMBER },
  { teamId: null, assignee: null, resolve: true, note: 'Done.' },
  { assignee: MEMBER, snooze: { minutes: 45, untilReply: true } },
  { snooze: { untilReply: true } },
]

test.each(KINDS)('%o stays the same in the form', (actions) => {
  expect(actionsOf(formOf(actions))).toEqual(actions)
})

test('tags are trimmed, and each counts once', () => {
  expect(actionsOf({ ...formOf({}), addTags: ' vip ,, refund, vip' })).toEqual({ addTags: ['vip', 'refund'] })
})
