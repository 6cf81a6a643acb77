/** Updates a visible list with the rows that changed. */

export type Row = { id: string }
export type Page = Record<string, unknown>
/** The order of a list: either a comparison of two rows, or the values of a row that determine its place. */
export type Order =
  | {
      compare: (a: never, b: never) => number
      /** Its pages contain the number of rows, so the list is read again when a row enters or leaves. */
      isCounted?: true
    }
  /** While this value stays the same, the row keeps its place and stays in the list. */
  | { place: (row: never) => unknown }

/** Sorts later values first: times, and IDs, which rise with time. */
export const laterFirst = (a: string, b: string): number => (a < b ? 1 : a > b ? -1 : 0)
export const newestFirst = (a: Row, b: Row): number => laterFirst(a.id, b.id)

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
function paged(pages: readonly Page[], rows: string, allRows: readonly Row[]): Page[] {
  let from = 0
  return pages.map((page, index) => {
    const end = index === pages.length - 1 ? allRows.length : from + rowsOf(page, rows).length
    const part = allRows.slice(from, end)
    from = end
    return { ...page, [rows]: part }
  })
}

/** Returns the updated pages; undefined if they must be read again. */
export function patchRows(pages: readonly Page[], { rows, ids, fresh, order }: Patch): Page[] | undefined {
  const allRows = pages.flatMap((page) => rowsOf(page, rows))
  const byId = new Map(fresh.map((row) => [row.id, row]))
  if ('place' in order) {
    const place = order.place as (row: Row) => unknown
    const named = new Set(ids)
    const knownRows = allRows.filter(({ id }) => named.has(id))
    const isSettled =
      knownRows.length === byId.size &&
      knownRows.every((row) => {
        const now = byId.get(row.id)
        return now !== undefined && place(now) === place(row)
      })
    if (!isSettled) return undefined
    return paged(
      pages,
      rows,
      allRows.map((row) => byId.get(row.id) ?? row),
    )
  }
  const compare = order.compare as (a: Row, b: Row) => number
  const named = new Set(ids)
  if (order.isCounted) {
    const knownRows = allRows.filter(({ id }) => named.has(id))
    if (knownRows.length !== byId.size || knownRows.some(({ id }) => !byId.has(id))) return undefined
  }
  const last = allRows.at(-1)
  // Rows after the loaded pages come with their own page.
  const isEnd = pages.at(-1)?.nextCursor === null
  const newRows = [...byId.values()].filter((row) => isEnd || (last !== undefined && compare(row, last) <= 0))
  const sorted = [...newRows, ...allRows.filter(({ id }) => !named.has(id))].sort(compare)
  return paged(pages, rows, sorted)
}
