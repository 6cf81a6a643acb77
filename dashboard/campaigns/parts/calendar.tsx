/** Shows campaigns by the day of their start, for a month or a week in the workspace's time zone. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Broadcast } from '../../../sdk/api.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { DayGrid } from '../../kit/day-grid.tsx'
import { DropContext, DropDay } from '../../kit/day-grid-drag.tsx'
import { lazyComponent } from '../../kit/lazy.tsx'
import { daysLater, onDay } from '../../kit/month-days.ts'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { useNow } from '../../kit/time.tsx'
import { formatShortDay, localOf } from '../../kit/zone.ts'
import { useCommands } from '../../shell/commands-store.ts'
import { formatLocale } from '../../texts.ts'
import { CALENDAR_COMMANDS } from '../commands.ts'
import { calendarQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { CalendarCampaign, startOf } from './calendar-campaign.tsx'
import {
  isInside,
  type Period,
  periodAfter,
  periodOf,
  rangeOf,
  switchKind,
  textOf,
  weeksIn,
} from './calendar-period.ts'

const MoveCampaign = lazyComponent(() => import('./move-campaign.tsx').then((module) => module.MoveCampaign))
const monthName = new Intl.DateTimeFormat(formatLocale, { month: 'long', year: 'numeric' })
const KINDS = ['month', 'week'] as const

/** Returns the campaigns of each day, earliest first. */
function byDayOf(campaigns: readonly Broadcast[], zone: string): Map<string, Broadcast[]> {
  const timed = campaigns.flatMap((campaign) => {
    const time = startOf(campaign)
    return time ? [{ campaign, time }] : []
  })
  const sorted = timed.toSorted((a, b) => a.time.localeCompare(b.time))
  const days = Map.groupBy(sorted, ({ time }) => localOf(zone, time).day)
  return new Map([...days].map(([day, found]) => [day, found.map(({ campaign }) => campaign)]))
}

function headingOf(period: Period): string {
  if (period.kind === 'month') return monthName.format(new Date(`${period.month}-15T12:00:00`))
  const days = weeksIn(period)[0]!
  return t('calendar.week', { from: formatShortDay(days[0]!), to: formatShortDay(days.at(-1)!) })
}

type Props = { period: string | undefined; path: string; zone: string; mayWrite: boolean }

export function CampaignCalendar({ period: requested, path, zone, mayWrite }: Props) {
  const today = localOf(zone, useNow()).day
  const period = periodOf(requested, today)
  const navigate = useNavigate()
  const show = (next: Period) => void navigate({ to: `${path}/calendar/${textOf(next)}` } as never)
  const query = useQuery(calendarQuery(rangeOf(period, zone)))
  const [focusedId, setFocusedId] = useState<string>()
  const [moving, setMoving] = useState<{ campaign: Broadcast; to: string }>()
  const focused = query.data?.find(({ id, status }) => id === focusedId && status === 'scheduled')
  const moveBy = (campaign: Broadcast, days: number) =>
    setMoving({ campaign, to: daysLater(zone, campaign.scheduledAt!, days) })
  const moveTo = (campaign: Broadcast) => setMoving({ campaign, to: campaign.scheduledAt! })
  const drop = (item: unknown, day: string) => {
    const campaign = item as Broadcast
    if (localOf(zone, campaign.scheduledAt!).day === day) return
    setMoving({ campaign, to: onDay(zone, campaign.scheduledAt!, day) })
  }
  useCommands(
    CALENDAR_COMMANDS,
    {
      campaign: mayWrite ? focused : undefined,
      turn: (by) => show(periodAfter(period, by)),
      showKind: (kind) => show(switchKind(period, kind, today)),
      moveBy: (days) => focused && moveBy(focused, days),
      openMoveDialog: () => focused && moveTo(focused),
    },
    { title: t },
  )
  const actions = {
    moveBy,
    moveTo,
    open: ({ id }: Broadcast) => void navigate({ to: `${path}/${id}` } as never),
    onFocus: ({ id }: Broadcast) => setFocusedId(id),
  }
  return (
    <>
      <header className="mb-3 flex flex-wrap items-center gap-2">
        <h2 className="min-w-40 text-md font-semibold" aria-live="polite">
          {headingOf(period)}
        </h2>
        <IconButton
          icon={ChevronLeft}
          label={t('action.before')}
          keys="["
          onClick={() => show(periodAfter(period, -1))}
        />
        <IconButton
          icon={ChevronRight}
          label={t('action.after')}
          keys="]"
          onClick={() => show(periodAfter(period, 1))}
        />
        <Button
          disabled={isInside(period, today)}
          onClick={() => show(switchKind(periodOf(today, today), period.kind, today))}
        >
          {t('calendar.today')}
        </Button>
        <fieldset aria-label={t('calendar.kind')} className="ms-auto flex gap-1">
          {KINDS.map((kind) => (
            <button
              key={kind}
              type="button"
              aria-pressed={period.kind === kind}
              onClick={() => show(switchKind(period, kind, today))}
              className="h-9 rounded-md px-3 font-medium text-ink-2 hover:bg-surface-3 aria-pressed:bg-accent-soft aria-pressed:text-accent pointer-coarse:h-11"
            >
              {t(`calendar.kind.${kind}`)}
            </button>
          ))}
        </fieldset>
      </header>
      <p className="mb-3 text-sm text-ink-3">
        {t('calendar.zone', { zone })}
        {mayWrite && (
          <>
            <span className="max-md:hidden pointer-coarse:hidden"> {t('calendar.hint')}</span>
            <span className="hidden md:pointer-coarse:inline"> {t('calendar.hint.touch')}</span>
          </>
        )}
      </p>
      {query.isPending ? (
        <SkeletonRows />
      ) : query.isError ? (
        <Failed error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <DropContext value={mayWrite ? drop : undefined}>
          <DayGrid
            gridLabel={t('calendar.grid')}
            listLabel={t('calendar.days')}
            weeks={weeksIn(period)}
            isInside={(day) => isInside(period, day)}
            today={today}
            byDay={byDayOf(query.data, zone)}
            keyOf={({ id }) => id}
            cell={DropDay}
            itemOf={(campaign) => (
              <CalendarCampaign
                campaign={campaign}
                zone={zone}
                path={path}
                mayMove={mayWrite}
                actions={actions}
              />
            )}
          />
          {query.data.length === 0 && (
            <Empty icon={CalendarDays} title={t(`calendar.empty.${period.kind}`)}>
              {t('calendar.empty.text')}
            </Empty>
          )}
        </DropContext>
      )}
      {moving && (
        <MoveCampaign
          key={`${moving.campaign.id} ${moving.to}`}
          campaign={moving.campaign}
          zone={zone}
          to={moving.to}
          onClose={() => setMoving(undefined)}
        />
      )}
    </>
  )
}
