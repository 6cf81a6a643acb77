import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { invalid } from '../../../../core/errors.ts'
import { BEFORE_ALL_ROWS, type ImportRow, listFileRows } from '../queries.ts'
import type { Preview, PreviewRequest } from '../schema.ts'
import type { RowReading } from './field-values.ts'
import { choiceIssues, chooseHeading, FIRST_ROWS } from './import-choices.ts'
import { mappedContact, mappedLead, mappingIssues, numberOfRow, rowValues } from './mapped-rows.ts'
import { declaredFields, guessOf, sampleOf } from './read-imports.ts'
import { formatKind, rowReading } from './row-reading.ts'

const PREVIEWED_ROWS = 5

type Previewed = z.input<typeof Preview>

/** Returns the formats of mapped number and date columns. */
const formatsOf = ({ fields, types }: RowReading): Previewed['formats'] =>
  Object.fromEntries(
    fields.flatMap(({ name, field, numbers, dates }): [string, Previewed['formats'][string]][] => {
      const kind = formatKind(field, types)
      if (kind === undefined) return []
      if (kind === 'date') return [[name, { kind, format: dates.order, basis: dates.basis }]]
      const format = numbers.decimals && (numbers.decimals === 'point' ? 'decimalPoint' : 'decimalComma')
      return [[name, { kind, format, basis: numbers.basis }]]
    }),
  )

/**
 * Returns the first rows of a file as an import with these choices would read them. Refuses with `invalid`.
 * Writes nothing.
 */
export async function previewImport(
  ctx: Context,
  row: ImportRow,
  request: PreviewRequest,
): Promise<Previewed> {
  const { kind, constants, formats } = request
  const file: ImportRow = { ...row, ...(await chooseHeading(ctx, row, request.headingLine)) }
  const [above, rows, guess, declared] = await Promise.all([
    listFileRows(ctx, file, { done: BEFORE_ALL_ROWS, limit: FIRST_ROWS }),
    listFileRows(ctx, file, { done: file.heading, limit: PREVIEWED_ROWS }),
    guessOf(ctx, file),
    declaredFields(ctx),
  ])
  const mapping = request.mapping ?? guess[kind]
  const issues = [
    ...mappingIssues(mapping, { kind, columns: file.columns }).filter(({ path }) => path !== 'mapping'),
    ...choiceIssues(request, file.columns),
  ]
  if (issues.length > 0) throw invalid(issues)
  const reading = rowReading({
    columns: file.columns,
    evidence: file.evidence ?? [],
    mapping,
    constants,
    countryColumn: request.countryColumn,
    formats,
    declared,
    workspace: ctx.workspace,
    now: ctx.now,
  })
  return {
    columns: file.columns,
    rowCount: file.rows - file.heading,
    sample: sampleOf(rows, file.columns),
    guess,
    // Imports from an older version don't have the heading line.
    lines: row.evidence === null ? [] : above.map(({ line, cells }) => ({ line, cells })),
    headingLine: file.headingLine,
    countryColumn: reading.country?.name ?? null,
    formats: formatsOf(reading),
    rows: rows.map(({ line, cells, fault }) => ({ line, ...readRow(cells, fault, kind, reading) })),
  }
}

function readRow(
  cells: string[],
  fault: string | null,
  kind: PreviewRequest['kind'],
  reading: RowReading,
): Omit<Previewed['rows'][number], 'line'> {
  const nothing = { phone: null, country: null, values: {} }
  if (fault !== null) return { ...nothing, reason: fault }
  const number = numberOfRow(cells, reading)
  const { values } = rowValues(cells, reading, kind === 'leads' ? 'name' : 'displayName')
  const body = kind === 'leads' ? mappedLead(cells, reading) : mappedContact(cells, reading)
  const usedNumber = 'text' in number && number.phone !== null ? number : { phone: null, country: null }
  const unread = 'reason' in number ? number.reason : null
  return {
    phone: usedNumber.phone,
    country: usedNumber.country,
    values,
    reason: typeof body === 'string' ? body : unread,
  }
}
