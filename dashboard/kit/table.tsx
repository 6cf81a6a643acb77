import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export type Column<Row> = {
  id: string
  title: ReactNode
  /** Shows the title to screen readers only. */
  hideTitle?: boolean
  cell: (row: Row) => ReactNode
  /** Shows the title with the value where a phone has no column for it: the value alone says too little. */
  isNamed?: boolean
  /** Aligns numbers at the end of the column. */
  end?: boolean
  /** The direction in which the table is sorted by this column. */
  sorted?: 'ascending' | 'descending'
  /** Hides the column on narrower screens. */
  hideBelow?: 'sm' | 'md' | 'lg'
  className?: string
}

const PLAIN = { tabIndex: 0 }

const HIDE = { sm: 'max-sm:hidden', md: 'max-md:hidden', lg: 'max-lg:hidden' }

type Props<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  onOpen?: (row: Row) => void
  /**
   * True if the table contains no focusable elements: then the table itself takes the focus, so that keys
   * scroll it.
   */
  isPlain?: boolean
}

/** Shows rows of the same kind; the first column names the row. */
export function Table<Row>({ label, columns, rows, keyOf, onOpen, isPlain }: Props<Row>) {
  const cellClasses = (column: Column<Row>) =>
    classes(
      'px-3',
      column.end ? 'text-end whitespace-nowrap tabular-nums' : 'text-start',
      column.hideBelow && HIDE[column.hideBelow],
      column.className,
    )
  return (
    // Texts for screen readers are inside the table too, so that a wide table does not widen the page.
    <div className="scroll-thin relative overflow-x-auto rounded-lg border" {...(isPlain ? PLAIN : {})}>
      <table aria-label={label} className="w-full border-collapse">
        <thead>
          <tr className="h-9 border-b bg-surface-2 text-sm text-ink-2">
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                aria-sort={column.sorted}
                className={classes(cellClasses(column), 'font-medium whitespace-nowrap')}
              >
                {column.hideTitle ? <span className="sr-only">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className={classes('h-row border-b last:border-0', onOpen && 'hover:bg-surface-2')}
              onClick={onOpen && (() => onOpen(row))}
            >
              {columns.map((column) => (
                <td key={column.id} className={classes(cellClasses(column), 'py-1.5')}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
