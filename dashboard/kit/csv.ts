/** Writes tables as files for spreadsheets (RFC 4180). */
import { saveFile } from './save-file.ts'

/**
 * Text that a spreadsheet reads as a formula, as in `src/core/values/csv.ts`; csv.test.ts compares the cells of
 * both.
 */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/** Returns a cell; escapes a text that a spreadsheet would read as a formula. */
function cellOf(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvOf = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')

/** Saves a table as a file through the browser. */
export function downloadCsv(name: string, rows: readonly (readonly (string | number | null)[])[]): void {
  // The byte order mark by which spreadsheets recognize UTF-8.
  saveFile(`${name}.csv`, new Blob(['\uFEFF', csvOf(rows)], { type: 'text/csv;charset=utf-8' }))
}
