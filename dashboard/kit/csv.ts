/** Tables as files for spreadsheets (RFC 4180). */
import { saveFile } from './save-file.ts'

/** What a spreadsheet takes for a formula, as `src/core/csv.ts` has it; csv.test.ts holds both to the same cells. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/** A cell; a text that a spreadsheet would take for a formula is kept from being one. */
function cellOf(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvOf = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')

/** Has the browser save a table. */
export function downloadCsv(name: string, rows: readonly (readonly (string | number | null)[])[]): void {
  // The mark by which spreadsheets know UTF-8.
  saveFile(`${name}.csv`, new Blob(['\uFEFF', csvOf(rows)], { type: 'text/csv;charset=utf-8' }))
}
