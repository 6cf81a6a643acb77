/** Holds the calendar's view in the address, so that it can be shared. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useNow } from '../../kit/time.tsx'
import { dayAfter, isDay, localOf, startOfDay, weekOf } from '../../kit/zone.ts'

export type View = 'day' | 'week'
export type CalendarState = ReturnType<typeof useCalendar>

export function useCalendar(place: {
  path: string
  zone: string
  view: View
  requestedDay: string | undefined
}) {
  const { path, zone, view, requestedDay } = place
  const {
    booking: openId,
    contact: newFor,
    staff: staffId,
  } = useSearch({ strict: false }) as { booking?: string; contact?: string; staff?: string }
  const navigate = useNavigate()
  const today = localOf(zone, useNow()).day
  const day = isDay(requestedDay) ? requestedDay : today
  const days = view === 'week' ? weekOf(day) : [day]
  const go = (to: {
    view?: View
    day?: string
    booking?: string | undefined
    staff?: string | undefined
  }) => {
    const booking = 'booking' in to ? to.booking : openId
    const staff = 'staff' in to ? to.staff : staffId
    void navigate({
      to: `${path}/${to.view ?? view}/${to.day ?? day}`,
      search: { ...(booking && { booking }), ...(staff && { staff }) },
    } as never)
  }
  return {
    view,
    day,
    days,
    today,
    openId,
    /** The staff whose bookings are shown; undefined for everyone's. */
    staffId,
    /** The contact for whom a new booking was requested. */
    newFor,
    between: { from: startOfDay(zone, days[0]!), to: startOfDay(zone, dayAfter(days.at(-1)!, 1)) },
    show: (next: View) => go({ view: next }),
    showDay: (next: string) => go({ day: next }),
    /** Opens the view of one day. */
    openDay: (next: string) => go({ view: 'day', day: next }),
    showStaff: (id: string | undefined) => go({ staff: id }),
    turn: (by: 1 | -1) => go({ day: dayAfter(day, by * days.length) }),
    open: (id: string) => go({ booking: id }),
    close: () => go({ booking: undefined }),
    /** Opens a booking on its day in the calendar. */
    openAt: (id: string, startAt: string) => go({ booking: id, day: localOf(zone, startAt).day }),
  }
}
