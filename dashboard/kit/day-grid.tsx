/** Shows items by day: a grid of weeks if there is room, otherwise a list of the days with items. */
import { Plus } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { formatLocale } from '../texts.ts'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { formatDay } from './time.tsx'
import { useIsWide } from './width.ts'

const weekday = new Intl.DateTimeFormat(formatLocale, { weekday: 'short' })
const noonOf = (day: string): string => `${day}T12:00:00`

export type DayCellProps = { day: string; className: string; children: ReactNode }
/** A day of the grid. */
const PlainCell = ({ className, children }: DayCellProps) => <td className={className}>{children}</td>

type Props<Item> = {
  /** The names of the grid, and of the list. */
  gridLabel: string
  listLabel: string
  /** Days such as `2026-06-01`. */
  weeks: readonly (readonly string[])[]
  /** Returns whether a day belongs to the shown period; others are on its edges. */
  isInside: (day: string) => boolean
  today: string
  byDay: ReadonlyMap<string, readonly Item[]>
  keyOf: (item: Item) => string
  itemOf: (item: Item) => ReactNode
  /** The cell of a day, for example one that takes dragged items. */
  cell?: ComponentType<DayCellProps>
  /** Creates an item on a day from today on. The page has a button for it too, which the keyboard reaches. */
  create?: { label: (day: string) => string; onCreate: (day: string) => void } | undefined
}

const Items = <Item,>({ items = [], keyOf, itemOf }: { items: readonly Item[] | undefined } & Of<Item>) =>
  items.length > 0 && (
    <ul className="flex flex-col gap-1">
      {items.map((item) => (
        <li key={keyOf(item)} className="min-w-0">
          {itemOf(item)}
        </li>
      ))}
    </ul>
  )
type Of<Item> = Pick<Props<Item>, 'keyOf' | 'itemOf'>

function Grid<Item>(props: Props<Item>) {
  const { gridLabel, weeks, isInside, today, byDay, create, cell: Cell = PlainCell } = props
  return (
    <table aria-label={gridLabel} className="w-full table-fixed border-collapse">
      <thead>
        <tr>
          {weeks[0]!.map((day) => (
            <th key={day} scope="col" className="pb-1 text-start text-xs font-medium text-ink-3">
              {weekday.format(new Date(noonOf(day)))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <Cell
                key={day}
                day={day}
                className={classes(
                  'group border p-1 align-top',
                  weeks.length === 1 ? 'h-80' : 'h-24',
                  !isInside(day) && 'bg-surface-2',
                )}
              >
                <time
                  dateTime={day}
                  aria-current={day === today ? 'date' : undefined}
                  className={classes(
                    'mb-1 inline-flex size-6 items-center justify-center rounded-full text-xs tabular-nums',
                    day === today ? 'bg-accent font-semibold text-on-accent' : 'text-ink-2',
                  )}
                >
                  <span aria-hidden>{Number(day.slice(8))}</span>
                  <span className="sr-only">{formatDay(noonOf(day))}</span>
                </time>
                {create && day >= today && (
                  <IconButton
                    icon={Plus}
                    size="sm"
                    tabIndex={-1}
                    label={create.label(formatDay(noonOf(day)))}
                    className="float-end size-6 opacity-0 group-hover:opacity-100 pointer-coarse:hidden"
                    onClick={() => create.onCreate(day)}
                  />
                )}
                <Items items={byDay.get(day)} {...props} />
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Days = <Item,>(props: Props<Item>) => (
  <ul aria-label={props.listLabel} className="flex flex-col gap-4">
    {[...props.byDay.keys()]
      .filter(props.isInside)
      .sort()
      .map((day) => (
        <li key={day}>
          <h3
            className={classes(
              'mb-1 text-sm font-semibold',
              day === props.today ? 'text-accent' : 'text-ink-2',
            )}
            aria-current={day === props.today ? 'date' : undefined}
          >
            {formatDay(noonOf(day))}
          </h3>
          <Items items={props.byDay.get(day)} {...props} />
        </li>
      ))}
  </ul>
)

export const DayGrid = <Item,>(props: Props<Item>) =>
  useIsWide() ? <Grid {...props} /> : <Days {...props} />
