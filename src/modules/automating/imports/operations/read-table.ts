/**
 * Reads a file of people from any program as rows of cells: CSV with any delimiter and encoding, or vCards.
 */
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { columnNames } from './csv/column-names.ts'
import { delimiterOf } from './csv/delimiter.ts'
import { type Encoding, encodingOf } from './csv/encoding.ts'
import { findHeading } from './csv/heading.ts'
import { type CsvRow, readRows } from './csv/read-rows.ts'
import { type TextFile, type TextSource, textOf } from './csv/text-lines.ts'
import { refuseSpreadsheet } from './spreadsheet-kind.ts'
import { CARD_COLUMNS, isCards, readCards } from './vcard/read-cards.ts'

/** `number`: from 1 below the heading, which has 0. Rows above it have negative numbers. */
export type TableRow = CsvRow & { number: number }
/** The heading: its position among all rows, from 1, and its line. Null without a heading. */
export type Heading = { place: number; line: number } | null

export type Table = {
  encoding: Encoding
  heading: Heading
  columns: string[]
  /** Yields all rows, including the heading, from the beginning at each call. */
  rows(): AsyncGenerator<TableRow>
}

/** A person's choices for a file. Missing choices are detected. */
export type TableChoices = {
  encoding?: Encoding | undefined
  delimiter?: string | undefined
  /** `line` null: the file has no heading. */
  heading?: { line: number | null } | undefined
}

/** The first rows decide the heading and the number of columns. */
const SAMPLE_ROWS = 50
/** Cells read per turn of the event loop, some milliseconds of work. */
const CELLS_IN_A_TURN = 500

const HOLDS_NUL =
  'The line that names the columns contains NUL: the file isn\'t text, or its encoding isn\'t known. Choose its encoding, or save it as "CSV UTF-8".'

async function firstRows(rows: AsyncGenerator<CsvRow>): Promise<CsvRow[]> {
  const first: CsvRow[] = []
  for await (const row of rows) {
    first.push(row)
    if (first.length === SAMPLE_ROWS) break
  }
  return first
}

async function* numberRows(rows: AsyncGenerator<CsvRow>, heading: Heading): AsyncGenerator<TableRow> {
  let number = -(heading?.place ?? 0)
  let cells = 0
  for await (const row of rows) {
    cells += row.cells.length
    if (cells >= CELLS_IN_A_TURN) {
      cells = 0
      await endOfTurn()
    }
    yield { ...row, number: ++number }
  }
}

const withoutEmptyEnd = (cells: readonly string[]): number => cells.findLastIndex((cell) => cell !== '') + 1

/** A row with more cells is rejected. */
const MAX_NAMED = 1_000

/** Returns the column names from the heading, or from positions. */
export function columnsOf(heading: readonly string[] | null, rows: readonly (readonly string[])[]): string[] {
  if (heading !== null) return columnNames(heading.slice(0, MAX_NAMED))
  const widest = Math.max(1, ...rows.map(withoutEmptyEnd))
  return columnNames(Array.from({ length: Math.min(widest, MAX_NAMED) }, () => ''))
}

function headingOf(first: CsvRow[], chosen: TableChoices['heading']): Heading {
  const headingPlace = chosen ? first.findIndex(({ line }) => line === chosen.line) : findHeading(first)
  if (chosen && chosen.line !== null && headingPlace === -1)
    throw new Error(
      `Line ${chosen.line} is not one of the first ${SAMPLE_ROWS} lines with text, so it can't name the columns.`,
    )
  const row = headingPlace === undefined ? undefined : first[headingPlace]
  if (!chosen && first[0]?.fault !== undefined)
    throw new Error(`The first line, which names the columns, ${first[0].fault}.`)
  if (row?.fault !== undefined) throw new Error(`Line ${row.line}, which names the columns, ${row.fault}.`)
  if (row?.cells.some((cell) => cell.includes('\0'))) throw new Error(HOLDS_NUL)
  return row ? { place: headingPlace! + 1, line: row.line } : null
}

/** Opens a CSV file. */
async function openCsv(
  text: TextFile,
  { delimiter: chosenDelimiter, heading: chosen }: TableChoices,
): Promise<Table> {
  const delimiter = chosenDelimiter ?? delimiterOf(text.head)
  const first = await firstRows(readRows(text, { delimiter }))
  const heading = headingOf(first, chosen)
  const data = first.flatMap(({ cells, fault }) => (fault === undefined ? [cells] : []))
  const columns = columnsOf(heading && first[heading.place - 1]!.cells, data)
  const width = columns.length
  return {
    encoding: text.encoding,
    heading,
    columns,
    rows: () => numberRows(readRows(text, { delimiter, width }), heading),
  }
}

/** Detects the format of a file. Throws an error for people if the file can't be read at all. */
export async function openTable(source: TextSource, choices: TableChoices = {}): Promise<Table> {
  await refuseSpreadsheet(source)
  const encoding = choices.encoding ?? (await encodingOf(source.stream()))
  const text = await textOf(source, encoding)
  if (!isCards(text.head)) return openCsv(text, choices)
  const heading = { place: 1, line: 0 }
  return { encoding, heading, columns: [...CARD_COLUMNS], rows: () => numberRows(readCards(text), heading) }
}

/** Returns why a row can't be read with these columns; null if it can. */
export function rowFault({ cells, fault }: CsvRow, columns: readonly string[]): string | null {
  if (fault !== undefined) return fault
  if (withoutEmptyEnd(cells) <= columns.length) return null
  return `has more cells than the file's ${columns.length} columns. Check its delimiters and quotes`
}
