/** The value of a condition: a text, a number, a date, a choice, or several of them. */
import { useState } from 'react'
import { TextField } from '../../kit/field.tsx'
import { MultiSelect } from '../../kit/multi-select.tsx'
import { Select, SelectField } from '../../kit/select.tsx'
import { type Field, isList, needsNoValue } from '../fields.ts'
import type { Condition } from '../queries.ts'
import { t } from '../texts.ts'

type Value = Condition['value']
type Props = {
  field: Field
  condition: Condition
  catalog: { tags: readonly string[] }
  onChange: (value: Value) => void
  error: string | undefined
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
const parseValue = (field: Field, text: string): string | number =>
  field.kind === 'number' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
const inputType = ({ kind }: Field): string =>
  kind === 'number' ? 'number' : kind === 'time' ? 'date' : 'text'
/** Shows a stored time as its day. */
const formatValue = ({ kind }: Field, value: unknown): string =>
  kind === 'time' ? textOf(value).slice(0, 10) : textOf(value)

/** A text field for several values, with commas between them. */
function ListField({ field, condition, onChange, error }: Props) {
  const [text, setText] = useState(() => (Array.isArray(condition.value) ? condition.value.join(', ') : ''))
  return (
    <TextField
      label={t('condition.value')}
      hint={t('condition.list.hint')}
      error={error}
      value={text}
      onChange={(event) => {
        const next = event.target.value
        setText(next)
        onChange(
          next
            .split(',')
            .map((part) => part.trim())
            .filter(Boolean)
            .map((part) => parseValue(field, part)),
        )
      }}
    />
  )
}

function PeriodField({ condition, onChange, error }: Props) {
  const value = condition.value as { last: number } | { next: number }
  const [direction, days] =
    'next' in value ? (['next', value.next] as const) : (['last', value.last] as const)
  const change = (to: 'last' | 'next', count: number) =>
    onChange(to === 'next' ? { next: count } : { last: count })
  return (
    <div className="flex items-end gap-2">
      <Select
        name={t('value.direction')}
        className="w-32"
        value={direction}
        onChange={(next) => change(next, days)}
        choices={(['last', 'next'] as const).map((choice) => ({
          value: choice,
          label: t(`value.direction.${choice}`),
        }))}
      />
      <TextField
        label={t('condition.days')}
        className="w-24"
        type="number"
        min={1}
        error={error}
        value={days || ''}
        onChange={(event) => change(direction, Number(event.target.value))}
      />
    </div>
  )
}

const isStretch = (value: unknown): boolean =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

export function ValueField(props: Props) {
  const { field, condition, catalog, onChange, error } = props
  const { op, value } = condition
  if (needsNoValue(op)) return null
  if (op === 'within' && isStretch(value)) return <PeriodField {...props} />
  if (op === 'between') {
    const [from, to] = Array.isArray(value) ? value : []
    const rangeField = (label: string, index: 0 | 1, now: unknown) => (
      <TextField
        label={label}
        type={inputType(field)}
        error={index === 0 ? error : undefined}
        value={formatValue(field, now)}
        onChange={(event) => {
          const next = parseValue(field, event.target.value)
          onChange((index === 0 ? [next, to ?? ''] : [from ?? '', next]) as Value)
        }}
      />
    )
    return (
      <div className="grid grid-cols-2 gap-2">
        {rangeField(t('condition.from'), 0, from)}
        {rangeField(t('condition.to'), 1, to)}
      </div>
    )
  }
  if (isList(op)) {
    const choices =
      field.kind === 'tags' ? catalog.tags.map((tag) => ({ value: tag, label: tag })) : field.choices
    return choices ? (
      <MultiSelect
        label={t('condition.value')}
        choices={choices}
        values={Array.isArray(value) ? value.map(String) : []}
        onChange={onChange}
        error={error}
      />
    ) : (
      <ListField {...props} />
    )
  }
  if (field.kind === 'yesNo')
    return (
      <SelectField
        label={t('condition.value')}
        error={error}
        value={String(value === true || value === 'true')}
        onChange={(next) => onChange(next === 'true')}
        choices={[
          { value: 'true', label: t('yes') },
          { value: 'false', label: t('no') },
        ]}
      />
    )
  if (field.choices)
    return (
      <SelectField
        label={t('condition.value')}
        error={error}
        value={textOf(value) || null}
        onChange={onChange}
        choices={field.choices}
      />
    )
  return (
    <TextField
      label={t('condition.value')}
      type={inputType(field)}
      hint={textOf(value).includes('{{now.') ? t('value.today') : undefined}
      error={error}
      value={formatValue(field, value)}
      onChange={(event) => onChange(parseValue(field, event.target.value))}
    />
  )
}
