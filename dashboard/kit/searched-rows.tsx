/** Searches rows that the page has all of, by their text and by a filter. */
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ListFilters } from './list-filters.tsx'
import { Empty } from './states.tsx'

/** Below this number, all rows are in view. */
const FEW = 6

type Props<Row, Value extends string> = {
  rows: readonly Row[]
  /** The text of a row in which the search looks. */
  textOf: (row: Row) => string
  /** The label of the search. */
  search: string
  /** The first choice is chosen at the start. */
  filter: {
    name: string
    choices: readonly { value: Value; label: string; includes: (row: Row) => boolean }[]
  }
  /** Shown if no row is found. */
  none: { icon: LucideIcon; title: string; text: string }
  children: (found: readonly Row[]) => ReactNode
}

export function SearchedRows<Row, Value extends string>(props: Props<Row, Value>) {
  const { rows, textOf, search, filter, none, children } = props
  const [text, setText] = useState('')
  const [value, setValue] = useState(filter.choices[0]!.value)
  if (rows.length < FEW) return children(rows)
  const words = text.trim().toLocaleLowerCase()
  const { includes } = filter.choices.find((choice) => choice.value === value)!
  const found = rows.filter((row) => includes(row) && textOf(row).toLocaleLowerCase().includes(words))
  return (
    <>
      <div className="mb-3 max-w-xl">
        <ListFilters
          search={{ label: search, value: text, onChange: setText, pauseMs: 0 }}
          filter={{ ...filter, value, onChange: setValue }}
        />
      </div>
      {found.length > 0 ? (
        children(found)
      ) : (
        <Empty icon={none.icon} title={none.title}>
          {none.text}
        </Empty>
      )}
    </>
  )
}
