import type { ReactNode } from 'react'
import { classes } from './classes.ts'

type Props = {
  /** What the page is called: the heading of the list, and of whatever is shown instead of it. */
  title: string
  list: ReactNode
  detail: ReactNode
  /** Something of the list is open: where there is room for one pane, it is that. */
  open: boolean
}

/** A list, and beside it what is chosen in it. */
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
