import { expect, test } from 'vitest'
import type { Message } from '../../../sdk/api.ts'
import { entriesOf, sentTime } from './thread-entries.ts'

const message = (id: string, createdAt: string, sentAt: string | null = null): Message =>
  ({ id, createdAt, sentAt, type: 'text' }) as Message
const ALL = { hasOlder: false, hasNewer: false }
const orderOf = (messages: Message[]) =>
  entriesOf(messages, { notes: [], changes: [] }, [], ALL).map(({ id }) => id)

test('a message that arrived late appears at the time it was written', () => {
  const late = message('c', '2026-06-01T12:00:00.000Z', '2026-06-01T09:00:00.000Z')
  const ownMessage = message('b', '2026-06-01T10:00:00.000Z', '2026-06-01T10:00:01.000Z')
  const first = message('a', '2026-06-01T08:00:00.000Z')
  expect(orderOf([late, ownMessage, first])).toEqual(['a', 'c', 'b'])
  expect(sentTime(late)).toBe('2026-06-01T09:00:00.000Z')
  expect(sentTime(ownMessage)).toBe('2026-06-01T10:00:00.000Z')
})

test('an answer in the same second as its question stays after the question', () => {
  const question = message('a', '2026-06-01T12:00:00.400Z')
  const answer = message('b', '2026-06-01T12:00:00.900Z', '2026-06-01T12:00:00.000Z')
  expect(orderOf([answer, question])).toEqual(['a', 'b'])
})
