/** Arranges simultaneous bookings side by side in a column of the calendar. */
type Stretch = { from: number; to: number }
type LaneItem<Item> = { item: Item; lane: number; lanes: number }

export function lanesOf<Item extends Stretch>(items: readonly Item[]): LaneItem<Item>[] {
  const placed: LaneItem<Item>[] = []
  let group: LaneItem<Item>[] = []
  let ends: number[] = []
  const close = () => {
    for (const item of group) item.lanes = ends.length
    placed.push(...group)
    group = []
    ends = []
  }
  for (const item of items.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (ends.every((end) => end <= item.from)) close()
    const free = ends.findIndex((end) => end <= item.from)
    const lane = free < 0 ? ends.length : free
    ends[lane] = item.to
    group.push({ item, lane, lanes: 1 })
  }
  close()
  return placed
}
