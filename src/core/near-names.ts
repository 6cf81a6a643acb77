/** Longer texts are no mistyped names, and comparing them letter by letter would hold up everybody. */
const MAX_LETTERS = 64
const MAX_HINTS = 3

/**
 * What a mistyped name may have meant: the nearest of `names` in any case, at most three. `isRelated` lets a name in however far it is.
 */
export function nearNames(
  wanted: string,
  names: Iterable<string>,
  isRelated: (name: string) => boolean,
): string[] {
  const typed = wanted.toLowerCase()
  return [...names]
    .map((name) => ({ name, distance: editDistance(typed, name.toLowerCase()) }))
    .filter(({ name, distance }) => isNear(distance, name) || isRelated(name))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_HINTS)
    .map(({ name }) => name)
}

/** As far as two typing mistakes, or a third of a long name; of a short one some letter has to be right. */
const isNear = (distance: number, name: string): boolean =>
  distance <= Math.max(2, name.length / 3) && distance < name.length

/** How many letters must be put in, taken out or changed to make one text of the other (Levenshtein). */
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
