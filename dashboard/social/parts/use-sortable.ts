/** Moves a row of a list by dragging its handle onto another row, or by the arrow keys on the handle. */
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { makeDraggable } from '../../kit/draggable.ts'

const STEPS: Record<string, 1 | -1> = { ArrowUp: -1, ArrowDown: 1 }

type Options = {
  /** Rows of other lists are not accepted. */
  list: string
  place: number
  count: number
  onMove: (from: number, to: number) => void
}

export function useSortable({ list, place, count, onMove }: Options) {
  const row = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLButtonElement>(null)
  /** The row moves by key: the browser may take the focus from a moved element. */
  const isKept = useRef(false)
  const move = useRef(onMove)
  const [state, setState] = useState<'dragged' | 'over'>()
  useEffect(() => {
    move.current = onMove
  })
  useEffect(() => {
    if (!row.current || !handle.current) return
    return combine(
      makeDraggable({
        element: row.current,
        dragHandle: handle.current,
        getInitialData: () => ({ list, place }),
        onDragStart: () => setState('dragged'),
        onDrop: () => setState(undefined),
      }),
      dropTargetForElements({
        element: row.current,
        canDrop: ({ source }) => source.data.list === list && source.data.place !== place,
        onDragEnter: () => setState('over'),
        onDragLeave: () => setState(undefined),
        onDrop: ({ source }) => {
          setState(undefined)
          move.current(source.data.place as number, place)
        },
      }),
    )
  }, [list, place])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row has moved
  useEffect(() => {
    if (isKept.current) handle.current?.focus()
    isKept.current = false
  }, [place])
  const onKeyDown = (event: KeyboardEvent) => {
    const by = STEPS[event.key]
    if (by === undefined) return
    event.preventDefault()
    if (place + by < 0 || place + by >= count) return
    isKept.current = true
    onMove(place, place + by)
  }
  return { row, handle, onKeyDown, isDragged: state === 'dragged', isOver: state === 'over' }
}
