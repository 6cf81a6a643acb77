/** Shows the bookings of the chosen days: in a grid if there is room, otherwise in a list. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarCheck, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Booking, BookingStaff } from '../../../sdk/api.ts'
import { hasRole, type WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { Checkbox } from '../../kit/switch.tsx'
import { useNow } from '../../kit/time.tsx'
import { useIsWide } from '../../kit/width.ts'
import { formatShortDay, localOf } from '../../kit/zone.ts'
import { useCommands } from '../../shell/commands-store.ts'
import { FOCUSED_COMMANDS, type FocusedContext } from '../commands.ts'
import { bookingsQuery, servicesQuery, staffQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { DayLists } from './day-lists.tsx'
import { type BookingPart, daySpanOf, partsOn } from './day-spans.ts'
import { isReleased } from './status.tsx'
import type { GridColumn } from './time-column.tsx'
import { TimeGrid } from './time-grid.tsx'
import type { CalendarState } from './use-calendar.ts'
import { useMoves } from './use-moves.ts'

/** The time and the staff of a new booking, if a free place of the calendar was clicked. */
export type NewPlace = { startAt?: string; staffId?: string }
/** The booking that the dialog moves, and where it was dropped. */
export type MoveInput = { booking: Booking; near?: { day: string; staffId: string | undefined } }

/**
 * Returns the day's column for each person who is or can be booked; bookings without staff have their own
 * column.
 */
function columnsByStaff(
  parts: readonly BookingPart[],
  staff: readonly BookingStaff[],
): Omit<GridColumn, 'day' | 'now'>[] {
  const people = new Map<string, NonNullable<Booking['staff']>>()
  for (const { active, id, name, kind } of staff) if (active) people.set(id, { id, name, kind })
  for (const {
    booking: { staff: person },
  } of parts)
    if (person && !people.has(person.id)) people.set(person.id, person)
  const columns: Omit<GridColumn, 'day' | 'now'>[] = [...people.values()].map((person) => ({
    id: person.id,
    title: person.name,
    staff: person,
    parts: parts.filter(({ booking }) => booking.staff?.id === person.id),
  }))
  const others = parts.filter(({ booking }) => booking.staff === null)
  return others.length > 0 || columns.length === 0
    ? [...columns, { id: 'any-staff', title: t('column.anyStaff'), staff: null, parts: others }]
    : columns
}

type Props = {
  calendar: CalendarState
  session: WorkspaceSession
  onCreate: ((place: NewPlace) => void) | undefined
  onMove: (input: MoveInput) => void
}

export function CalendarContent({ calendar, session, onCreate, onMove }: Props) {
  const { timezone: zone } = session.workspace
  const mayWrite = hasRole(session.member.role, 'agent')
  const [focusedId, setFocusedId] = useState<string>()
  const moves = useMoves({
    zone,
    between: calendar.between,
    onChoose: (booking, { startAt, staff }) =>
      onMove({ booking, near: { day: localOf(zone, startAt).day, staffId: staff?.id } }),
  })
  const [withGone, setWithGone] = useState(false)
  const isWide = useIsWide()
  const now = localOf(zone, useNow())
  const query = useQuery(bookingsQuery(calendar.between))
  const { data: allStaff = [] } = useQuery(staffQuery)
  const { staffId } = calendar
  const isShown = (id: string | undefined) => staffId === undefined || id === staffId
  const staff = allStaff.filter(({ id }) => isShown(id))
  const services = useQuery(servicesQuery)
  if (query.isPending || services.isPending) return <SkeletonRows />
  const failed = [query, services].find((result) => result.isLoadingError)
  if (failed)
    return (
      <Failed error={failed.error} onRetry={() => void Promise.all([query.refetch(), services.refetch()])} />
    )
  const allBookings = (query.data ?? []).filter(
    (booking) => isShown(booking.staff?.id) && calendar.days.some((day) => daySpanOf(zone, day, booking)),
  )
  const bookings = allBookings.filter((booking) => withGone || !isReleased(booking))
  const goneCount = allBookings.filter(isReleased).length
  const focused = bookings.find(({ id }) => id === focusedId)
  const places = { zone, openId: calendar.openId, onOpen: calendar.open }
  const days = calendar.days.map((day) => ({
    day,
    isToday: day === calendar.today,
    now: day === now.day ? now.minute : undefined,
    parts: partsOn(zone, day, bookings),
  }))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: follows the focus of the bookings inside
    <div
      className="flex min-h-0 flex-1 flex-col"
      onFocus={({ target }) => setFocusedId(target.closest<HTMLElement>('[data-booking]')?.dataset.booking)}
      onBlur={() => setFocusedId(undefined)}
    >
      {focused && (
        <FocusedCommands booking={focused} mayWrite={mayWrite} move={(booking) => onMove({ booking })} />
      )}
      {goneCount > 0 && (
        <div className="px-4 pb-2 sm:px-6">
          <Checkbox label={t('gone', { count: goneCount })} checked={withGone} onChange={setWithGone} />
        </div>
      )}
      {services.data?.length === 0 && bookings.length === 0 ? (
        <NoServices session={session} />
      ) : bookings.length === 0 && !(isWide && calendar.view === 'day') ? (
        <Empty
          icon={CalendarCheck}
          title={t(`empty.${calendar.view}`)}
          action={
            onCreate && (
              <Button icon={Plus} keys="c" onClick={() => onCreate({})}>
                {t('create')}
              </Button>
            )
          }
        >
          {t('empty.text')}
        </Empty>
      ) : isWide ? (
        <TimeGrid
          {...places}
          byStaff={calendar.view === 'day'}
          onCreate={onCreate}
          onDay={calendar.openDay}
          moves={mayWrite ? moves : undefined}
          columns={
            calendar.view === 'day'
              ? columnsByStaff(days[0]!.parts, staff).map((column) => ({
                  ...column,
                  day: calendar.day,
                  now: days[0]!.now,
                }))
              : days.map((column) => ({
                  ...column,
                  id: column.day,
                  title: formatShortDay(column.day),
                  staff: undefined,
                }))
          }
        />
      ) : (
        <DayLists {...places} days={days} />
      )}
    </div>
  )
}

/** Mounted after the commands of an open booking, so that its keys act on the focused booking. */
function FocusedCommands(context: FocusedContext) {
  useCommands(FOCUSED_COMMANDS, context, { title: t })
  return null
}

/** Without services, nothing can be booked: asks the member to add one. */
const NoServices = ({ session }: { session: WorkspaceSession }) => (
  <Empty
    icon={CalendarCheck}
    title={t('services.none')}
    action={
      hasRole(session.member.role, 'admin') && (
        <Link
          to={`/w/${session.workspace.id}/settings/bookings` as string}
          className="font-medium text-accent underline underline-offset-2"
        >
          {t('services.add')}
        </Link>
      )
    }
  >
    {t('services.none.text')}
  </Empty>
)
