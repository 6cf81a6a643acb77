import type { ReactNode } from 'react'
import { classes } from './classes.ts'

type Props = {
  title: ReactNode
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
  wide?: boolean
}

/** A page that scrolls as a whole: its h1, its description, and its actions. */
export function Page({ title, description, actions, children, wide }: Props) {
  return (
    <div className="pane flex-1">
      <div className={classes('mx-auto w-full px-4 py-6 sm:px-8', wide ? 'max-w-6xl' : 'max-w-4xl')}>
        <header className="mb-6 flex flex-wrap items-start gap-x-4 gap-y-3">
          <div className="min-w-56 flex-1">
            <h1 className="text-lg font-semibold">{title}</h1>
            {description && <p className="mt-1 max-w-2xl text-ink-2">{description}</p>}
          </div>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </header>
        {children}
      </div>
    </div>
  )
}

type SectionProps = { title: ReactNode; description?: ReactNode; children: ReactNode; actions?: ReactNode }

/** A section of a page. */
export const Section = ({ title, description, children, actions }: SectionProps) => (
  <section className="mb-8">
    <header className="mb-3 flex flex-wrap items-end gap-3">
      <div className="min-w-48 flex-1">
        <h2 className="text-md font-semibold">{title}</h2>
        {description && <p className="text-ink-2">{description}</p>}
      </div>
      {actions}
    </header>
    {children}
  </section>
)
