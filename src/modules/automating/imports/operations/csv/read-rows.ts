/**
 * Reads rows of a CSV file of any size, one at a time, so that only the current row is in memory. If a row
 * has malformed quotes, only that row is rejected, and reading continues at the line after its first
 * (DECISIONS.md).
 */
import { yieldPeriodically } from '../../../../../core/yield-periodically.ts'
import { MAX_CELLS, type ScannedLine, scanLine } from './scan-line.ts'
import { type Line, linesOf, type TextFile } from './text-lines.ts'

/** `line`: the row's first line. `fault`: why the row can't be read; then its only cell is its beginning. */
export type CsvRow = { line: number; cells: string[]; fault?: string }

/** A longer row isn't data about people. */
const MAX_ROW_LENGTH = 1024 * 1024
/** A quoted cell with more lines has an unclosed quote. */
const MAX_ROW_LINES = 100

/** A first line in which spreadsheets state the delimiter. */
export const SEPARATOR_LINE = /^sep=([,;|\t])[\s,;|]*$/i

const AFTER_QUOTE =
  'has a malformed quote: text follows a closing quote. Put the whole cell in quotes and double those inside it'
const TOO_MANY_CELLS = `has more than ${MAX_CELLS} cells. Check its delimiters`
const TOO_LONG = `is longer than ${MAX_ROW_LENGTH} characters`
const unclosed = (where: string): string =>
  `has a quote that isn't closed ${where}. Close it, or double it if it is part of the text. The next line was read as usual`

/** A line that was read ahead. `continued`: its cells as the next line of a quoted cell, if computed. */
type LineAhead = Line & { continued?: ScannedLine }

/** Reads lines of a file, and lines ahead of the current one. */
function lineReader(lines: AsyncGenerator<Line>) {
  const ahead: LineAhead[] = []
  /** Returns the line at this distance ahead; undefined at the end. */
  const peek = async (distance: number): Promise<LineAhead | undefined> => {
    while (ahead.length <= distance) {
      const { value, done } = await lines.next()
      if (done) return undefined
      ahead.push(value)
    }
    return ahead[distance]
  }
  return { peek, pass: (count: number) => void ahead.splice(0, count) }
}

type Row = { line: number; beginning: string; lines: number } & ({ cells: string[] } | { fault: string })

/** `width`: the number of columns, if known. */
export type CsvReading = { delimiter: string; width?: number | undefined }

/** Reads the row that begins on the next line, and further lines while a quoted cell continues. */
async function readRow(
  peek: (distance: number) => Promise<LineAhead | undefined>,
  { delimiter, width }: CsvReading,
): Promise<Row | undefined> {
  const first = await peek(0)
  if (!first) return undefined
  const row = { line: first.number, beginning: first.text, lines: 1 }
  if (first.isTooLong) return { ...row, fault: TOO_LONG }
  const scannedLines = [scanLine(first.text, delimiter, false)]
  if (scannedLines[0]!.fault === 'text after a quote') return { ...row, fault: AFTER_QUOTE }
  let length = first.text.length
  while (scannedLines.at(-1)!.isOpen) {
    const line = await peek(scannedLines.length)
    if (!line) return { ...row, fault: unclosed('before the end of the file') }
    length += line.text.length
    if (scannedLines.length === MAX_ROW_LINES || length > MAX_ROW_LENGTH)
      return { ...row, fault: unclosed(`within ${MAX_ROW_LINES} lines`) }
    line.continued ??= scanLine(line.text, delimiter, true)
    scannedLines.push(line.continued)
  }
  const count = scannedLines.reduce((sum, { cells }) => sum + cells.length - 1, 1)
  if (count > MAX_CELLS || scannedLines.at(-1)!.fault === 'too many cells')
    return { ...row, fault: TOO_MANY_CELLS }
  const cells = joined(scannedLines)
  if (
    scannedLines.length > 1 &&
    (scannedLines.at(-1)!.fault !== undefined || isClosedElsewhere(cells, delimiter, width))
  )
    return { ...row, fault: unclosed('on its line') }
  return { ...row, lines: scannedLines.length, cells }
}

/**
 * Returns whether a later row closed the quote of a multi-line row: it has too many cells, or too few and a
 * line that is a complete row. A row can end before its last columns.
 */
function isClosedElsewhere(cells: string[], delimiter: string, width: number | undefined): boolean {
  if (width === undefined || cells.length === width) return false
  const isRow = (line: string) => line.split(delimiter).length === width
  return cells.length > width || width === 1 || cells.some((cell) => cell.split('\n').some(isRow))
}

/** Joins the cells of a row whose quoted cells continue on the next line. */
function joined(scannedLines: ScannedLine[]): string[] {
  const cells = [...scannedLines[0]!.cells]
  for (const { cells: more } of scannedLines.slice(1)) {
    cells.push(cells.pop()! + more[0]!)
    cells.push(...more.slice(1))
  }
  return cells
}

/** Yields the rows of a file without blank rows. */
export async function* readRows(text: TextFile, reading: CsvReading): AsyncGenerator<CsvRow> {
  const { peek, pass } = lineReader(linesOf(text, MAX_ROW_LENGTH))
  const giveWay = yieldPeriodically()
  const first = await peek(0)
  if (first && SEPARATOR_LINE.test(first.text)) pass(1)
  for (let row = await readRow(peek, reading); row; row = await readRow(peek, reading)) {
    await giveWay()
    pass(row.lines)
    const { line } = row
    if ('fault' in row) yield { line, cells: [row.beginning.trim()], fault: row.fault }
    else if (row.cells.some((cell) => cell !== '')) yield { line, cells: row.cells }
  }
}
