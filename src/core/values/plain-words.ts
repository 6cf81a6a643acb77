/** Invisible marks: of direction, of joining letters, of emoji presentation. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu
/** The dot that a Turkish capital leaves in lower case. */
const DOT_ABOVE = /(?<=i)\u0307/gu

/** Normalizes people's texts for comparison: one case, one spelling of accents, no invisible marks, single spaces. */
export const normalizeWords = (text: string): string =>
  text
    .normalize('NFKC')
    // Through capitals, so that STRASSE equals straße.
    .toUpperCase()
    .toLowerCase()
    .replace(DOT_ABOVE, '')
    .replace(UNSEEN, '')
    .trim()
    .replace(/\s+/g, ' ')
