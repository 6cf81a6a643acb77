/** Rows of a list with the number of all rows, for short lists that name their total. */

/** Totals are counted up to this number, so that one long list can't delay a reply. */
export const TOTAL_MAX = 1_000

/** The first rows of a list, and how many rows it has, counted to `TOTAL_MAX`. */
export type CountedRows<Row> = { rows: Row[]; count: number }

/** Returns the SQL column `row_count`: the number of rows of `from`, a table with its conditions. */
export const rowCount = (from: string): string =>
  `(select count(*) from (select 1 from ${from} limit ${TOTAL_MAX}) counted) as row_count`

/**
 * The same column for rows that PostgreSQL gathers before it sorts them: those of `from (select … offset 0)`. Without an
 * index in the order of the list, it could otherwise walk the rows of the whole workspace.
 */
export const ROW_COUNT = `least(count(*) over (), ${TOTAL_MAX}) as row_count`

/** Separates the column `row_count` from rows that were read with it. */
export const countedRows = <Row>(counted: (Row & { rowCount: number })[]): CountedRows<Row> => ({
  rows: counted.map(({ rowCount: _rowCount, ...row }) => row as Row),
  count: counted[0]?.rowCount ?? 0,
})
