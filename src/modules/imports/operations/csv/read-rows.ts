/**
 * Rows of a CSV file, one at a time: whatever its size, only what is being read is in memory. A row whose quotes are
 * malformed is refused alone, and reading goes on at the line after its first (docs/decisions/backup.md).
 */
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { cutText } from '../../../../core/cut-text.ts'
import { type Line, linesOf, QUOTED_CELL, type TextSource, textOf } from './text-lines.ts'

/** `line`: the first that it is on. `fault` says why a row cannot be read; the cells that no column is for are under the name of none. */
export type CsvRow = { line: number; values: Record<string, string>; fault?: string }

const DELIMITERS = [',', ';', '\t', '|']
/** A row longer than this is no row of people. */
const MAX_ROW_LENGTH = 1024 * 1024
/** A quoted cell that goes on for longer was never meant to: its quote is not closed. */
const MAX_ROW_LINES = 100

/** The line before the names of the columns in which spreadsheets say how cells are parted. */
const SEPARATOR_LINE = /^sep=([,;|\t])[\s,;|]*$/i

/** The delimiter that the file names, else the one that stands most between the names of the columns. */
function delimiterOf(head: string): string {
  const named = SEPARATOR_LINE.exec(head.split(/[\r\n]/, 1)[0]!)
  if (named) return named[1]!
  const lines = head.replaceAll(QUOTED_CELL, '""').split(/[\r\n]/)
  const first = lines.find((line) => line.trim() !== '') ?? ''
  const counted = DELIMITERS.map((one) => ({ one, count: first.split(one).length }))
  return counted.reduce((max, next) => (next.count > max.count ? next : max)).one
}

/** A row as it stands on the lines from the first one on, or why it is none. */
type Read = { cells: string[]; lines: number } | { fault: string }

const LINE_ENDS = ['\r\n', '\n', '\r']
const withoutLineEnd = (text: string): string => {
  const end = LINE_ENDS.find((one) => text.endsWith(one))
  return end ? text.slice(0, -end.length) : text
}

/** Cells of a text that is one row; undefined while a quote of it is open; or the fault of a quote. */
const cellReader =
  (delimiter: string) =>
  (text: string): { cells: string[] } | { fault: string } | undefined => {
    // Most lines: a parser for each of them would cost ten times as much.
    if (!text.includes('"'))
      return {
        cells: withoutLineEnd(text)
          .split(delimiter)
          .map((cell) => cell.trim()),
      }
    try {
      const rows: string[][] = parse(withoutLineEnd(text), {
        delimiter,
        trim: true,
        // A quote in the midst of a cell that does not begin with one is part of it: 12" pipe.
        relax_quotes: true,
        relax_column_count: true,
        record_delimiter: '\n',
      })
      return { cells: rows.flat() }
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      return error.code === 'CSV_QUOTE_NOT_CLOSED' ? undefined : { fault: AFTER_QUOTE }
    }
  }

const AFTER_QUOTE =
  'has a malformed quote: text follows a closing quote. Put the whole cell in quotes and double those inside it'
const unclosed = (where: string): string =>
  `has a quote that is not closed ${where}. Close it, or double it if it is part of the text; reading went on at the next line`

const MAX_NAME = 100

/** The one name that no body may hold, so that nobody could map its column. */
const UNUSABLE = '__proto__'

/**
 * The names of the columns, each its own: one that comes again is numbered, one that is missing or unusable is called by
 * its place.
 */
function columnNames(cells: string[]): string[] {
  const names = new Set<string>()
  for (const [i, cell] of cells.entries()) {
    const name = (cell !== UNUSABLE && cutText(cell, MAX_NAME)) || `column ${i + 1}`
    let own = name
    for (let number = i + 1; names.has(own); number++) own = `${cutText(name, MAX_NAME - 8)} (${number})`
    names.add(own)
  }
  return [...names]
}

const HOLDS_NUL =
  'The first line holds NUL: the file is no text, or in an encoding that it does not say. Save it as UTF-8, which spreadsheets call "CSV UTF-8".'

/** Lines of a file with those that were looked at ahead. */
function lineReader(lines: AsyncGenerator<Line>) {
  const ahead: Line[] = []
  /** The line so far ahead of the next; undefined at the end. */
  const peek = async (distance: number): Promise<Line | undefined> => {
    while (ahead.length <= distance) {
      const { value, done } = await lines.next()
      if (done) return undefined
      ahead.push(value)
    }
    return ahead[distance]
  }
  return { peek, pass: (count: number) => void ahead.splice(0, count) }
}

/** Reads the row that begins on the next line: on this one, or while a quoted cell goes on, on further ones. */
async function readRow(
  peek: (distance: number) => Promise<Line | undefined>,
  cellsOf: ReturnType<typeof cellReader>,
): Promise<Read | undefined> {
  const first = await peek(0)
  if (!first) return undefined
  const tooLong = { fault: `is longer than ${MAX_ROW_LENGTH} characters` }
  if (first.isTooLong) return tooLong
  let text = first.text
  let found = cellsOf(text)
  let lines = 1
  while (!found) {
    const line = await peek(lines)
    if (!line) return { fault: unclosed('before the end of the file') }
    lines++
    text += line.text
    if (lines > MAX_ROW_LINES || text.length > MAX_ROW_LENGTH)
      return { fault: unclosed(`within ${MAX_ROW_LINES} lines`) }
    if (line.text.includes('"')) found = cellsOf(text)
  }
  if ('cells' in found) return { ...found, lines }
  return lines === 1 ? found : { fault: unclosed('on its line') }
}

/**
 * The rows of a file below the line of column names, which `onColumns` is called with. A first line that cannot be read is
 * an error.
 */
export async function* readRows(
  file: TextSource,
  onColumns: (names: string[]) => void = () => {},
): AsyncGenerator<CsvRow> {
  const text = textOf(file)
  const cellsOf = cellReader(delimiterOf(text.head))
  const { peek, pass } = lineReader(linesOf(text, MAX_ROW_LENGTH))
  const first = await peek(0)
  if (first && SEPARATOR_LINE.test(first.text)) pass(1)
  let columns: string[] | undefined
  for (let row = await readRow(peek, cellsOf); row; row = await readRow(peek, cellsOf)) {
    const { number: line, text: beginning } = (await peek(0))!
    const read = closedElsewhere(row, columns) ?? row
    pass('fault' in read ? 1 : read.lines)
    if ('fault' in read) {
      if (!columns) throw new Error(`The first line, which names the columns, ${read.fault}.`)
      yield { line, values: { ...cellsByColumn([], columns), '': beginning.trim() }, fault: read.fault }
    } else if (read.cells.some((cell) => cell !== '')) {
      if (columns) yield rowOf(line, read.cells, columns)
      else {
        if (read.cells.some((cell) => cell.includes('\0'))) throw new Error(HOLDS_NUL)
        columns = columnNames(read.cells)
        onColumns(columns)
      }
    }
  }
}

/** A row of several lines has a cell for each column; another one was ended by a quote of a later row. */
function closedElsewhere(row: Read, columns: string[] | undefined): { fault: string } | undefined {
  if ('fault' in row || row.lines === 1 || !columns || row.cells.length === columns.length) return undefined
  return { fault: unclosed('on its line') }
}

/** A cell for each column: what is called "constructor" would be found in a row that has no such cell, as in any object. */
const cellsByColumn = (cells: string[], columns: string[]): Record<string, string> =>
  Object.fromEntries(columns.map((name, i) => [name, cells[i] ?? '']))

function rowOf(line: number, cells: string[], columns: string[]): CsvRow {
  const values = cellsByColumn(cells, columns)
  const beyond = cells.slice(columns.length).filter((cell) => cell !== '')
  if (beyond.length === 0) return { line, values }
  return {
    line,
    values: { ...values, '': beyond.join(' | ') },
    fault: `has more cells than the ${columns.length} columns of the first line. Check its delimiters and quotes`,
  }
}
