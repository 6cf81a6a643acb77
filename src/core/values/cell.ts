/**
 * A cell is one PostgreSQL schema with all of Parley's tables (docs/cells.md). The address of a database names the cell
 * whose tables its connections use.
 */

/** The cell of an installation that names none. Its connections keep the search path of the database user. */
export const DEFAULT_CELL = 'public'

/** A part of API keys, so without an underscore. */
const CELL_NAME = /^[a-z][a-z0-9]{0,30}$/
/** PostgreSQL keeps these names for itself. */
const RESERVED_PREFIX = 'pg'

/** Returns whether a text can be the name of a cell, which is also the name of its schema. */
export const isCellName = (text: string): boolean => CELL_NAME.test(text) && !text.startsWith(RESERVED_PREFIX)

export const CELL_NAME_RULE =
  'Must be up to 31 lowercase letters and digits that start with a letter, but not with pg'

const SEARCH_PATH = /-c search_path=([a-z0-9]+)(?= |$)/g

/**
 * Returns the address of a database with the cell as the only schema of its connections. A table that the cell lacks is then
 * missing, and never found in another cell.
 */
export function withCell(address: string, cell: string): string {
  const plain = withoutCell(address)
  return cell === DEFAULT_CELL
    ? plain
    : withOptions(plain, (options) => `${options} -c search_path=${cell}`.trim())
}

/** Returns the cell that an address names. */
export const cellOf = (address: string): string =>
  [...(queryOf(address).get('options') ?? '').matchAll(SEARCH_PATH)].at(-1)?.[1] ?? DEFAULT_CELL

/** Returns the name of a process's connection, as PostgreSQL shows it: `parley tenant`, or `parley tenant c7` in a cell. */
export const connectionName = (address: string, part: string): string => {
  const cell = cellOf(address)
  return `parley ${part}${cell === DEFAULT_CELL ? '' : ` ${cell}`}`
}

const withoutCell = (address: string): string =>
  cellOf(address) === DEFAULT_CELL
    ? address
    : withOptions(address, (options) => options.replaceAll(SEARCH_PATH, '').trim())

const queryOf = (address: string): URLSearchParams => {
  const start = address.indexOf('?')
  return new URLSearchParams(start === -1 ? '' : address.slice(start + 1))
}

/** Changes the settings that a connection starts with. The host of a socket folder can be empty, which URL does not accept. */
function withOptions(address: string, change: (options: string) => string): string {
  const parameters = queryOf(address)
  const options = change(parameters.get('options') ?? '')
  if (options === '') parameters.delete('options')
  else parameters.set('options', options)
  // Other programs don't read a plus sign as a space.
  const query = parameters.toString().replaceAll('+', '%20')
  const base = address.split('?')[0]!
  return query === '' ? base : `${base}?${query}`
}
