/** Lengths of texts in characters. An emoji of two UTF-16 units is one character and is never cut in two. */

/** Returns the first characters of a text, at most `max`. It reads no further, so long texts cost no more. */
export const cutText = (text: string, max: number): string =>
  text.length <= max
    ? text
    : Array.from(text.slice(0, 2 * max))
        .slice(0, max)
        .join('')

/** Whether a text has more than `max` characters. */
export const isLonger = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || Array.from(text).length > max)
