/** Maps each column to a field, with samples of the file, and the format of its numbers or dates. */
import { useQuery } from '@tanstack/react-query'
import { fieldsQuery } from '../../../inbox/queries.ts'
import { type Choice, Select } from '../../../kit/select.tsx'
import { Table } from '../../../kit/table.tsx'
import type { Kind, Preview } from './queries.ts'
import { t } from './texts.ts'

const FIELDS = {
  contacts: [
    'phone',
    'phone2',
    'phone3',
    'displayName',
    'firstName',
    'lastName',
    'language',
    'tags',
    'optInStatus',
    'optInSource',
  ],
  leads: [
    'phone',
    'phone2',
    'phone3',
    'name',
    'firstName',
    'lastName',
    'email',
    'source',
    'note',
    'stage',
    'lostReason',
    'owner',
    'rating',
    'dealValue',
    'tags',
    'nextFollowUpAt',
  ],
} as const satisfies Record<Kind, readonly string[]>
const NONE = 'none'
const ATTRIBUTE = 'attributes.'

export type Mapping = Record<string, string>
export type Format = NonNullable<Preview['formats'][string]['format']>
type Declared = { key: string; label: string }

const FORMATS = {
  number: ['decimalPoint', 'decimalComma'],
  date: ['dayFirst', 'monthFirst'],
} as const

/** Returns the label of a field. */
export function fieldName(field: string, definitions: readonly Declared[]): string {
  const target = [...FIELDS.contacts, ...FIELDS.leads].find((candidate) => candidate === field)
  if (target) return t(`target.${target}`)
  const key = field.slice(ATTRIBUTE.length)
  return definitions.find((definition) => definition.key === key)?.label ?? key
}

/** Returns the choices for a column: our fields, custom fields, or a new field with the column's name. */
function choicesFor(kind: Kind, column: string, definitions: readonly Declared[]): Choice<string>[] {
  const own = definitions.map(({ key, label }) => ({ value: ATTRIBUTE + key, label }))
  const fresh = ATTRIBUTE + column
  return [
    { value: NONE, label: t('target.none') },
    ...FIELDS[kind].map((field) => ({ value: field as string, label: t(`target.${field}`) })),
    ...own,
    ...(own.some(({ value }) => value === fresh)
      ? []
      : [{ value: fresh, label: t('target.new', { name: column }) }]),
  ]
}

type Props = {
  file: Pick<Preview, 'columns' | 'sample'>
  kind: Kind
  mapping: Mapping
  onChange: (mapping: Mapping) => void
  /** The current formats of mapped number and date columns. */
  read: Preview['formats']
  onFormat: (column: string, format: Format) => void
}

const MIXED = 'mixed'

function FormatChoice({
  column,
  read,
  onFormat,
}: Pick<Props, 'onFormat'> & { column: string; read: Preview['formats'][string] }) {
  const { kind, format, basis } = read
  const hint = basis === 'mixed' || basis === 'country' ? t(`format.${basis}.hint`) : undefined
  return (
    <div className="mt-1.5 flex flex-col gap-1">
      <Select<Format | typeof MIXED>
        name={t('format.of', { column })}
        value={format ?? MIXED}
        onChange={(next) => next !== MIXED && onFormat(column, next)}
        choices={[
          ...(format === null ? [{ value: MIXED, label: t('format.mixed') } as const] : []),
          ...FORMATS[kind].map((value) => ({ value, label: t(`format.${value}`) })),
        ]}
      />
      {hint && <p className="text-sm text-warn">{hint}</p>}
    </div>
  )
}

export function Columns({ file, kind, mapping, onChange, read, onFormat }: Props) {
  const { data: definitions = [] } = useQuery(fieldsQuery)
  const setTarget = (column: string, target: string) => {
    // A field can have only one column: the column that had it before is left out.
    const next = Object.fromEntries(
      Object.entries(mapping).filter(([other, field]) => other !== column && field !== target),
    )
    onChange(target === NONE ? next : { ...next, [column]: target })
  }
  const samplesOf = (column: string) =>
    [...new Set(file.sample.map((cells) => cells[column] ?? ''))].filter((cell) => cell !== '').slice(0, 3)
  return (
    <Table
      label={t('mapping')}
      rows={file.columns}
      keyOf={(column) => column}
      columns={[
        {
          id: 'column',
          title: t('column'),
          cell: (column) => <span className="font-medium break-words">{column}</span>,
        },
        {
          id: 'sample',
          title: t('sample'),
          hideBelow: 'sm',
          className: 'w-1/3',
          cell: (column) => (
            <ul className="text-sm text-ink-2">
              {samplesOf(column).map((cell) => (
                <li key={cell} className="max-w-56 truncate">
                  {cell}
                </li>
              ))}
            </ul>
          ),
        },
        {
          id: 'target',
          title: t('target'),
          className: 'w-56 max-sm:w-44',
          cell: (column) => (
            <>
              <Select
                name={t('target.of', { column })}
                value={mapping[column] ?? NONE}
                onChange={(target) => setTarget(column, target)}
                choices={choicesFor(kind, column, definitions)}
              />
              {mapping[column] !== undefined && read[column] && (
                <FormatChoice column={column} read={read[column]} onFormat={onFormat} />
              )}
            </>
          ),
        },
      ]}
    />
  )
}
