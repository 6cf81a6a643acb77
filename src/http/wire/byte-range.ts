/** Byte positions; both ends are included. */
export type Range = { start: number; end: number }

/**
 * Returns the part of `size` bytes that a Range header requests (RFC 9110 section 14.2). Undefined means the
 * whole, also for a header that we don't support; `unsatisfiable` means that no such part exists.
 */
export function rangeOf(header: string | undefined, size: number): Range | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const [first, last] = [Number(match[1]), Number(match[2])]
  if (match[1] === '')
    return last === 0 ? 'unsatisfiable' : { start: Math.max(0, size - last), end: size - 1 }
  if (first >= size) return 'unsatisfiable'
  if (match[2] === '') return { start: first, end: size - 1 }
  return last < first ? undefined : { start: first, end: Math.min(last, size - 1) }
}
