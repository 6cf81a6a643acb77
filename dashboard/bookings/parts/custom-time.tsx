import type { BookingSlot } from '../../../sdk/api.ts'
import { Callout } from '../../kit/callout.tsx'
import { TextField } from '../../kit/field.tsx'
import { fromZoneInput, toZoneInput } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'
import { NextTimes } from './next-times.tsx'

type Props = {
  zone: string
  day: string
  onDay: (day: string) => void
  value: string | undefined
  onChoose: (startAt: string | undefined) => void
  error: string | undefined
  next: readonly BookingSlot[]
}

const CLOCK_FROM = 'YYYY-MM-DDT'.length

/** Chooses any time, outside of hours and notice too. */
export function CustomTime({ zone, day, onDay, value, onChoose, error, next }: Props) {
  const clock = value ? toZoneInput(zone, value).slice(CLOCK_FROM) : ''
  const choose = (date: string, time: string) =>
    onChoose(time ? fromZoneInput(zone, `${date}T${time}`) : undefined)
  return (
    <div className="flex flex-col gap-3">
      <NextTimes zone={zone} next={next} onDay={onDay} onChoose={onChoose} />
      <Callout kind="warn">{t('force.text')}</Callout>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={t('slots.day')}
          type="date"
          value={day}
          onChange={(event) => {
            const next = event.currentTarget.value
            if (!next) return
            onDay(next)
            choose(next, clock)
          }}
        />
        <TextField
          label={t('force.time')}
          hint={zone}
          type="time"
          value={clock}
          error={error}
          onChange={(event) => choose(day, event.currentTarget.value)}
        />
      </div>
    </div>
  )
}
