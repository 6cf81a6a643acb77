const PLACEHOLDER = /\{\{([^{}]{1,300})\}\}/g

/** Returns the names of all placeholders in the texts of a JSON value: `contact.name` for `Dear {{ contact.name }}`. */
export const placeholderNames = (value: unknown): string[] => {
  if (typeof value === 'string') return [...value.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim())
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(placeholderNames)
}
