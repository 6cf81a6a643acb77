import { cutText } from './cut-text.ts'

/**
 * Returns the text with each match of `pattern` replaced by `findValue` of its first group (undefined: unchanged), cut to `max`
 * characters. Cuts while it builds: many places and one long value would otherwise make millions of characters. Each name is
 * looked up once.
 */
export function fillPlaces(
  text: string,
  pattern: RegExp,
  findValue: (name: string) => string | undefined,
  max: number,
): string {
  // A character has at most two UTF-16 units.
  const maxUnits = 2 * max
  const values = new Map<string, string | undefined>()
  const cachedValue = (name: string): string | undefined => {
    if (!values.has(name)) values.set(name, findValue(name))
    return values.get(name)
  }
  let result = ''
  let position = 0
  const append = (addition: string): void => {
    result += addition.slice(0, maxUnits - result.length)
  }
  for (const match of text.matchAll(pattern)) {
    append(text.slice(position, match.index))
    if (result.length === maxUnits) return cutText(result, max)
    append(cachedValue(match[1] ?? '') ?? match[0])
    position = match.index + match[0].length
  }
  append(text.slice(position))
  return cutText(result, max)
}
