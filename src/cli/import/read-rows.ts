/** Rows of a CSV file, one at a time: whatever its size, only what is being read is in memory. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { type CsvError, parse } from 'csv-parse'

export type CsvRow = { line: number; values: Record<string, string> }

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
    return counted.reduce((most, next) => (next.count > most.count ? next : most)).one
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

/** The column names and then the rows of `file`. A file that is no CSV fails, naming the line. */
export async function* readRows(file: string): AsyncGenerator<CsvRow> {
  const parser = parse({ ...PARSING, columns: true, delimiter: await delimiterOf(file) })
  const source = createReadStream(file)
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: Record<string, string>
      info: { lines: number }
    }>)
      yield { line: info.lines, values: record }
  } catch (error) {
    const { code, message } = error as CsvError
    throw new Error(code?.startsWith('CSV_') ? `The file cannot be read as CSV: ${message}` : message, {
      cause: error,
    })
  } finally {
    source.destroy()
  }
}
