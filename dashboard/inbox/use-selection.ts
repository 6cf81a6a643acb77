/** Tracks the chats selected for a bulk change. */
import { useCallback, useRef, useState } from 'react'

const NOTHING: ReadonlySet<string> = new Set()

/**
 * `toggle` with `isRange` selects every row between the last toggled row and this one, in the order of `ids`.
 */
export function useSelection(ids: readonly string[]) {
  const [selected, setSelected] = useState(NOTHING)
  const order = useRef(ids)
  order.current = ids
  const anchor = useRef<string>(undefined)
  const toggle = useCallback((id: string, isRange = false) => {
    const [from, to] = [order.current.indexOf(anchor.current ?? ''), order.current.indexOf(id)]
    anchor.current = id
    setSelected((before) => {
      const next = new Set(before)
      if (isRange && from >= 0 && to >= 0)
        for (const rowId of order.current.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(rowId)
      else if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])
  const clear = useCallback(() => setSelected(NOTHING), [])
  return { selected, toggle, clear }
}
