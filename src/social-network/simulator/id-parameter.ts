/** Returns an id parameter, text or number, as text; '' for other values. */
export const idParameter = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
