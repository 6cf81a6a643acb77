/**
 * Rows of a CSV file, one at a time: whatever its size, only what is being read is in memory. A row whose quotes are
 * malformed is refused alone, and reading goes on at the line after its first (docs/decisions/backup.md).
 */
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { type Line, linesOf, type TextFile } from './text-lines.ts'

/** `line`: the first that it is on. `fault` says why a row cannot be read; its one cell is how it begins. */
export type CsvRow = { line: number; cells: string[]; fault?: string }

/** A row longer than this is no row of people. */
const MAX_ROW_LENGTH = 1024 * 1024
/** A quoted cell that goes on for longer was never meant to: its quote is not closed. */
const MAX_ROW_LINES = 100

/** The first line in which spreadsheets say how cells are parted. */
export const SEPARATOR_LINE = /^sep=([,;|\t])[\s,;|]*$/i

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

/** `width`: how many columns the rows have, where it is known. */
export type CsvReading = { delimiter: string; width?: number | undefined }

/** The rows of a file, blank ones left out. */
export async function* readRows(text: TextFile, { delimiter, width }: CsvReading): AsyncGenerator<CsvRow> {
  const cellsOf = cellReader(delimiter)
  const { peek, pass } = lineReader(linesOf(text, MAX_ROW_LENGTH))
  const first = await peek(0)
  if (first && SEPARATOR_LINE.test(first.text)) pass(1)
  for (let row = await readRow(peek, cellsOf); row; row = await readRow(peek, cellsOf)) {
    const { number: line, text: beginning } = (await peek(0))!
    const read = closedElsewhere(row, delimiter, width) ?? row
    pass('fault' in read ? 1 : read.lines)
    if ('fault' in read) yield { line, cells: [beginning.trim()], fault: read.fault }
    else if (read.cells.some((cell) => cell !== '')) yield { line, cells: read.cells }
  }
}

/**
 * A row of several lines whose quote a later row closed: it has too many cells, or too few and a line in its midst that is a row of
 * its own. A row may end before its last columns.
 */
function closedElsewhere(
  row: Read,
  delimiter: string,
  width: number | undefined,
): { fault: string } | undefined {
  if ('fault' in row || row.lines === 1 || width === undefined || row.cells.length === width) return undefined
  const isRow = (line: string) => line.split(delimiter).length === width
  const isWhole =
    row.cells.length < width && width > 1 && !row.cells.some((cell) => cell.split('\n').some(isRow))
  return isWhole ? undefined : { fault: unclosed('on its line') }
}
