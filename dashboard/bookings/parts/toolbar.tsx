/** Chooses the view, the days, and the staff of the calendar, and creates bookings. */
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Plus } from 'lucide-react'
import type { WorkspaceSession } from '../../api/session.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { CONTROL } from '../../kit/field.tsx'
import { Select } from '../../kit/select.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { formatLongDay, formatShortDay } from '../../kit/zone.ts'
import { staffQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { SharePage } from './share-page.tsx'
import type { CalendarState } from './use-calendar.ts'

type Props = {
  calendar: CalendarState
  session: WorkspaceSession
  onCreate: (() => void) | undefined
}

export function Toolbar({ calendar, session, onCreate }: Props) {
  const { view, day, days, today } = calendar
  return (
    <header className="px-4 pt-4 sm:px-6">
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="me-auto text-lg font-semibold">{t('title')}</h1>
        <SharePage session={session} />
        {onCreate && (
          <Button variant="primary" icon={Plus} keys="c" onClick={onCreate}>
            {t('create')}
          </Button>
        )}
      </div>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-1">
        <Tabs
          className="min-w-40 flex-1"
          label={t('views')}
          value={view}
          onChange={calendar.show}
          tabs={(['day', 'week'] as const).map((value) => ({ value, label: t(`view.${value}`) }))}
        />
      </div>
      <div className="flex flex-wrap items-center gap-2 py-3">
        <h2 aria-live="polite" className="min-w-48 text-md font-semibold max-sm:flex-1">
          {view === 'day'
            ? formatLongDay(day)
            : t('week', { from: formatShortDay(days[0]!), to: formatShortDay(days.at(-1)!) })}
        </h2>
        <IconButton
          icon={ChevronLeft}
          label={t('action.before')}
          keys="["
          onClick={() => calendar.turn(-1)}
        />
        <IconButton icon={ChevronRight} label={t('action.after')} keys="]" onClick={() => calendar.turn(1)} />
        <Button disabled={days.includes(today)} onClick={() => calendar.showDay(today)}>
          {t('today')}
        </Button>
        <input
          type="date"
          value={day}
          aria-label={t('day.choose')}
          onChange={(event) => event.currentTarget.value && calendar.showDay(event.currentTarget.value)}
          className={`${CONTROL} h-9 max-sm:w-36 pointer-coarse:h-11`}
        />
        <StaffFilter calendar={calendar} />
      </div>
    </header>
  )
}

/** The choice that shows every member of staff. */
const ALL_STAFF = 'all'

/** Limits the calendar to one member of staff, if there are several. */
function StaffFilter({ calendar }: { calendar: CalendarState }) {
  const { data: staff = [] } = useQuery(staffQuery)
  const shown = staff.filter(({ id, active }) => active || id === calendar.staffId)
  if (shown.length < 2) return null
  return (
    <Select
      name={t('staff.filter')}
      className="min-w-0 max-sm:flex-1 sm:w-44"
      value={calendar.staffId ?? ALL_STAFF}
      onChange={(id) => calendar.showStaff(id === ALL_STAFF ? undefined : id)}
      choices={[
        { value: ALL_STAFF, label: t('staff.filter.all') },
        ...shown.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}
