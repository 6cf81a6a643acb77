import type { ReactNode } from 'react'

/** Shows a name and its value, in a `dl`. */
export const Fact = ({ label, children }: { label: ReactNode; children: ReactNode }) => (
  <div className="grid min-h-9 grid-cols-[7.5rem_minmax(0,1fr)] items-center gap-2">
    <dt className="text-sm text-ink-3">{label}</dt>
    <dd className="min-w-0">{children}</dd>
  </div>
)

type PanelProps = { title: string; actions?: ReactNode; children: ReactNode }

/** A section of the details pane. */
export const Panel = ({ title, actions, children }: PanelProps) => (
  <section aria-label={title} className="border-b px-4 py-4">
    <header className="mb-2 flex min-h-7 items-center gap-2">
      <h2 className="flex-1 text-sm font-semibold text-ink-2">{title}</h2>
      {actions}
    </header>
    {children}
  </section>
)
