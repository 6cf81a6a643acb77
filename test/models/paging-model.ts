/**
 * The model of lists that are read page by page while they change (spec 2.1). It records from when until when
 * each row existed.
 */
import { expect } from 'vitest'

/** `moved`: when the row last moved to the top of a list ordered by activity. Moments count commands. */
export type Row = { id: string; since: number; moved: number; until: number }

export const LISTS = [
  'contacts',
  'messages',
  'conversations',
  'quickReplies',
  'tags',
  'entries',
  'events',
] as const
export type List = (typeof LISTS)[number]

export type Walk = {
  list: List
  limit: number
  since: number
  seenIds: string[]
  cursor: string | null
}

/** A customer and the customer's rows in the lists. */
export type Person = { phone: string; contactId: string; conversationId: string | null; messageIds: string[] }

export type PagingModel = {
  /** The current moment; each command advances it. */
  moment: number
  rows: Record<List, Map<string, Row>>
  people: Person[]
  createdCount: number
  walks: Walk[]
  /** The lead whose timeline is read; it is never erased. */
  leadPhone: string
  /**
   * The log's events before the reader started to follow it, the events read since, and the position to
   * continue from.
   */
  before: string[]
  followed: string[]
  resumeAfter: string | null
}

const NEVER = Number.POSITIVE_INFINITY

export function appear(model: PagingModel, list: List, id: string): void {
  const { moment } = model
  const row = model.rows[list].get(id)
  if (row) row.moved = moment
  else model.rows[list].set(id, { id, since: moment, moved: moment, until: NEVER })
}

export function vanish(model: PagingModel, list: List, id: string): void {
  const row = model.rows[list].get(id)
  if (row) row.until = model.moment
}

/** Erases a person with chat and messages. */
export function vanishPerson(model: PagingModel, person: Person): void {
  model.people = model.people.filter((other) => other !== person)
  vanish(model, 'contacts', person.contactId)
  if (person.conversationId) vanish(model, 'conversations', person.conversationId)
  for (const id of person.messageIds) vanish(model, 'messages', id)
}

/** Records a page, and checks that it shows no deleted row. */
export function takePage(model: PagingModel, walk: Walk, ids: string[], nextCursor: string | null): void {
  for (const id of ids) {
    const row = model.rows[walk.list].get(id)
    if (row) expect(row.until, `${walk.list} ${id} is gone`).toBeGreaterThanOrEqual(model.moment)
  }
  expect(ids.length).toBeLessThanOrEqual(walk.limit)
  if (nextCursor !== null) expect(ids.length).toBe(walk.limit)
  walk.seenIds.push(...ids)
  walk.cursor = nextCursor
}

/** Checks a finished walk: no row was seen twice, and every row that stayed in its place was seen. */
export function endWalk(model: PagingModel, walk: Walk): void {
  model.walks = model.walks.filter((other) => other !== walk)
  expect(walk.seenIds, `${walk.list}: nothing twice`).toEqual([...new Set(walk.seenIds)])
  const rows = [...model.rows[walk.list].values()]
  const staid = rows.filter((row) => row.moved < walk.since && row.until >= model.moment)
  const seenIds = new Set(walk.seenIds)
  expect(
    staid.filter((row) => !seenIds.has(row.id)),
    `${walk.list}: nothing missed`,
  ).toEqual([])
  if (walk.list !== 'conversations') expect(walk.seenIds).toEqual(walk.seenIds.toSorted().toReversed())
}
