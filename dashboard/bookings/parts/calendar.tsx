import { useState } from 'react'
import type { Booking } from '../../../sdk/api.ts'
import { hasRole, type WorkspaceSession } from '../../api/session.ts'
import { classes } from '../../kit/classes.ts'
import { lazyComponent } from '../../kit/lazy.tsx'
import { moveFocus } from '../../kit/move-focus.ts'
import { lastDay, localOf } from '../../kit/zone.ts'
import { ZoneNote } from '../../kit/zone-note.tsx'
import { useCommands } from '../../shell/commands-store.ts'
import { CALENDAR_COMMANDS } from '../commands.ts'
import { t } from '../texts.ts'
import { CalendarContent, type MoveInput, type NewPlace } from './calendar-content.tsx'
import { PanelLoading } from './panel.tsx'
import { Toolbar } from './toolbar.tsx'
import { useCalendar, type View } from './use-calendar.ts'

const NewBooking = lazyComponent(() => import('./new-booking.tsx').then((module) => module.NewBooking))
const MoveBooking = lazyComponent(() => import('./move-booking.tsx').then((module) => module.MoveBooking))
const BookingPanel = lazyComponent(() => import('./booking-panel.tsx').then((module) => module.BookingPanel))

type Props = { session: WorkspaceSession; view: View; requestedDay: string | undefined }

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
      move: (by) => moveFocus('[data-booking], [data-stack]', by),
    },
    { title: t },
  )
  const [moved, setMoved] = useState<MoveInput>()
  const { openId } = calendar
  const focusTile = (id: string | undefined) =>
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-booking="${id}"], [data-stack~="${id}"]`)?.focus(),
    )
  const close = () => {
    calendar.close()
    focusTile(openId)
  }
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      <div className={classes('flex min-h-0 min-w-0 flex-1 flex-col', openId && 'max-md:hidden')}>
        <Toolbar calendar={calendar} session={session} onCreate={mayWrite ? () => setPlace({}) : undefined} />
        <div className="pb-2 empty:hidden *:pt-0">
          <ZoneNote zone={zone} of="times" />
        </div>
        <CalendarContent
          calendar={calendar}
          session={session}
          onCreate={mayWrite ? setPlace : undefined}
          onMove={setMoved}
        />
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
      {moved && (
        <MoveBooking
          {...moved}
          key={moved.booking.id}
          zone={zone}
          onClose={() => setMoved(undefined)}
          onMoved={({ id, startAt }: Booking) => {
            setMoved(undefined)
            const { day } = localOf(zone, startAt)
            if (!calendar.days.includes(day)) calendar.showDay(day)
            focusTile(id)
          }}
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
