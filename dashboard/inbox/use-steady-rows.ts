/** Rows that stay where they are while somebody points at them or has scrolled away from the first. */
import { useMemo, useRef } from 'react'
import type { ListedConversation } from '../../sdk/api.ts'

type Held = { key: string; rows: readonly ListedConversation[] }
type Steady = {
  rows: readonly ListedConversation[]
  /** How many chats would stand above the first that is shown. */
  newer: number
  /** Of the rows those that are no longer in the list. */
  gone: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/** `fresh` in the order in which `held` shows it: what is new above waits, what is gone stays, what follows is added. */
export function steadyRows(
  held: readonly ListedConversation[],
  fresh: readonly ListedConversation[],
): Steady {
  const byId = new Map(fresh.map((row, at) => [row.id, { row, at }]))
  const shown = new Set(held.map(({ id }) => id))
  const known = held.flatMap(({ id }) => byId.get(id)?.at ?? [])
  // Longer than all that is shown: a page that was read since.
  const following = fresh.slice(Math.max(-1, ...known) + 1)
  // The last rows may have been pushed onto a page that is not read yet: they come again with it.
  const lastKnown = held.findLastIndex(({ id }) => byId.has(id))
  const kept = held.slice(0, lastKnown + 1)
  return {
    rows: [
      ...kept.map((row) => byId.get(row.id)?.row ?? row),
      ...following.filter(({ id }) => !shown.has(id)),
    ],
    newer: Math.max(0, known[0] ?? 0),
    gone: new Set(kept.flatMap(({ id }) => (byId.has(id) ? [] : [id]))),
  }
}

/** Of one list, named by `key`: another list is shown as it is. */
export function useSteadyRows(key: string, fresh: readonly ListedConversation[], isHeld: boolean): Steady {
  const last = useRef<Held>(undefined)
  return useMemo(() => {
    const held = last.current
    const steady =
      isHeld && held?.key === key ? steadyRows(held.rows, fresh) : { rows: fresh, newer: 0, gone: NONE }
    last.current = { key, rows: steady.rows }
    return steady
  }, [key, fresh, isHeld])
}
