/** Returns the items in random order; `random` returns numbers from 0 up to 1. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items]
  for (let index = result.length - 1; index > 0; index--) {
    const otherIndex = Math.floor(random() * (index + 1))
    const item = result[index] as T
    result[index] = result[otherIndex] as T
    result[otherIndex] = item
  }
  return result
}
