import type { ReactNode } from 'react'

type Props = { label: string; hint?: string | undefined; error?: string | undefined; children: ReactNode }

/** Groups controls that form one field. */
export const Group = ({ label, hint, error, children }: Props) => (
  <fieldset className="flex min-w-0 flex-col gap-1">
    <legend className="mb-1 text-sm font-medium text-ink-1">{label}</legend>
    {children}
    {hint && !error && <p className="text-sm text-ink-3">{hint}</p>}
    {error && (
      <p role="alert" className="text-sm text-bad">
        {error}
      </p>
    )}
  </fieldset>
)
