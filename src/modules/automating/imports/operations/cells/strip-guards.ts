/**
 * Our CSV export adds an apostrophe to these cells, so that no spreadsheet reads them as formulas
 * (core/values/csv.ts).
 */
const GUARDED = /^'(?=\s*[=+\-@＝＋－＠])/

/** A formula that keeps all digits as text in spreadsheets: `="919812345678"`. */
const AS_TEXT = /^="([^"]*)"$/

/** An apostrophe that people add so that a spreadsheet keeps the digits: `'919812345678`. */
const KEPT_DIGITS = /^'(?=[\s().-]*\d[\d\s().-]*$)/

/** The prefix of numbers in files of the photo network's lead forms: `p:+919812345678`. */
const MARKED = /^p:(?=\s*\+?\d)/

/** Returns a cell without the prefix that our CSV export, or a spreadsheet that keeps digits, added. */
export const unguarded = (cell: string): string => (IS_GUARDED.test(cell) ? withoutMarks(cell) : cell)

const IS_GUARDED = /^(?:['=]|p:)/
const withoutMarks = (cell: string): string =>
  cell.replace(GUARDED, '').replace(KEPT_DIGITS, '').replace(AS_TEXT, '$1').replace(MARKED, '')
