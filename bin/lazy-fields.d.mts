/** Returns the code with getters for the fields of its schemas; undefined if it has none. */
export function withLazyFields(code: string, path: string): string | undefined
