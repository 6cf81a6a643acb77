/** Edits quiet hours: one range for each weekday. */
import { CONTROL } from '../../kit/field.tsx'
import { Group } from '../../kit/group.tsx'
import { Checkbox } from '../../kit/switch.tsx'
import { formatLocale } from '../../texts.ts'
import { t } from '../texts.ts'
import { isDayComplete, type QuietDay } from './push-choices.ts'

const weekday = new Intl.DateTimeFormat(formatLocale, { weekday: 'long', timeZone: 'UTC' })
/** 1 January 2024 was a Monday. */
const nameOfDay = (index: number): string => weekday.format(Date.UTC(2024, 0, index + 1))
const FIELD = `${CONTROL} h-9 w-30 shrink-0 pointer-coarse:h-11`

type Props = { week: readonly QuietDay[]; isTried: boolean; onChange: (week: QuietDay[]) => void }

export function QuietWeek({ week, isTried, onChange }: Props) {
  const change = (index: number, patch: Partial<QuietDay>) =>
    onChange(week.map((day, place) => (place === index ? { ...day, ...patch } : day)))
  return (
    <div className="mb-4">
      <Group
        label={t('quiet')}
        hint={t('quiet.hint', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
        error={isTried && !week.every(isDayComplete) ? t('quiet.missing') : undefined}
      >
        {week.map((day, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the weekdays in their order
          <div key={index} className="flex min-h-11 flex-wrap items-center gap-2">
            <div className="w-32">
              <Checkbox
                label={nameOfDay(index)}
                checked={day.isOn}
                onChange={(isOn) => change(index, { isOn })}
              />
            </div>
            {day.isOn &&
              (['from', 'to'] as const).map((name) => (
                <input
                  key={name}
                  type="time"
                  value={day[name]}
                  onChange={(event) => change(index, { [name]: event.target.value })}
                  aria-label={t(`quiet.${name}`, { day: nameOfDay(index) })}
                  className={FIELD}
                />
              ))}
          </div>
        ))}
      </Group>
    </div>
  )
}
