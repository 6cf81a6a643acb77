// Writes code with ASCII characters only. V8 stores a text with a character above U+00FF in two bytes a character, so a few such
// characters double the memory of a bundle of four megabytes.
import { decode, encode } from '@jridgewell/sourcemap-codec'

// One UTF-16 unit at a time, because an escape in code has four digits.
const NON_ASCII = /[^\0-\x7F]/g
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
const ADDED = '\\u0000'.length - 1

/**
 * Returns the code with escapes, and the mappings of its source map moved accordingly. An escape means the same in texts, patterns,
 * and names. In a `String.raw` it does only if the text becomes a pattern.
 */
export function asciiCode(code, mappings) {
  const lines = code.split('\n')
  const moved = decode(mappings).map((segments, number) => {
    const places = [...(lines[number] ?? '').matchAll(NON_ASCII)].map(({ index }) => index)
    let before = 0
    return segments.map(([column, ...origin]) => {
      while (before < places.length && places[before] < column) before++
      return [column + before * ADDED, ...origin]
    })
  })
  return { code: code.replaceAll(NON_ASCII, escaped), mappings: encode(moved) }
}
