/** A pattern of LIKE for what starts with the text; its wildcards stand for themselves. */
export const startsLike = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`

/** A pattern of LIKE for what contains the text; its wildcards stand for themselves. */
export const containsLike = (text: string): string => `%${startsLike(text)}`
