/**
 * Letters with a dot that phones write as one character and Unicode's normal forms as two: Devanagari, Bengali, Gurmukhi, Odia.
 */
const DOTTED = [
  0x958, 0x959, 0x95a, 0x95b, 0x95c, 0x95d, 0x95e, 0x95f, 0x9dc, 0x9dd, 0x9df, 0xa33, 0xa36, 0xa59, 0xa5a,
  0xa5b, 0xa5e, 0xb5c, 0xb5d,
].map((code) => String.fromCodePoint(code))
const DOTTED_BY_PARTS = new Map(DOTTED.map((letter) => [letter.normalize('NFC'), letter]))
const PARTS = new RegExp([...DOTTED_BY_PARTS.keys()].join('|'), 'gu')

const IS_ASCII = /^[\0-\x7f]*$/

/**
 * Returns the encodings of the same letters by keyboards and files: unchanged, composed (`é` as one character), decomposed (a
 * letter and its accent), and composed with dotted letters as one character. Stored texts keep their encoding, so searches look
 * for each.
 */
export function spellings(text: string): string[] {
  if (IS_ASCII.test(text)) return [text]
  const composed = text.normalize('NFC')
  const dotted = composed.replace(PARTS, (parts) => DOTTED_BY_PARTS.get(parts)!)
  return [...new Set([text, composed, text.normalize('NFD'), dotted])]
}
