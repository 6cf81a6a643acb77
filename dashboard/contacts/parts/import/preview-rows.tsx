/** Shows the first rows as they will be imported. */
import { useQuery } from '@tanstack/react-query'
import { ServerText } from '../../../api/server-text.tsx'
import { fieldsQuery } from '../../../inbox/queries.ts'
import { Section } from '../../../kit/page.tsx'
import { Table } from '../../../kit/table.tsx'
import { formatLocale } from '../../../texts.ts'
import { fieldName } from './columns.tsx'
import type { Preview } from './queries.ts'
import { t } from './texts.ts'

type Row = Preview['rows'][number]

const countries = new Intl.DisplayNames(formatLocale, { type: 'region' })
const numbers = new Intl.NumberFormat(formatLocale, { maximumFractionDigits: 20 })
// A date has no time zone: it is the same everywhere.
const days = new Intl.DateTimeFormat(formatLocale, { dateStyle: 'medium', timeZone: 'UTC' })
const moments = new Intl.DateTimeFormat(formatLocale, { dateStyle: 'medium', timeStyle: 'short' })

/** `ZZ`: unknown. */
const countryName = (country: string | null): string =>
  country === null || country === 'ZZ' ? '' : (countries.of(country) ?? country)

/** Returns a value in readable form; `isDate` for a column of dates. */
function formatCell(value: unknown, isDate: boolean): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'number') return numbers.format(value)
  if (typeof value !== 'string') return JSON.stringify(value)
  if (!isDate || Number.isNaN(Date.parse(value))) return value
  return (value.length > '2026-01-31'.length ? moments : days).format(Date.parse(value))
}

export function PreviewRows({ preview, mapping }: { preview: Preview; mapping: Record<string, string> }) {
  const { data: definitions = [] } = useQuery(fieldsQuery)
  const dates = new Set(
    Object.entries(preview.formats).flatMap(([column, { kind }]) =>
      kind === 'date' && mapping[column] !== undefined ? [mapping[column]] : [],
    ),
  )
  const fields = [...new Set(preview.rows.flatMap(({ values }) => Object.keys(values)))]
  return (
    <Section title={t('preview')} description={t('phone.rule')}>
      <Table<Row>
        label={t('preview')}
        isPlain
        rows={preview.rows}
        keyOf={({ line }) => String(line)}
        columns={[
          { id: 'line', title: t('preview.line'), cell: ({ line }) => line, end: true },
          {
            id: 'phone',
            title: t('target.phone'),
            className: 'whitespace-nowrap',
            cell: ({ phone }) => <bdi dir="ltr">{phone}</bdi>,
          },
          {
            id: 'country',
            title: t('preview.country'),
            className: 'whitespace-nowrap',
            cell: ({ country }) => countryName(country),
          },
          ...fields.map((field) => ({
            id: `field ${field}`,
            title: fieldName(field, definitions),
            cell: ({ values }: Row) => (
              <span className="block max-w-48 truncate">{formatCell(values[field], dates.has(field))}</span>
            ),
          })),
          {
            id: 'problem',
            title: t('preview.problem'),
            className: 'min-w-56',
            cell: ({ reason }) =>
              reason === null ? (
                <span className="text-ink-2">{t('preview.none')}</span>
              ) : (
                <span className="text-sm text-bad">
                  <ServerText>{reason}</ServerText>
                </span>
              ),
          },
        ]}
      />
    </Section>
  )
}
