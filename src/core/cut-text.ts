/** The first characters of a text, `max` at most; none is cut in two, as `slice` would cut an emoji. */
export const cutText = (text: string, max: number): string => Array.from(text).slice(0, max).join('')
