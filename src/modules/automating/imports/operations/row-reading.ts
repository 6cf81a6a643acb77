/** Settings for reading a file's rows: a person's choices, or the file's evidence. */
import { countryOf } from '../../../../core/values/phone.ts'
import type { FieldType } from '../../../messaging/contacts/settings-schema.ts'
import { ATTRIBUTE, type Formats, type Mapping, PHONE_FIELDS } from '../schema.ts'
import type { ColumnEvidence } from './cells/column-evidence.ts'
import { datesOf, habitsOf, numbersOf } from './cells/column-formats.ts'
import type { Column, RowReading } from './field-values.ts'
import { countryColumn } from './guess-mapping.ts'
import { labelColumn } from './known-columns.ts'

/** `countryColumn` undefined: the guessed column. */
export type ReadingOf = {
  columns: readonly string[]
  evidence: readonly ColumnEvidence[]
  mapping: Mapping
  constants: Record<string, string>
  countryColumn: string | null | undefined
  formats: Formats | undefined
  declared: readonly { key: string; type: FieldType }[]
  workspace: { timezone: string; countryCode: string }
  now: Date
  /** True if the import keeps all cells of a row: a column without a field becomes a custom field. */
  keepsAll?: boolean
}

const CAMPAIGN_SOURCE = `${ATTRIBUTE}utm_source`

export function rowReading({ columns, evidence, mapping, workspace, ...options }: ReadingOf): RowReading {
  const habits = habitsOf(workspace.countryCode, countryOf(workspace.countryCode))
  const columnOf = (name: string | null | undefined): Column | undefined =>
    name === undefined || name === null || !columns.includes(name)
      ? undefined
      : { place: columns.indexOf(name), name }
  const fieldsByColumn = Object.entries(mapping)
  const phones = PHONE_FIELDS.flatMap((phoneField) => {
    const column = columnOf(fieldsByColumn.find(([, field]) => field === phoneField)?.[0])
    return column ? [{ ...column, label: columnOf(labelColumn(column.name, columns)) }] : []
  })
  const [, ...sparePhones] = phones
  const extraFields = options.keepsAll
    ? sparePhones.map(({ name }): [string, string] => [name, ATTRIBUTE + name])
    : []
  const isPhone = (field: string): boolean => (PHONE_FIELDS as readonly string[]).includes(field)
  const fields = [...fieldsByColumn.filter(([, field]) => !isPhone(field)), ...extraFields].flatMap(
    ([name, field]) => {
      const column = columnOf(name)
      if (!column) return []
      const chosen = options.formats?.[name]
      const own = evidence[column.place]
      return [
        {
          ...column,
          field,
          numbers: numbersOf(own, evidence, habits, chosen),
          dates: datesOf(own, evidence, habits, chosen),
        },
      ]
    },
  )
  return {
    phones,
    country: columnOf(
      options.countryColumn === undefined ? countryColumn({ columns, evidence }) : options.countryColumn,
    ),
    fields: fields.toSorted((a, b) => a.place - b.place),
    constants: options.constants,
    timezone: workspace.timezone,
    countryCode: workspace.countryCode,
    thisYear: options.now.getUTCFullYear(),
    types: new Map(options.declared.map(({ key, type }) => [key, type])),
    keepsAll: options.keepsAll ?? false,
    campaign: options.keepsAll
      ? columnOf(fieldsByColumn.find(([, field]) => field === CAMPAIGN_SOURCE)?.[0])
      : undefined,
  }
}

/** Returns the kind of a mapped column whose format matters. */
export function formatKind(field: string, types: RowReading['types']): 'number' | 'date' | undefined {
  if (field === 'rating' || field === 'dealValue') return 'number'
  if (field === 'nextFollowUpAt') return 'date'
  const type = field.startsWith(ATTRIBUTE) ? types.get(field.slice(ATTRIBUTE.length)) : undefined
  return type === 'number' || type === 'date' ? type : undefined
}
