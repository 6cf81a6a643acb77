/** Updates a visible list with the rows that changed. */

export type Row = { id: string }
export type Page = Record<string, unknown>
/** The order of a list: either a comparison of two rows, or the values of a row that determine its place. */
export type Order =
  | {
      compare: (one: never, other: never) => number
      /** Its pages contain the number of rows, so the list is read again when a row enters or leaves. */
      isCounted?: true
    }
  /** While this value stays the same, the row keeps its place and stays in the list. */
  | { place: (row: never) => unknown }

/** Sorts later values first: times, and IDs, which rise with time. */
export const laterFirst = (one: string, other: string): number => (one < other ? 1 : one > other ? -1 : 0)
export const newestFirst = (one: Row, other: Row): number => laterFirst(one.id, other.id)

type Patch = {
  /** The name of the rows in a page: `conversations`. */
  rows: string
  /** The IDs that changed. */
  ids: readonly string[]
  /** The changed rows that belong to the list now. */
  fresh: readonly Row[]
  order: Order
}

const rowsOf = (page: Page, rows: string): readonly Row[] => page[rows] as readonly Row[]

/** Distributes rows over the same number of pages, with the rest in the last. */
function paged(pages: readonly Page[], rows: string, all: readonly Row[]): Page[] {
  let from = 0
  return pages.map((page, at) => {
    const end = at === pages.length - 1 ? all.length : from + rowsOf(page, rows).length
    const part = all.slice(from, end)
    from = end
    return { ...page, [rows]: part }
  })
}

/** Returns the updated pages; undefined if they must be read again. */
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
  // Rows after the loaded pages come with their own page.
  const isEnd = pages.at(-1)?.nextCursor === null
  const entering = [...byId.values()].filter(
    (row) => isEnd || (last !== undefined && compare(row, last) <= 0),
  )
  const sorted = [...entering, ...all.filter(({ id }) => !named.has(id))].sort(compare)
  return paged(pages, rows, sorted)
}
