/** Numbers as people and spreadsheets write them. */

const GROUPED = /^[+-]?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d*)?$/
/** Not three digits after the comma: it ends the whole part, as much of the world writes it. */
const DECIMAL_COMMA = /^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d*),(?:\d{1,2}|\d{4,})$/

/** The number that a text spells: `1,25,000.50`, `₹ 900`, and `7,5` or `1.250,50` with a decimal comma. */
export function writtenNumber(text: string): number | undefined {
  const signs = text.replace(/[\s₹$€£]/g, '')
  const plain = DECIMAL_COMMA.test(signs)
    ? signs.replaceAll('.', '').replace(',', '.')
    : GROUPED.test(signs)
      ? signs.replaceAll(',', '')
      : signs
  return plain !== '' && Number.isFinite(Number(plain)) ? Number(plain) : undefined
}
