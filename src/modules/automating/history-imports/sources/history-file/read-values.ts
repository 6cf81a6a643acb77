/** Reads a file of messages, CSV or JSONL, as values by field. */
import { isObject } from '../../../../../core/values/storable.ts'
import { yieldPeriodically } from '../../../../../core/yield-periodically.ts'
import { linesOf, type TextFile } from '../../../imports/operations/csv/text-lines.ts'
import { openTable, rowFault } from '../../../imports/operations/read-table.ts'
import { HistoryFault } from '../../history-source.ts'
import { asFault, openText, type textSourceOf } from '../file-text.ts'
import { fieldsOfColumns, type MessageValues, requireFields } from './message-fields.ts'

/** A row of the file. `fault`: it can't be read. */
export type ReadValues = { line: number; values: MessageValues } | { line: number; fault: string }

const MAX_LINE = 256 * 1024

/** Opens the file, and returns a function that reads it from its beginning at each call. */
export async function openValues(
  source: ReturnType<typeof textSourceOf>,
): Promise<() => AsyncGenerator<ReadValues>> {
  const text = await openText(source)
  if (text.head.trimStart().startsWith('{')) return () => jsonLines(text)
  if (/^\s*\[\s*[\]{]/.test(text.head))
    throw new HistoryFault(
      'The file is one JSON list. Write one object in each line, without the brackets around them.',
    )
  if (text.head.trim() === '') throw new HistoryFault('The file is empty.')
  const table = await openTable(source).catch((error: unknown) => {
    throw asFault(error)
  })
  const fields = fieldsOfColumns(table.columns)
  requireFields(fields)
  return async function* () {
    for await (const row of table.rows()) {
      if (row.number < 1) continue
      const { line } = row
      if (rowFault(row, table.columns) !== null) {
        yield { line, fault: 'row_unreadable' }
        continue
      }
      const values: MessageValues = {}
      for (const [place, field] of fields.entries())
        if (field !== undefined && row.cells[place]?.trim()) values[field] = row.cells[place]
      yield { line, values }
    }
  }
}

async function* jsonLines(text: TextFile): AsyncGenerator<ReadValues> {
  const giveWay = yieldPeriodically()
  for await (const { number: line, text: content, isTooLong } of linesOf(text, MAX_LINE)) {
    await giveWay()
    if (content.trim() === '') continue
    const value = isTooLong ? undefined : parsed(content)
    yield isObject(value) ? { line, values: valuesOf(value) } : { line, fault: 'row_unreadable' }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function valuesOf(object: Record<string, unknown>): MessageValues {
  const keys = Object.keys(object)
  const values: MessageValues = {}
  for (const [place, field] of fieldsOfColumns(keys).entries()) {
    const value = object[keys[place]!]
    const text = typeof value === 'number' ? String(value) : value
    if (field !== undefined && typeof text === 'string' && text.trim() !== '') values[field] = text
  }
  return values
}
