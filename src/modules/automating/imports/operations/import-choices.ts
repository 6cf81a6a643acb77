/** A person's choices for an uploaded file: the heading, the country column, and formats. */
import type { Context } from '../../../../core/context.ts'
import { type Issue, invalid } from '../../../../core/errors.ts'
import { BEFORE_ALL_ROWS, type ImportRow, listFileRows } from '../queries.ts'
import { type ImportChoices, MAX_COLUMNS } from '../schema.ts'
import { isEmail, isLongNumber } from './cells/cell-kinds.ts'
import { noEvidence } from './cells/column-evidence.ts'
import { columnsOf } from './read-table.ts'

/** The heading is chosen among this many rows. */
export const FIRST_ROWS = 10
/** Rows that decide the number of columns in a file without a heading. */
const WIDTH_ROWS = 50

type File = Pick<ImportRow, 'columns' | 'evidence' | 'heading' | 'headingLine'>

const refusal = (message: string) => invalid([{ path: 'headingLine', message }])

/**
 * Returns the columns of a file for the heading that a person chose. Refuses with `invalid` if that line
 * can't be the heading.
 */
export async function chooseHeading(
  ctx: Context,
  row: ImportRow,
  line: ImportChoices['headingLine'],
): Promise<File> {
  const { columns, evidence, heading, headingLine } = row
  if (line === undefined || line === headingLine) return { columns, evidence, heading, headingLine }
  // An older version stored cells by column, without the heading.
  if (row.evidence === null) throw refusal("Can't be chosen for this import. Upload the file again.")
  const first = await listFileRows(ctx, row, {
    done: BEFORE_ALL_ROWS,
    limit: line === null ? WIDTH_ROWS : FIRST_ROWS,
  })
  const chosen = line === null ? undefined : first.find((row) => row.line === line)
  if (line !== null && !chosen) throw refusal(`Must be one of the first ${FIRST_ROWS} lines with text.`)
  if (chosen && chosen.fault !== null && chosen.cells.length === 1)
    throw refusal(`Can't be read: it ${chosen.fault}.`)
  // Column names stay when a contact is erased, so they must not contain a person's data.
  if (chosen?.cells.some((cell) => isLongNumber(cell) || isEmail(cell)))
    throw refusal('Must not have a phone number or an email: it must name the columns.')
  if (chosen && chosen.number >= row.rows) throw refusal('Must have rows below it.')
  const columnNames = columnsOf(chosen?.cells ?? null, chosen ? [] : first.map(({ cells }) => cells))
  if (columnNames.length > MAX_COLUMNS) throw refusal(`Must have at most ${MAX_COLUMNS} cells.`)
  return {
    columns: columnNames,
    // The columns keep their positions.
    evidence: columnNames.map((_, place) => evidence?.[place] ?? noEvidence()),
    heading: chosen?.number ?? (first[0]?.number ?? 1) - 1,
    headingLine: chosen?.line ?? null,
  }
}

/** Returns the errors in the choices for these columns. */
export function choiceIssues(
  { countryColumn, formats = {} }: ImportChoices,
  columns: readonly string[],
): Issue[] {
  const message = 'Must be a column of the file.'
  return [
    ...(countryColumn && !columns.includes(countryColumn) ? [{ path: 'countryColumn', message }] : []),
    ...Object.keys(formats).flatMap((name) =>
      columns.includes(name) ? [] : [{ path: `formats.${name}`, message }],
    ),
  ]
}
