/** Keeps rows in place while the pointer is over them or the list is scrolled. */
import { useMemo, useRef } from 'react'
import type { ListedConversation } from '../../sdk/api.ts'

type HeldRows = { key: string; rows: readonly ListedConversation[] }
type SteadyRows = {
  rows: readonly ListedConversation[]
  /** The number of new chats above the first visible row. */
  newer: number
  /** The rows that are no longer in the list. */
  goneIds: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Returns `fresh` in the order of `heldRows`: new rows at the top wait, removed rows stay, and following rows
 * are added.
 */
export function steadyRows(
  heldRows: readonly ListedConversation[],
  fresh: readonly ListedConversation[],
): SteadyRows {
  const byId = new Map(fresh.map((row, index) => [row.id, { row, at: index }]))
  const shown = new Set(heldRows.map(({ id }) => id))
  const positions = heldRows.flatMap(({ id }) => byId.get(id)?.at ?? [])
  // Longer than the visible rows: a page was read since.
  const following = fresh.slice(Math.max(-1, ...positions) + 1)
  // The last rows may have moved to a page that is not read yet: they return with it.
  const lastKnown = heldRows.findLastIndex(({ id }) => byId.has(id))
  const keptRows = heldRows.slice(0, lastKnown + 1)
  return {
    rows: [
      ...keptRows.map((row) => byId.get(row.id)?.row ?? row),
      ...following.filter(({ id }) => !shown.has(id)),
    ],
    newer: Math.max(0, positions[0] ?? 0),
    goneIds: new Set(keptRows.flatMap(({ id }) => (byId.has(id) ? [] : [id]))),
  }
}

/** `key` names a list; another list is shown in its own order. */
export function useSteadyRows(
  key: string,
  fresh: readonly ListedConversation[],
  isHeld: boolean,
): SteadyRows {
  const last = useRef<HeldRows>(undefined)
  return useMemo(() => {
    const previous = last.current
    const steady =
      isHeld && previous?.key === key
        ? steadyRows(previous.rows, fresh)
        : { rows: fresh, newer: 0, goneIds: NONE }
    last.current = { key, rows: steady.rows }
    return steady
  }, [key, fresh, isHeld])
}
