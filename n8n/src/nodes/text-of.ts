/** Returns a value of a field or a reply as text: '' if it is neither a text nor a number. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
