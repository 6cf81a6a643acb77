/** CSV as RFC 4180 writes it, safe to open in a spreadsheet. */

/** A spreadsheet takes what begins so for a formula; in East Asian locales the full-width signs too. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/
/** Some spreadsheets begin a new cell at `;` and TAB as well, in which a formula may stand. */
const NEEDS_QUOTES = /[",;\t\r\n]/

/** A cell: what could be taken for a formula has an apostrophe before it; nothing for null. */
function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line with its end. */
export const csvLine = (cells: (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`
