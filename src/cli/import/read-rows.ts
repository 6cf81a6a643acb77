/** Rows of a CSV file, one at a time: whatever its size, only what is being read is in memory. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { type CsvError, parse } from 'csv-parse'

/** `fault` says why a row cannot be what it seems; the cells that no column is for are under the name of none. */
export type CsvRow = { line: number; values: Record<string, string>; fault?: string }

const DELIMITERS = [',', ';', '\t', '|']
const HEAD_BYTES = 64 * 1024
/** A row longer than this is no row of people. */
const ROW_BYTES_MAX = 1024 * 1024

/** The delimiter that the first line uses most. */
async function delimiterOf(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(HEAD_BYTES), position: 0 })
    const [first = ''] = buffer.toString('utf8', 0, bytesRead).split('\n')
    const counted = DELIMITERS.map((one) => ({ one, count: first.split(one).length }))
    return counted.reduce((max, next) => (next.count > max.count ? next : max)).one
  } finally {
    await handle.close()
  }
}

const PARSING = {
  bom: true,
  trim: true,
  info: true,
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  max_record_size: ROW_BYTES_MAX,
} as const

const MAX_NAME = 100

const cut = (name: string, max: number): string => Array.from(name).slice(0, max).join('')

/** The names of the columns, each its own: one that comes again is numbered, one that is missing is called by its place. */
function columnNames(cells: string[]): string[] {
  const names = new Set<string>()
  for (const [i, cell] of cells.entries()) {
    const name = cut(cell, MAX_NAME) || `column ${i + 1}`
    let own = name
    for (let number = i + 1; names.has(own); number++) own = `${cut(name, MAX_NAME - 8)} (${number})`
    names.add(own)
  }
  return [...names]
}

/** The column names and then the rows of `file`. A file that is no CSV fails, naming the line. */
export async function* readRows(file: string): AsyncGenerator<CsvRow> {
  let named = 0
  const columns = (cells: string[]) => {
    named = cells.length
    return columnNames(cells)
  }
  const parser = parse({ ...PARSING, columns, delimiter: await delimiterOf(file) })
  const source = createReadStream(file)
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: Record<string, string>
      info: { lines: number; error?: { record: string[] } }
    }>) {
      const beyond = info.error?.record.slice(named).filter((cell) => cell !== '') ?? []
      yield beyond.length === 0
        ? { line: info.lines, values: record }
        : {
            line: info.lines,
            values: { ...record, '': beyond.join(' | ') },
            fault: `has more cells than the ${named} columns of the first line: is a delimiter or a quote amiss?`,
          }
    }
  } catch (error) {
    const { code, message } = error as CsvError
    throw new Error(code?.startsWith('CSV_') ? `The file cannot be read as CSV: ${message}` : message, {
      cause: error,
    })
  } finally {
    source.destroy()
  }
}
