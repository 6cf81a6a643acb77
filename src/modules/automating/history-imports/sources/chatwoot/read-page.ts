import type { ChatwootAnswer, ChatwootPage } from '../../../../../chatwoot/port.ts'
import type { LeftOut } from '../../history-source.ts'
import { answered } from './read-answer.ts'

/** The entries of a page. `next`: the page to read next, 0 after the first one. */
type PageRead<Value> = { entries: Value[]; unreadable: number; next: number }

/**
 * Reads one page of a list whose oldest entries come first; `page` null: the last one. Pages are read backward: what is deleted
 * or added meanwhile then repeats entries, and hides none.
 */
export async function readPage<Value>(
  page: number | null,
  read: (page: number) => Promise<ChatwootAnswer<ChatwootPage<Value>>>,
): Promise<PageRead<Value>> {
  let current = page ?? 1
  let list = answered(await read(current))
  // The size of a page is a setting of the installation, so the first page shows it.
  if (page === null && list && list.size > 0 && list.total > list.size) {
    current = Math.ceil(list.total / list.size)
    list = answered(await read(current))
  }
  const entries = list?.entries ?? []
  return { entries, unreadable: (list?.size ?? 0) - entries.length, next: current - 1 }
}

/** Returns what is left out of a page because its entries have no readable id. */
export const unreadableOf = (kind: string, count: number): LeftOut[] =>
  Array.from({ length: count }, () => ({ kind, place: 'unknown', cause: 'unreadable' }))
