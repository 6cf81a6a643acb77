import { Select } from '../../../kit/select.tsx'
import { type Column, Table } from '../../../kit/table.tsx'
import type { Submission } from './queries.ts'
import { t } from './texts.ts'

type Field = Submission['fields'][number]
type Chosen = Record<string, string>

const AUTO = 'auto'
const MEANINGS = ['phone', 'name', 'firstName', 'lastName', 'email', 'note', 'source'] as const
const NAME_MAX = 100

const attributeOf = ({ label }: Field): string => `attributes.${label.slice(0, NAME_MAX)}`

const choicesFor = (field: Field) => [
  { value: AUTO, label: t('target.auto') },
  ...MEANINGS.map((value) => ({ value: value as string, label: t(`target.${value}`) })),
  { value: attributeOf(field), label: t('target.attribute', { name: field.label }) },
  { value: 'ignore', label: t('target.ignore') },
]

type Props = { fields: Field[]; chosen?: Chosen; onChange?: (chosen: Chosen) => void }

/** Shows the answers of a submission, and with `onChange` a choice of field for each. */
export function FieldTable({ fields, chosen = {}, onChange }: Props) {
  const setTarget = ({ path }: Field, target: string) => {
    const { [path]: _, ...others } = chosen
    onChange?.(target === AUTO ? others : { ...others, [path]: target })
  }
  const target: Column<Field> = {
    id: 'target',
    title: t('column.target'),
    cell: (field) => (
      // Fills the column: the longest choice would make it wider than a phone.
      <div className="w-56 max-sm:w-36">
        <Select
          name={t('target.of', { field: field.label })}
          value={chosen[field.path] ?? AUTO}
          onChange={(next) => setTarget(field, next)}
          choices={choicesFor(field)}
        />
      </div>
    ),
  }
  return (
    <Table
      label={t('fields')}
      rows={fields}
      keyOf={({ path }) => path}
      columns={[
        {
          id: 'field',
          title: t('column.field'),
          className: 'min-w-32',
          cell: ({ label, values }) => (
            <>
              <span className="font-medium wrap-anywhere">{label}</span>
              <span className="line-clamp-3 text-sm text-ink-2 wrap-anywhere sm:hidden">
                {values.join(', ')}
              </span>
            </>
          ),
        },
        {
          id: 'value',
          title: t('column.value'),
          hideBelow: 'sm',
          className: 'w-2/5',
          cell: ({ values }) => (
            <span className="line-clamp-3 text-ink-2 wrap-anywhere">{values.join(', ')}</span>
          ),
        },
        ...(onChange ? [target] : []),
      ]}
    />
  )
}
