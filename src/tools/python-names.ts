/** Names of the Python SDK, from the names of the API. */

/** Python's keywords that are names of the API. An argument with such a name ends with `_`. */
const KEYWORDS =
  /^(?:False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)$/

export const isKeyword = (name: string): boolean => KEYWORDS.test(name)

/** Returns the Python name of a method, a resource, or an argument: `displayName` → `display_name`, `from` → `from_`. */
export function snakeCase(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return isKeyword(words) ? `${words}_` : words
}

/** Returns a name as a part of a type's name: `byDay` → `ByDay`, `quick_reply` → `QuickReply`. */
export const pascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Returns the singular of the name of a list's type: `LeadTags` → `LeadTag`. */
export const singular = (name: string): string =>
  name
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1')
