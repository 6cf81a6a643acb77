import { Field as Base } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'

/** The style of controls; a control outside of a field sets its own width. */
export const CONTROL =
  'rounded-md border border-edge bg-surface-1 px-3 text-ink-1 disabled:opacity-60 data-invalid:border-bad aria-invalid:border-bad ' +
  'focus-visible:outline-offset-0 pointer-coarse:text-md'

type Around = {
  label: ReactNode
  /** Help for filling in the field. */
  hint?: ReactNode
  error?: string | undefined
  className?: string
}

/** Shows a control with its label, hint, and error. */
export function Field({ label, hint, error, className, children }: Around & { children: ReactNode }) {
  return (
    <Base.Root invalid={error !== undefined} className={classes('flex flex-col gap-1', className)}>
      <Base.Label className="text-sm font-medium text-ink-1">{label}</Base.Label>
      {children}
      {hint && !error && <Base.Description className="text-sm text-ink-3">{hint}</Base.Description>}
      {error && (
        <Base.Error match className="text-sm text-bad">
          {error}
        </Base.Error>
      )}
    </Base.Root>
  )
}

/** The label is the control's name: screen readers would ignore a second name. */
type Named = 'className' | 'aria-label'
type TextProps = Around & Omit<ComponentProps<typeof Base.Control>, Named> & { inputClassName?: string }

/** A field for one line of text. */
export function TextField({ label, hint, error, className, inputClassName, ...rest }: TextProps) {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      <Base.Control
        {...rest}
        className={classes(CONTROL, 'h-9 w-full pointer-coarse:h-11', inputClassName)}
      />
    </Field>
  )
}

type AreaProps = Around & Omit<ComponentProps<'textarea'>, Named>

/** A field for several lines of text; it grows with its content. */
export function TextArea({ label, hint, error, className, ...rest }: AreaProps) {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      <Base.Control
        render={<textarea {...rest} />}
        className={classes(CONTROL, 'field-sizing-content max-h-64 min-h-20 w-full py-2')}
      />
    </Field>
  )
}
