import type { ReactNode } from 'react'
import { classes } from './classes.ts'

type Props = {
  title: ReactNode
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
  wide?: boolean
  /** The link back of a part of the page, in place of the visible title. It stays at the top. */
  back?: ReactNode
}

/** A page that scrolls as a whole: its h1, its description, and its actions. */
export function Page({ title, description, actions, children, wide, back }: Props) {
  return (
    <div className="pane flex-1">
      <div className={classes('mx-auto w-full px-4 py-6 sm:px-8', wide ? 'max-w-6xl' : 'max-w-4xl')}>
        {back ? (
          <header className="sticky top-0 z-20 -mx-4 -mt-6 mb-4 border-b bg-surface-1 px-4 sm:-mx-8 sm:px-8">
            <h1 className="sr-only">{title}</h1>
            {back}
          </header>
        ) : (
          <header className="mb-6 flex flex-wrap items-start gap-x-4 gap-y-3">
            <div className="min-w-56 flex-1">
              <h1 className="text-lg font-semibold">{title}</h1>
              {description && <p className="mt-1 max-w-2xl text-ink-2">{description}</p>}
            </div>
            {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
          </header>
        )}
        {children}
      </div>
    </div>
  )
}

type SectionProps = { title: ReactNode; description?: ReactNode; children: ReactNode; actions?: ReactNode }

/** A section of a page. */
export const Section = ({ title, description, children, actions }: SectionProps) => (
  <section className="mb-8">
    {/* On a phone, the description has the whole width below the title and the actions. */}
    <header className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 sm:grid sm:grid-cols-[minmax(12rem,1fr)_minmax(0,auto)] sm:items-end sm:gap-y-0">
      <h2 className="min-w-32 flex-1 text-md font-semibold">{title}</h2>
      {description && (
        <p className="text-ink-2 max-sm:order-last max-sm:basis-full sm:col-start-1">{description}</p>
      )}
      {actions && (
        <div className="flex flex-wrap items-center gap-3 sm:col-start-2 sm:row-span-2 sm:row-start-1">
          {actions}
        </div>
      )}
    </header>
    {children}
  </section>
)
