import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarCheck, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Booking, BookingStaff } from '../../../sdk/api.ts'
import { hasRole, type WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { lazyComponent } from '../../kit/lazy.tsx'
import { moveFocus } from '../../kit/move-focus.ts'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { Checkbox } from '../../kit/switch.tsx'
import { useNow } from '../../kit/time.tsx'
import { useIsWide } from '../../kit/width.ts'
import { formatShortDay, lastDay, localOf } from '../../kit/zone.ts'
import { ZoneNote } from '../../kit/zone-note.tsx'
import { useCommands } from '../../shell/commands-store.ts'
import { CALENDAR_COMMANDS } from '../commands.ts'
import { bookingsQuery, servicesQuery, staffQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { DayLists } from './day-lists.tsx'
import { type BookingPart, daySpanOf, partsOn } from './day-spans.ts'
import { PanelLoading } from './panel.tsx'
import { isReleased } from './status.tsx'
import { type GridColumn, TimeGrid } from './time-grid.tsx'
import { Toolbar } from './toolbar.tsx'
import { type CalendarState, useCalendar, type View } from './use-calendar.ts'

const NewBooking = lazyComponent(() => import('./new-booking.tsx').then((module) => module.NewBooking))
const BookingPanel = lazyComponent(() => import('./booking-panel.tsx').then((module) => module.BookingPanel))

/**
 * Returns the day's column for each person who is or can be booked; bookings without staff have their own
 * column.
 */
function columnsByStaff(
  parts: readonly BookingPart[],
  staff: readonly BookingStaff[],
): Omit<GridColumn, 'day' | 'now'>[] {
  const names = new Map(staff.filter(({ active }) => active).map(({ id, name }) => [id, name]))
  for (const {
    booking: { staff: person },
  } of parts)
    if (person && !names.has(person.id)) names.set(person.id, person.name)
  const columns = [...names].map(([id, title]) => ({
    id,
    title,
    staffId: id,
    parts: parts.filter(({ booking }) => booking.staff?.id === id),
  }))
  const others = parts.filter(({ booking }) => booking.staff === null)
  return others.length > 0 || columns.length === 0
    ? [...columns, { id: 'any-staff', title: t('column.anyStaff'), parts: others }]
    : columns
}

type Props = { session: WorkspaceSession; view: View; requestedDay: string | undefined }
/** The time and the staff of a new booking, if a free place of the calendar was clicked. */
type NewPlace = { startAt?: string; staffId?: string }

export function Calendar({ session, view, requestedDay }: Props) {
  const { id: workspace, timezone: zone } = session.workspace
  const calendar = useCalendar({ path: `/w/${workspace}/bookings`, zone, view, requestedDay })
  const mayWrite = hasRole(session.member.role, 'agent')
  const { newFor } = calendar
  const [place, setPlace] = useState<NewPlace | undefined>(mayWrite && newFor !== undefined ? {} : undefined)
  useCommands(
    CALENDAR_COMMANDS,
    {
      mayWrite,
      create: () => setPlace({}),
      turnPage: calendar.turn,
      showToday: () => calendar.showDay(calendar.today),
      showView: calendar.show,
      move: (by) => moveFocus('[data-booking]', by),
    },
    { title: t },
  )
  const { openId } = calendar
  const close = () => {
    calendar.close()
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-booking="${openId}"]`)?.focus())
  }
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      <div className={classes('flex min-h-0 min-w-0 flex-1 flex-col', openId && 'max-md:hidden')}>
        <Toolbar calendar={calendar} session={session} onCreate={mayWrite ? () => setPlace({}) : undefined} />
        <ZoneNote zone={zone} of="times" />
        <CalendarContent calendar={calendar} session={session} onCreate={mayWrite ? setPlace : undefined} />
      </div>
      {openId && (
        <BookingPanel
          around={<PanelLoading onClose={close} />}
          key={openId}
          id={openId}
          session={session}
          onClose={close}
          onMoved={(startAt: string) => calendar.openAt(openId, startAt)}
        />
      )}
      {place && (
        <NewBooking
          zone={zone}
          day={place.startAt ? localOf(zone, place.startAt).day : lastDay(calendar.day, calendar.today)}
          startAt={place.startAt}
          staffId={place.staffId ?? calendar.staffId}
          contactId={newFor}
          onDone={({ id, startAt }: Booking) => calendar.openAt(id, startAt)}
          onClose={() => {
            setPlace(undefined)
            // The next booking is for another customer.
            if (newFor) calendar.close()
          }}
        />
      )}
    </div>
  )
}

type ShownProps = {
  calendar: CalendarState
  session: WorkspaceSession
  onCreate: ((place: NewPlace) => void) | undefined
}

function CalendarContent({ calendar, session, onCreate }: ShownProps) {
  const { timezone: zone } = session.workspace
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
  const places = { zone, openId: calendar.openId, onOpen: calendar.open }
  const days = calendar.days.map((day) => ({
    day,
    isToday: day === calendar.today,
    now: day === now.day ? now.minute : undefined,
    parts: partsOn(zone, day, bookings),
  }))
  return (
    <>
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
          columns={
            calendar.view === 'day'
              ? columnsByStaff(days[0]!.parts, staff).map((column) => ({
                  ...column,
                  day: calendar.day,
                  now: days[0]!.now,
                }))
              : days.map((column) => ({ ...column, id: column.day, title: formatShortDay(column.day) }))
          }
        />
      ) : (
        <DayLists {...places} days={days} />
      )}
    </>
  )
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
