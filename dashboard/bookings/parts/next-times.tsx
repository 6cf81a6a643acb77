import type { BookingSlot } from '../../../sdk/api.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { formatShortDay, localOf } from '../../kit/zone.ts'
import { formatClockIn } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'

type Props = {
  zone: string
  next: readonly BookingSlot[]
  onDay: (day: string) => void
  onChoose: (startAt: string) => void
}

/** Shows free times to replace a time that was taken meanwhile. */
export function NextTimes({ zone, next, onDay, onChoose }: Props) {
  if (next.length === 0) return null
  return (
    <Callout kind="warn" role="alert">
      <p className="mb-2">{t('slots.taken')}</p>
      <div className="flex flex-wrap gap-2">
        {next.map(({ startAt }) => {
          const { day } = localOf(zone, startAt)
          return (
            <Button
              key={startAt}
              size="sm"
              onClick={() => {
                onDay(day)
                onChoose(startAt)
              }}
            >
              {t('slots.at', { day: formatShortDay(day), time: formatClockIn(zone, startAt) })}
            </Button>
          )
        })}
      </div>
    </Callout>
  )
}
