/** Numbers as people and spreadsheets write them. */

const GROUPED = /^[+-]?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d*)?$/
/** The comma is decimal if other than three digits follow, as in much of the world. */
const DECIMAL_COMMA = /^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d*),(?:\d{1,2}|\d{4,})$/

/** Returns the number in a text: `1,25,000.50`, `₹ 900`, and `7,5` or `1.250,50` with a decimal comma. */
export function writtenNumber(text: string): number | undefined {
  const compact = text.replace(/[\s₹$€£]/g, '')
  const plain = DECIMAL_COMMA.test(compact)
    ? compact.replaceAll('.', '').replace(',', '.')
    : GROUPED.test(compact)
      ? compact.replaceAll(',', '')
      : compact
  return plain !== '' && Number.isFinite(Number(plain)) ? Number(plain) : undefined
}
