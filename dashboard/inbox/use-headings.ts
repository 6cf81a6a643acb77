/** Divides the rows of a search into open and resolved chats. */
import { useMemo, useRef } from 'react'
import type { ListedConversation } from '../../sdk/api.ts'

export type Group = 'open' | 'resolved'

const groupOf = ({ state }: ListedConversation): Group => (state === 'resolved' ? 'resolved' : 'open')

/**
 * Returns the first row of each group, by id; none if the list is not a search. While the rows are held, each row
 * stays in its group, because it stays in its place.
 */
export function useHeadings(
  rows: readonly ListedConversation[],
  isSearch: boolean,
  isHeld: boolean,
): ReadonlyMap<string, Group> {
  const groups = useRef(new Map<string, Group>())
  return useMemo(() => {
    const before = isHeld ? groups.current : new Map<string, Group>()
    groups.current = new Map(rows.map((row) => [row.id, before.get(row.id) ?? groupOf(row)]))
    const headings = new Map<string, Group>()
    if (!isSearch) return headings
    const seen = new Set<Group>()
    for (const { id } of rows) {
      const group = groups.current.get(id)!
      if (!seen.has(group)) headings.set(id, group)
      seen.add(group)
    }
    return headings
  }, [rows, isSearch, isHeld])
}
