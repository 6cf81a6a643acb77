import { DEFAULT_CELL } from '../../core/values/cell.ts'

/**
 * Returns, as SQL, the number of a lock that is one for each cell of the database. The default cell keeps the number that earlier
 * versions take.
 */
export const cellLock = (number: number): string =>
  `case current_schema() when '${DEFAULT_CELL}' then ${number} else hashtextextended(current_schema()::text, ${number}) end`

/** Returns, as SQL, the number of a cell's lock for a text, which is given as SQL. */
export const cellTextLock = (text: string): string =>
  `hashtextextended(${text}, case current_schema() when '${DEFAULT_CELL}' then 0 else hashtext(current_schema()::text) end)`
