/** Chooses a free time of a service on a day. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { BookingSlot } from '../../../sdk/api.ts'
import { queryClient } from '../../api/cache.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { TextField } from '../../kit/field.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { notify } from '../../kit/toasts.tsx'
import { dayAfter, formatLongDay, localOf, startOfDay } from '../../kit/zone.ts'
import { formatClockIn } from '../../kit/zone-times.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { slotsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { NextTimes } from './next-times.tsx'

type SlotFilter = { serviceId: string; staffId: string; partySize: number }
type Props = {
  filter: SlotFilter
  zone: string
  day: string
  onDay: (day: string) => void
  /** The chosen start. */
  value: string | undefined
  onChoose: (startAt: string) => void
  error?: string | undefined
  /** Free times to replace a time that was taken meanwhile. */
  next?: readonly BookingSlot[]
}

const LOOK_AHEAD_DAYS = 30

const betweenOf = (zone: string, day: string, days: number) => ({
  from: startOfDay(zone, day),
  to: startOfDay(zone, dayAfter(day, days)),
})
const filterOf = ({ serviceId, staffId, partySize }: SlotFilter) => ({
  serviceId,
  partySize,
  staffId: staffId || undefined,
})
/** Returns each start once, even if several people are free. */
const startsOf = (slots: readonly BookingSlot[]): string[] => [
  ...new Set(slots.map(({ startAt }) => startAt)),
]

function useNextFree({ filter, zone, day, onDay }: Props) {
  return useMutation({
    mutationFn: () =>
      queryClient.fetchQuery(
        slotsQuery({ ...filterOf(filter), ...betweenOf(zone, dayAfter(day, 1), LOOK_AHEAD_DAYS) }),
      ),
    onSuccess: ([first]) => {
      if (first) onDay(localOf(zone, first.startAt).day)
      else notify({ title: t('slots.none.ahead'), kind: 'info' })
    },
    onError: notifyError,
  })
}

export function SlotPicker(props: Props) {
  const { filter, zone, day, onDay, value, onChoose, error, next = [] } = props
  const slots = useQuery(slotsQuery({ ...filterOf(filter), ...betweenOf(zone, day, 1) }))
  const nextFree = useNextFree(props)
  const starts = startsOf(slots.data ?? [])
  return (
    <div className="flex flex-col gap-3">
      <NextTimes zone={zone} next={next} onDay={onDay} onChoose={onChoose} />
      <div className="flex items-end gap-2">
        <TextField
          className="min-w-0 flex-1"
          label={t('slots.day')}
          type="date"
          value={day}
          onChange={(event) => event.currentTarget.value && onDay(event.currentTarget.value)}
        />
        <IconButton icon={ChevronLeft} label={t('slots.before')} onClick={() => onDay(dayAfter(day, -1))} />
        <IconButton icon={ChevronRight} label={t('slots.after')} onClick={() => onDay(dayAfter(day, 1))} />
      </div>
      {value !== undefined && next.length === 0 && slots.isSuccess && !starts.includes(value) && (
        <p role="status" className="text-sm text-warn">
          {t('slots.notFree', { time: formatClockIn(zone, value) })}
        </p>
      )}
      {slots.isPending ? (
        <SkeletonRows rows={2} />
      ) : slots.isLoadingError ? (
        <Failed error={slots.error} onRetry={() => void slots.refetch()} />
      ) : starts.length === 0 ? (
        <div className="flex flex-wrap items-center gap-3 text-ink-2">
          <span>{t('slots.none')}</span>
          <Button size="sm" busy={nextFree.isPending} onClick={() => nextFree.mutate()}>
            {t('slots.next')}
          </Button>
        </div>
      ) : (
        <fieldset>
          <legend className="mb-1 text-sm font-medium">
            {t('slots', { day: formatLongDay(day), zone })}
          </legend>
          <div className="pane grid max-h-48 grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-1.5 p-0.5">
            {starts.map((startAt) => (
              <button
                key={startAt}
                type="button"
                aria-pressed={startAt === value}
                onClick={() => onChoose(startAt)}
                className={classes(
                  'h-8 rounded-md border px-2 text-sm tabular-nums pointer-coarse:h-11',
                  startAt === value
                    ? 'border-accent bg-accent text-on-accent'
                    : 'border-edge bg-surface-1 hover:bg-surface-3',
                )}
              >
                {formatClockIn(zone, startAt)}
              </button>
            ))}
          </div>
        </fieldset>
      )}
      {error && (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  )
}
