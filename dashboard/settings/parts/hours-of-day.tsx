import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../kit/button.tsx'
import { CONTROL } from '../../kit/field.tsx'
import { t } from '../texts.ts'
import { endsNextDay, type Range } from './hours-shape.ts'

type Props = {
  /** The day or holiday of the hours, for screen readers. */
  dayName: string
  ranges: readonly Range[]
  onChange: (ranges: Range[]) => void
}

const MAX_RANGES = 10
/** On a phone, a tap anywhere in the field opens the clock, and the line has room for its buttons. */
const FIELD = `${CONTROL} h-9 w-33 shrink-0 max-sm:w-28 pointer-coarse:h-11 pointer-coarse:[&::-webkit-calendar-picker-indicator]:hidden`

/** Edits the opening hours of one day, in any number of ranges; no range means closed. */
export function HoursOfDay({ dayName, ranges, onChange }: Props) {
  const change = (index: number, patch: Partial<Range>) =>
    onChange(ranges.map((range, place) => (place === index ? { ...range, ...patch } : range)))
  const add = () => onChange([...ranges, nextRange(ranges)])
  if (ranges.length === 0)
    return (
      <p className="flex h-9 items-center gap-3 text-ink-3">
        <span className="w-20">{t('hours.closed')}</span>
        <Button
          size="sm"
          variant="ghost"
          icon={Plus}
          aria-label={t('hours.add.of', { of: dayName })}
          onClick={add}
        >
          {t('hours.add')}
        </Button>
      </p>
    )
  return (
    <div className="flex flex-col gap-2">
      {ranges.map((range, index) => {
        const { from, to } = range
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: ranges have only their place as an identity
          <div key={index} className="flex flex-wrap items-center gap-1 sm:gap-2">
            <input
              type="time"
              value={from}
              onChange={(event) => change(index, { from: event.target.value })}
              aria-label={t('hours.from', { of: dayName })}
              className={FIELD}
            />
            <span aria-hidden className="text-ink-3">
              –
            </span>
            <input
              type="time"
              value={to}
              onChange={(event) => change(index, { to: event.target.value })}
              aria-label={t('hours.to', { of: dayName })}
              className={FIELD}
            />
            {endsNextDay(range) && (
              <span className="whitespace-nowrap text-sm text-ink-2 max-sm:order-last max-sm:basis-full">
                {t('hours.nextDay')}
              </span>
            )}
            <IconButton
              icon={X}
              size="sm"
              label={t('hours.remove', { of: dayName, from, to })}
              onClick={() => onChange(ranges.filter((_, place) => place !== index))}
            />
            {index === ranges.length - 1 && index < MAX_RANGES - 1 && (
              <IconButton icon={Plus} size="sm" label={t('hours.add.of', { of: dayName })} onClick={add} />
            )}
          </div>
        )
      })}
    </div>
  )
}

/** Returns the suggested range: the working day, then its evening. */
function nextRange(ranges: readonly Range[]): Range {
  const last = ranges.at(-1)
  return last
    ? { from: last.to, to: last.to < '20:00' && last.to !== '00:00' ? '20:00' : '00:00' }
    : { from: '09:00', to: '18:00' }
}
