import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { CONTROL, Field } from './field.tsx'
import { t } from './words.ts'

export type Choice<Value extends string> = {
  value: Value
  label: ReactNode
  hint?: ReactNode
  disabled?: boolean
}

type Props<Value extends string> = {
  choices: readonly Choice<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  /** For who cannot see where it stands; where there is no label beside it. */
  name?: string
  placeholder?: string
  disabled?: boolean
  /** Without an edge, for rows of filters. */
  quiet?: boolean
  className?: string
}

/** One of a few choices. */
export function Select<Value extends string>(props: Props<Value>) {
  const { choices, value, onChange, name, placeholder, disabled, quiet, className } = props
  const labelOf = (one: Value | null) =>
    choices.find((choice) => choice.value === one)?.label ?? placeholder ?? t('choose')
  return (
    <Base.Root
      value={value}
      onValueChange={(chosen) => chosen !== null && onChange(chosen)}
      disabled={disabled}
    >
      <Base.Trigger
        aria-label={name}
        className={classes(
          quiet
            ? 'h-8 rounded-md px-2 text-sm text-ink-2 hover:bg-surface-3 hover:text-ink-1'
            : classes(CONTROL, 'h-9 pointer-coarse:h-11'),
          'flex items-center justify-between gap-1.5 text-start',
          className,
        )}
      >
        <Base.Value className="truncate">{(one: Value | null) => labelOf(one)}</Base.Value>
        <Base.Icon>
          <ChevronDown aria-hidden size={14} className="text-ink-3" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <Base.Popup className="pop pane max-h-(--available-height) min-w-(--anchor-width) rounded-lg border border-line bg-surface-1 p-1 shadow-pop">
            {choices.map((choice) => (
              <Base.Item
                key={choice.value}
                value={choice.value}
                disabled={choice.disabled}
                className="flex min-h-8 items-center gap-2 rounded-md px-2 py-1 data-highlighted:bg-surface-3 data-disabled:opacity-50 pointer-coarse:min-h-11"
              >
                <span className="w-4 shrink-0">
                  <Base.ItemIndicator>
                    <Check aria-hidden size={15} />
                  </Base.ItemIndicator>
                </span>
                <Base.ItemText className="flex-1">{choice.label}</Base.ItemText>
                {choice.hint && <span className="text-xs text-ink-3">{choice.hint}</span>}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

type FieldProps<Value extends string> = Omit<Props<Value>, 'name' | 'quiet'> & {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
}

/** The same as a field of a form. */
export function SelectField<Value extends string>({ label, hint, error, ...rest }: FieldProps<Value>) {
  return (
    <Field label={label} hint={hint} error={error}>
      <Select {...rest} name={typeof label === 'string' ? label : undefined} />
    </Field>
  )
}
