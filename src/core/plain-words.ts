/** Marks that nobody sees: of direction, of joining letters, of how an emoji is drawn. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu
/** What a Turkish capital leaves behind in lower case. */
const DOT_ABOVE = /(?<=i)\u0307/gu

/** A text as what people write is compared: in one case, one spelling of accents, without marks that nobody sees, with single spaces. */
export const plainWords = (text: string): string =>
  text
    .normalize('NFKC')
    // By way of capitals: STRASSE is straße.
    .toUpperCase()
    .toLowerCase()
    .replace(DOT_ABOVE, '')
    .replace(UNSEEN, '')
    .trim()
    .replace(/\s+/g, ' ')
