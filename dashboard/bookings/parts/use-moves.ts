/** Moves bookings that are dragged in the calendar. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Booking } from '../../../sdk/api.ts'
import { useNow } from '../../kit/time.tsx'
import {
  type Between,
  moveBooking,
  restoreBooking,
  servicesQuery,
  showBooking,
  slotsQuery,
} from '../queries.ts'
import { noticeMoved, noticeMoveError, noticeNotDropped } from './moved-notice.ts'
import { groupStarts, isAt, type Place, type PlaceColumn, placeNear } from './places.ts'

const MINUTE_MS = 60_000
type Input = {
  zone: string
  between: Between
  /** Opens the dialog for another time near a place. */
  onChoose: (booking: Booking, place: Place) => void
}

/** The drag of a booking, for the tiles and the columns of the grid. */
export type Moves = {
  start: (booking: Booking) => void
  end: () => void
  /** Returns the place near a minute of a column. */
  placeNear: (booking: Booking, column: PlaceColumn, minute: number) => Place
  drop: (booking: Booking, place: Place) => void
  /** The booking that the server is moving. */
  movingId: string | undefined
}

const moveTo = (booking: Booking, { startAt, staff }: Place): Booking => ({
  ...booking,
  startAt,
  endAt: new Date(Date.parse(startAt) + booking.durationMinutes * MINUTE_MS).toISOString(),
  staff,
})

/** Moves a booking in the calendar immediately. If the server refuses, the booking returns to its place. */
function useMoveByServer({ zone, onChoose }: Input) {
  return useMutation({
    mutationFn: ({ booking, place }: { booking: Booking; place: Place }) => moveBooking(booking, place),
    onMutate: ({ booking, place }) => showBooking(moveTo(booking, place)),
    onSuccess: (movedBooking, { booking }) => noticeMoved(zone, booking, movedBooking),
    onError: (error, { booking, place }) => {
      void restoreBooking(booking)
      noticeMoveError(error, { zone, booking, place, onChoose: () => onChoose(booking, place) })
    },
  })
}

export function useMoves(input: Input): Moves {
  const { zone, between, onChoose } = input
  const [dragged, setDragged] = useState<Booking>()
  const now = useNow()
  const { data: services = [] } = useQuery(servicesQuery)
  const { data: slots } = useQuery({
    ...slotsQuery({
      ...between,
      serviceId: dragged?.serviceId ?? '',
      partySize: dragged?.partySize ?? 1,
    }),
    enabled: dragged !== undefined,
  })
  const starts = useMemo(() => slots && groupStarts(zone, slots), [zone, slots])
  const byServer = useMoveByServer(input)
  return {
    start: setDragged,
    end: () => setDragged(undefined),
    placeNear: (booking, column, minute) => {
      const service = services.find(({ id }) => id === booking.serviceId)
      return placeNear({ zone, now, booking, service, starts }, column, minute)
    },
    drop: (booking, place) => {
      if (isAt(booking, place)) return
      if (place.refusal)
        noticeNotDropped(place.refusal, {
          zone,
          booking,
          place,
          onChoose: () => onChoose(booking, place),
        })
      else byServer.mutate({ booking, place })
    },
    movingId: byServer.isPending ? byServer.variables.booking.id : undefined,
  }
}
