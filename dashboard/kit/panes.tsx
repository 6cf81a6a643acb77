import type { ReactNode } from 'react'
import { classes } from './classes.ts'

type Props = {
  /** The title of the page: the heading of the list, and of content shown instead of the list. */
  title: string
  list: ReactNode
  detail: ReactNode
  /** True if an item of the list is open: with room for only one pane, the item is shown. */
  open: boolean
}

/** Shows a list, and the chosen item next to it. */
export const Panes = ({ title, list, detail, open }: Props) => (
  <div className="flex min-h-0 flex-1">
    <section
      className={classes(
        'flex min-h-0 w-full flex-col border-e md:w-96 md:shrink-0',
        open && 'max-md:hidden',
      )}
    >
      {list}
    </section>
    <section
      data-detail={open || undefined}
      className={classes('flex min-h-0 min-w-0 flex-1 flex-col', !open && 'max-md:hidden')}
    >
      {open && <h1 className="sr-only md:hidden">{title}</h1>}
      {detail}
    </section>
  </div>
)
