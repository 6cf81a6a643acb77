import { useState } from 'react'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { UNITS, type Unit, unitOf } from '../format.ts'
import { t } from '../texts.ts'

type Props = {
  label: string
  minutes: number | undefined
  onChange: (minutes: number | undefined) => void
  error: string | undefined
}

/** Asks for a duration: a number and a unit. */
export function DurationField({ label, minutes, onChange, error }: Props) {
  const [unit, setUnit] = useState<Unit>(() => unitOf(minutes ?? 0))
  const count = minutes === undefined ? '' : String(minutes / UNITS[unit])
  return (
    <div className="flex items-start gap-2">
      <TextField
        label={label}
        className="w-28"
        type="number"
        min={0}
        error={error}
        value={count}
        onChange={(event) => {
          const text = event.target.value
          onChange(text === '' ? undefined : Math.round(Number(text) * UNITS[unit]))
        }}
      />
      <div className="w-32">
        <SelectField
          label={t('unit')}
          value={unit}
          onChange={(next) => {
            setUnit(next)
            if (minutes !== undefined) onChange(Math.round((minutes / UNITS[unit]) * UNITS[next]))
          }}
          choices={(['minutes', 'hours', 'days'] as const).map((value) => ({
            value,
            label: t(`unit.${value}`),
          }))}
        />
      </div>
    </div>
  )
}
