type Part = string | false | null | undefined

/** Class names in one string; what is false is left out. */
export const classes = (...parts: Part[]): string => parts.filter(Boolean).join(' ')
