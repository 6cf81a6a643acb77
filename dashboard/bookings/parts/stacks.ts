/** Combines bookings that have no room side by side into stacks. Pure. */
import { HOUR_MINUTES } from './grid-scale.ts'
import { lanesOf } from './lanes.ts'

type Stretch = { from: number; to: number }
/** Bookings over the whole width of a column; `from` and `to` are the place of the stack in the grid. */
export type Stack<Item> = Stretch & { items: Item[] }
type Arranged<Item> = { placed: { item: Item; lane: number; lanes: number }[]; stacks: Stack<Item>[] }

/**
 * Places simultaneous bookings side by side, in at most `max` lanes. Bookings of a busier time are stacked. A stack has
 * the bookings that start within an hour, and reaches to the next stack, so that a busy time has no gap.
 */
export function arrange<Item extends Stretch>(items: readonly Item[], max: number): Arranged<Item> {
  const inLanes = lanesOf(items)
  const crowded = inLanes
    .filter(({ lanes }) => lanes > max)
    .map(({ item }) => item)
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
  const stacks: Stack<Item>[] = []
  for (const item of crowded) {
    const last = stacks.at(-1)
    const isBusy = last !== undefined && item.from < last.to
    if (isBusy && item.from < last.from + HOUR_MINUTES) {
      last.items.push(item)
      last.to = Math.max(last.to, item.to)
      continue
    }
    stacks.push({ from: item.from, to: Math.max(item.to, isBusy ? last.to : 0), items: [item] })
    if (isBusy) last.to = item.from
  }
  return { placed: inLanes.filter(({ lanes }) => lanes <= max), stacks }
}
