type Part = string | false | null | undefined

/** Joins class names into one string, and skips false values. */
export const classes = (...parts: Part[]): string => parts.filter(Boolean).join(' ')
