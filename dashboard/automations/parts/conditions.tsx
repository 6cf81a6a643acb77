/** Shows conditions as rows: field, operator, and value. */
import { Plus, X } from 'lucide-react'
import { useRef } from 'react'
import type { Issue } from '../../api/errors.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { SelectField } from '../../kit/select.tsx'
import { errorAt, type Match, type Row, rowOf } from '../draft.ts'
import { type Catalog, conditionOn, type Field, fieldNamed, firstValue, type Op, opsOf } from '../fields.ts'
import type { Condition } from '../queries.ts'
import { t } from '../texts.ts'
import { ValueField } from './value-field.tsx'

const MAX = 20

type RowProps = {
  index: number
  row: Row<Condition>
  fields: readonly Field[]
  catalog: Catalog
  path: string
  issues: readonly Issue[]
  onChange: (condition: Condition) => void
  onRemove: () => void
}

function ConditionRow({ index, row, fields, catalog, path, issues, onChange, onRemove }: RowProps) {
  const condition = row.value
  const field = fieldNamed(fields, condition.field)
  const number = index + 1
  const withOp = (op: Op) => {
    const isKept = firstKindOf(op) === firstKindOf(condition.op)
    onChange(isKept ? { ...condition, op } : conditionOn(field, op))
  }
  const names = fields.some(({ name }) => name === field.name) ? fields : [field, ...fields]
  return (
    <li
      aria-label={t('condition', { number })}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 border-b pb-3 last:border-0 last:pb-0"
    >
      <div className="grid gap-2 sm:grid-cols-[minmax(0,1.2fr)_minmax(0,0.8fr)_minmax(0,1.2fr)]">
        <SelectField
          label={t('condition.field')}
          error={errorAt(issues, `${path}.field`)}
          value={field.name}
          onChange={(name) => onChange(conditionOn(fieldNamed(fields, name)))}
          choices={names.map(({ name, label }) => ({ value: name, label }))}
        />
        <SelectField
          label={t('condition.op')}
          error={errorAt(issues, `${path}.op`)}
          value={condition.op}
          onChange={withOp}
          choices={opsOf(field, condition.op).map((op) => ({ value: op, label: t(`op.${op}`) }))}
        />
        <ValueField
          key={`${condition.field} ${firstKindOf(condition.op)}`}
          field={field}
          condition={condition}
          catalog={catalog}
          onChange={(value) => onChange({ ...condition, value } as Condition)}
          error={errorAt(issues, `${path}.value`)}
        />
      </div>
      <IconButton icon={X} className="mt-6" label={t('condition.remove', { number })} onClick={onRemove} />
    </li>
  )
}

/** Returns the kind of value for an operator: the value stays when a new operator has the same kind. */
const firstKindOf = (op: Op): string => {
  const value = firstValue({ name: '', label: '', kind: 'value' }, op)
  return op === 'within' || op === 'between' ? op : Array.isArray(value) ? 'list' : typeof value
}

type Props = {
  match: Match
  rows: readonly Row<Condition>[]
  fields: readonly Field[]
  catalog: Catalog
  path: string
  issues: readonly Issue[]
  onChange: (match: Match, rows: Row<Condition>[]) => void
}

export function Conditions({ match, rows, fields, catalog, path, issues, onChange }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const add = () => {
    const first = fields.find(({ name }) => name === 'lead.stage') ?? fields[0]!
    onChange(match, [...rows, rowOf(conditionOn(first))])
    // The focus moves to the new row, which must be filled in next.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>('li:last-child [role=combobox]')?.focus(),
    )
  }
  return (
    <div ref={list} className="flex flex-col gap-3">
      {rows.length > 1 && (
        <div className="max-w-64">
          <SelectField
            label={t('match')}
            value={match}
            onChange={(next) => onChange(next, [...rows])}
            choices={(['all', 'any'] as const).map((value) => ({ value, label: t(`match.${value}`) }))}
          />
        </div>
      )}
      {rows.length > 0 && (
        <ol className="flex flex-col gap-3">
          {rows.map((row, index) => (
            <ConditionRow
              key={row.key}
              index={index}
              row={row}
              fields={fields}
              catalog={catalog}
              path={`${path}.conditions[${index}]`}
              issues={issues}
              onChange={(value) =>
                onChange(
                  match,
                  rows.map((existing) => (existing.key === row.key ? { ...existing, value } : existing)),
                )
              }
              onRemove={() =>
                onChange(
                  match,
                  rows.filter(({ key }) => key !== row.key),
                )
              }
            />
          ))}
        </ol>
      )}
      {rows.length < MAX && (
        <Button icon={Plus} size="sm" className="self-start" onClick={add}>
          {t('condition.add')}
        </Button>
      )}
    </div>
  )
}
