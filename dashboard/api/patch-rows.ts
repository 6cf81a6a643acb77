/** A list that is shown, brought up to date by the rows that changed. */

export type Row = { id: string }
export type Page = Record<string, unknown>
/** What a list is ordered by: either two rows show which comes first, or a row shows what its place hangs on. */
export type Order =
  | {
      compare: (one: never, other: never) => number
      /** Its pages say how many rows there are: one that enters or leaves has the list read again. */
      isCounted?: true
    }
  /** While this stays what it is, so does the row's place and whether it is in the list. */
  | { place: (row: never) => unknown }

/** The later first; of times as of ids, which rise with time. */
export const laterFirst = (one: string, other: string): number => (one < other ? 1 : one > other ? -1 : 0)
export const newestFirst = (one: Row, other: Row): number => laterFirst(one.id, other.id)

type Patch = {
  /** Where the rows of a page stand: `conversations`. */
  rows: string
  /** What changed. */
  ids: readonly string[]
  /** What of that is in the list now. */
  fresh: readonly Row[]
  order: Order
}

const rowsOf = (page: Page, rows: string): readonly Row[] => page[rows] as readonly Row[]

/** Rows put back into as many pages, the rest into the last. */
function paged(pages: readonly Page[], rows: string, all: readonly Row[]): Page[] {
  let from = 0
  return pages.map((page, at) => {
    const end = at === pages.length - 1 ? all.length : from + rowsOf(page, rows).length
    const part = all.slice(from, end)
    from = end
    return { ...page, [rows]: part }
  })
}

/** The pages as they are now; undefined: they are to be read again. */
export function patchRows(pages: readonly Page[], { rows, ids, fresh, order }: Patch): Page[] | undefined {
  const all = pages.flatMap((page) => rowsOf(page, rows))
  const byId = new Map(fresh.map((row) => [row.id, row]))
  if ('place' in order) {
    const place = order.place as (row: Row) => unknown
    const named = new Set(ids)
    const known = all.filter(({ id }) => named.has(id))
    const isSettled =
      known.length === byId.size &&
      known.every((row) => {
        const now = byId.get(row.id)
        return now !== undefined && place(now) === place(row)
      })
    if (!isSettled) return undefined
    return paged(
      pages,
      rows,
      all.map((row) => byId.get(row.id) ?? row),
    )
  }
  const compare = order.compare as (one: Row, other: Row) => number
  const named = new Set(ids)
  if (order.isCounted) {
    const known = all.filter(({ id }) => named.has(id))
    if (known.length !== byId.size || known.some(({ id }) => !byId.has(id))) return undefined
  }
  const last = all.at(-1)
  // What stands behind all that has been read comes with its own page.
  const isEnd = pages.at(-1)?.nextCursor === null
  const entering = [...byId.values()].filter(
    (row) => isEnd || (last !== undefined && compare(row, last) <= 0),
  )
  const sorted = [...entering, ...all.filter(({ id }) => !named.has(id))].sort(compare)
  return paged(pages, rows, sorted)
}
