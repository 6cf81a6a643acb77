/** Longer texts are no mistyped names, and comparing them letter by letter would delay all requests. */
const MAX_LETTERS = 64
const MAX_HINTS = 3

/**
 * Returns the names that a mistyped name may mean: the nearest of `names` in any case, at most three. Names that pass
 * `isRelated` are included at any distance.
 */
export function nearNames(
  input: string,
  names: Iterable<string>,
  isRelated: (name: string) => boolean,
): string[] {
  const lowerCased = input.toLowerCase()
  return [...names]
    .map((name) => ({ name, distance: editDistance(lowerCased, name.toLowerCase()) }))
    .filter(({ name, distance }) => isNear(distance, name) || isRelated(name))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_HINTS)
    .map(({ name }) => name)
}

/** Allows two typing mistakes, or a third of a long name; of a short name at least one letter must match. */
const isNear = (distance: number, name: string): boolean =>
  distance <= Math.max(2, name.length / 3) && distance < name.length

/** Returns how many letters must be inserted, removed, or changed to turn one text into the other (Levenshtein). */
function editDistance(a: string, b: string): number {
  if (a.length > MAX_LETTERS || b.length > MAX_LETTERS) return Number.MAX_SAFE_INTEGER
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
