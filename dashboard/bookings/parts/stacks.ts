/** Combines bookings that have no room side by side into stacks. Pure. */
import { HOUR_MINUTES } from './grid-scale.ts'
import { lanesOf } from './lanes.ts'

type Stretch = { from: number; to: number }
type Place = { lane: number; lanes: number }
/** Bookings in the last lane; `from` and `to` are the place of the stack in the grid. */
export type Stack<Item> = Stretch & Place & { items: Item[] }
export type Arranged<Item> = { placed: (Place & { item: Item })[]; stacks: Stack<Item>[] }

/**
 * Places simultaneous bookings in at most `max` lanes. Those that need more lanes are stacked in the last one. A stack
 * has the bookings that start within an hour, so that a long busy time becomes several stacks.
 */
export function arrange<Item extends Stretch>(items: readonly Item[], max: number): Arranged<Item> {
  const inLanes = lanesOf(items)
  const placed = inLanes
    .filter(({ lane, lanes }) => lanes <= max || lane < max - 1)
    .map(({ item, lane, lanes }) => ({ item, lane, lanes: Math.min(lanes, max) }))
  const hidden = inLanes
    .filter(({ lane, lanes }) => lanes > max && lane >= max - 1)
    .map(({ item }) => item)
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
  const stacks: Stack<Item>[] = []
  for (const item of hidden) {
    const last = stacks.at(-1)
    if (last && item.from < last.to && item.from < last.from + HOUR_MINUTES) {
      last.items.push(item)
      last.to = Math.max(last.to, item.to)
      continue
    }
    if (last) last.to = Math.min(last.to, item.from)
    stacks.push({ from: item.from, to: item.to, lane: max - 1, lanes: max, items: [item] })
  }
  // A booking that is alone in its place needs no stack.
  return {
    placed: [
      ...placed,
      ...stacks.flatMap(({ items: [item, ...others], lane, lanes }) =>
        item && others.length === 0 ? [{ item, lane, lanes }] : [],
      ),
    ],
    stacks: stacks.filter(({ items: { length } }) => length > 1),
  }
}
