/** Drags items between the days of a calendar. Every item also has a menu and keys that move it. */
import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import { classes } from './classes.ts'
import type { DayCellProps } from './day-grid.tsx'
import { makeDraggable } from './draggable.ts'

/** Receives an item that is dropped on a day; undefined if none may move. */
export const DropContext = createContext<((item: unknown, day: string) => void) | undefined>(undefined)

/** A day that takes dragged items. */
export function DropDay({ day, className, children }: DayCellProps) {
  const drop = useContext(DropContext)
  const cell = useRef<HTMLTableCellElement>(null)
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (!drop || !cell.current) return
    return dropTargetForElements({
      element: cell.current,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false)
        drop(source.data.item, day)
      },
    })
  }, [drop, day])
  return (
    <td ref={cell} className={classes(className, isOver && 'bg-accent-soft')}>
      {children}
    </td>
  )
}

/** Makes an item draggable while `isOn` is true. */
export function useDraggable(item: unknown, isOn: boolean) {
  const entry = useRef<HTMLDivElement>(null)
  const [isDragged, setDragged] = useState(false)
  useEffect(() => {
    if (!isOn || !entry.current) return
    return makeDraggable({
      element: entry.current,
      getInitialData: () => ({ item }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    })
  }, [item, isOn])
  return { entry, isDragged }
}
