/** Returns a LIKE pattern for values that start with the text; wildcards in the text are escaped. */
export const startsLike = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`

/** Returns a LIKE pattern for values that contain the text; wildcards in the text are escaped. */
export const containsLike = (text: string): string => `%${startsLike(text)}`
