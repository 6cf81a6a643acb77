import { cutText } from './cut-text.ts'

/**
 * Returns the text with each match of `place` replaced by `valueNamed` of its first group (undefined: unchanged), cut to `max`
 * characters. Cuts while it builds: many places and one long value would otherwise make millions of characters. Each name is
 * looked up once.
 */
export function fillPlaces(
  text: string,
  place: RegExp,
  valueNamed: (name: string) => string | undefined,
  max: number,
): string {
  // A character has at most two UTF-16 units.
  const room = 2 * max
  const values = new Map<string, string | undefined>()
  const known = (name: string): string | undefined => {
    if (!values.has(name)) values.set(name, valueNamed(name))
    return values.get(name)
  }
  let filled = ''
  let from = 0
  const add = (more: string): void => {
    filled += more.slice(0, room - filled.length)
  }
  for (const match of text.matchAll(place)) {
    add(text.slice(from, match.index))
    if (filled.length === room) return cutText(filled, max)
    add(known(match[1] ?? '') ?? match[0])
    from = match.index + match[0].length
  }
  add(text.slice(from))
  return cutText(filled, max)
}
