/** An id as a parameter has it, text or number; empty where it is neither. */
export const idParameter = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
