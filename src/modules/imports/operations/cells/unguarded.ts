/** What our own CSV has an apostrophe before, so that no spreadsheet takes it for a formula (core/csv.ts). */
const GUARDED = /^'(?=\s*[=+\-@＝＋－＠])/

/** What spreadsheets read as text, digits and all: `="919812345678"`. */
const AS_TEXT = /^="([^"]*)"$/

/** What people put before a number so that a spreadsheet keeps its digits: `'919812345678`. */
const KEPT_DIGITS = /^'(?=[\s().-]*\d[\d\s().-]*$)/

/** What the photo network's lead forms put before a number in their files: `p:+919812345678`. */
const MARKED = /^p:(?=\s*\+?\d)/

/** A cell as it was before our own CSV, or a spreadsheet that keeps the digits of numbers, guarded it. */
export const unguarded = (cell: string): string => (IS_GUARDED.test(cell) ? bare(cell) : cell)

const IS_GUARDED = /^(?:['=]|p:)/
const bare = (cell: string): string =>
  cell.replace(GUARDED, '').replace(KEPT_DIGITS, '').replace(AS_TEXT, '$1').replace(MARKED, '')
