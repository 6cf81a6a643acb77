/** Drags a booking to a place in the calendar. The dialog of the booking moves it too, by keyboard. */

import {
  dropTargetForElements,
  type ElementDropTargetEventBasePayload,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { disableNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/disable-native-drag-preview'
import { useEffect, useRef, useState } from 'react'
import type { Booking } from '../../../sdk/api.ts'
import { makeDraggable } from '../../kit/draggable.ts'
import { HOUR_MINUTES, minutesIn } from './grid-scale.ts'
import type { Place, PlaceColumn } from './places.ts'
import type { Moves } from './use-moves.ts'

type Data = {
  booking: Booking
  /** The minutes between the start of the booking and the pointer. */
  grabbed: number
}
const dataOf = (data: Record<string, unknown>): Data | undefined =>
  'booking' in data ? (data as Data) : undefined

/** Makes a booking draggable; not without `moves`. */
export function useDraggedBooking(booking: Booking, moves: Moves | undefined) {
  const tile = useRef<HTMLLIElement>(null)
  const [isDragged, setDragged] = useState(false)
  const latest = useRef(moves)
  latest.current = moves
  const isOn = moves !== undefined
  useEffect(() => {
    if (!isOn || !tile.current) return
    return makeDraggable({
      element: tile.current,
      getInitialData: ({ input, element }): Data => ({
        booking,
        grabbed: minutesIn(input.clientY - element.getBoundingClientRect().top),
      }),
      // The column shows the booking at the place where it would start.
      onGenerateDragPreview: disableNativeDragPreview,
      onDragStart: () => {
        setDragged(true)
        latest.current?.start(booking)
      },
      onDrop: () => {
        setDragged(false)
        latest.current?.end()
      },
    })
  }, [booking, isOn])
  return { tile, isDragged }
}

const isSame = (a: Place | undefined, b: Place): boolean =>
  a?.startAt === b.startAt && a.refusal === b.refusal

/** Makes a column a place for dragged bookings. Returns the booking above it, and where it would start. */
export function useDropColumn(column: PlaceColumn, firstHour: number, moves: Moves | undefined) {
  const area = useRef<HTMLDivElement>(null)
  const [preview, setPreview] = useState<{ booking: Booking; place: Place }>()
  const latest = useRef({ column, firstHour, moves })
  latest.current = { column, firstHour, moves }
  const isOn = moves !== undefined
  useEffect(() => {
    const element = area.current
    if (!isOn || !element) return
    const read = (source: { data: Record<string, unknown> }, pointerY: number) => {
      const data = dataOf(source.data)
      const { column, firstHour, moves } = latest.current
      if (!data || !moves) return
      const minute = firstHour * HOUR_MINUTES + minutesIn(pointerY - element.getBoundingClientRect().top)
      return { booking: data.booking, place: moves.placeNear(data.booking, column, minute - data.grabbed) }
    }
    const show = ({ source, location }: ElementDropTargetEventBasePayload) => {
      const next = read(source, location.current.input.clientY)
      setPreview((shown) => (next && isSame(shown?.place, next.place) ? shown : next))
    }
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => dataOf(source.data) !== undefined,
      onDragEnter: show,
      onDrag: show,
      onDragLeave: () => setPreview(undefined),
      onDrop: ({ source, location }) => {
        setPreview(undefined)
        const dropped = read(source, location.current.input.clientY)
        if (dropped) latest.current.moves?.drop(dropped.booking, dropped.place)
      },
    })
  }, [isOn])
  return { area, preview }
}
