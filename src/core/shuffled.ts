/** Returns the items in random order; `random` returns numbers from 0 up to 1. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const mixed = [...items]
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const here = mixed[at] as T
    mixed[at] = mixed[other] as T
    mixed[other] = here
  }
  return mixed
}
