/** CSV in the format of RFC 4180, safe to open in a spreadsheet. */

/** Spreadsheets read a cell that starts with these characters as a formula; in East Asian locales, the full-width signs too. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/
/** Some spreadsheets also start a new cell at `;` and TAB, and that cell could be a formula. */
const NEEDS_QUOTES = /[",;\t\r\n]/

/** Writes a cell. An apostrophe before a possible formula keeps it a text; null becomes an empty cell. */
function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns a line with its line break. */
export const csvLine = (cells: (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`
