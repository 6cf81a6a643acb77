/**
 * Rows of a CSV file, one at a time: whatever its size, only what is being read is in memory. A row whose quotes are
 * malformed is refused alone, and reading goes on at the line after its first (docs/decisions/backup.md).
 */
import { cutText } from '../../../../core/cut-text.ts'
import { inSlices } from '../../../../core/give-way.ts'
import { MAX_CELLS, type Scanned, scanLine } from './scan-line.ts'
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

const AFTER_QUOTE =
  'has a malformed quote: text follows a closing quote. Put the whole cell in quotes and double those inside it'
const TOO_MANY_CELLS = `has more than ${MAX_CELLS} cells. Check its delimiters`
const TOO_LONG = `is longer than ${MAX_ROW_LENGTH} characters`
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

/** A line that was looked at ahead. `continued`: how it reads as the next line of a quoted cell, once that was asked. */
type Ahead = Line & { continued?: Scanned }

/** Lines of a file with those that were looked at ahead. */
function lineReader(lines: AsyncGenerator<Line>) {
  const ahead: Ahead[] = []
  /** The line so far ahead of the next; undefined at the end. */
  const peek = async (distance: number): Promise<Ahead | undefined> => {
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

/** Reads the row that begins on the next line: on that line alone, or on further ones while a quoted cell continues. */
async function readRow(
  peek: (distance: number) => Promise<Ahead | undefined>,
  delimiter: string,
  columns: string[] | undefined,
): Promise<Row | undefined> {
  const first = await peek(0)
  if (!first) return undefined
  const row = { line: first.number, beginning: first.text, lines: 1 }
  if (first.isTooLong) return { ...row, fault: TOO_LONG }
  const scanned = [scanLine(first.text, delimiter, false)]
  if (scanned[0]!.fault === 'text after a quote') return { ...row, fault: AFTER_QUOTE }
  let length = first.text.length
  while (scanned.at(-1)!.isOpen) {
    const line = await peek(scanned.length)
    if (!line) return { ...row, fault: unclosed('before the end of the file') }
    length += line.text.length
    if (scanned.length === MAX_ROW_LINES || length > MAX_ROW_LENGTH)
      return { ...row, fault: unclosed(`within ${MAX_ROW_LINES} lines`) }
    line.continued ??= scanLine(line.text, delimiter, true)
    scanned.push(line.continued)
  }
  const fault = faultOf(scanned, columns)
  return fault ? { ...row, fault } : { ...row, lines: scanned.length, cells: joined(scanned) }
}

function faultOf(scanned: Scanned[], columns: string[] | undefined): string | undefined {
  const count = scanned.reduce((sum, { cells }) => sum + cells.length - 1, 1)
  if (count > MAX_CELLS || scanned.at(-1)!.fault === 'too many cells') return TOO_MANY_CELLS
  if (scanned.length === 1) return undefined
  // A row of several lines has a cell for each column. Otherwise a quote of a later row ended it.
  const isItsOwn = scanned.at(-1)!.fault === undefined && (!columns || count === columns.length)
  return isItsOwn ? undefined : unclosed('on its line')
}

/** The cells of a row, whose quoted cells may continue on the next line. */
function joined(scanned: Scanned[]): string[] {
  const cells = [...scanned[0]!.cells]
  for (const { cells: more } of scanned.slice(1)) {
    cells.push(cells.pop()! + more[0]!)
    cells.push(...more.slice(1))
  }
  return cells
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
  const delimiter = delimiterOf(text.head)
  const { peek, pass } = lineReader(linesOf(text, MAX_ROW_LENGTH))
  const giveWay = inSlices()
  const first = await peek(0)
  if (first && SEPARATOR_LINE.test(first.text)) pass(1)
  let columns: string[] | undefined
  for (
    let row = await readRow(peek, delimiter, columns);
    row;
    row = await readRow(peek, delimiter, columns)
  ) {
    await giveWay()
    pass(row.lines)
    const { line } = row
    if ('fault' in row) {
      if (!columns) throw new Error(`The first line, which names the columns, ${row.fault}.`)
      yield { line, values: { ...cellsByColumn([], columns), '': row.beginning.trim() }, fault: row.fault }
    } else if (row.cells.some((cell) => cell !== '')) {
      if (columns) yield rowOf(line, row.cells, columns)
      else {
        if (row.cells.some((cell) => cell.includes('\0'))) throw new Error(HOLDS_NUL)
        columns = columnNames(row.cells)
        onColumns(columns)
      }
    }
  }
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
