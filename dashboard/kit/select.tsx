import { Field as Base } from '@base-ui/react/field'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { useDeferredPopup } from './deferred-popup.tsx'
import { CONTROL, Field } from './field.tsx'
import { lazyComponent } from './lazy.tsx'
import { t } from './texts.ts'

export type Choice<Value extends string> = {
  value: Value
  label: ReactNode
  hint?: ReactNode
  disabled?: boolean
}

export type SelectProps<Value extends string> = {
  choices: readonly Choice<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  /** The name for screen readers, if there is no label next to it. */
  name?: string
  placeholder?: string
  disabled?: boolean
  /** Without a border, for rows of filters. */
  quiet?: boolean
  /** The width, if the select does not fill its container. */
  className?: string
  /** The field around it shows its label and its error. */
  inField?: boolean
}

export const labelOf = <Value extends string>(
  { choices, placeholder }: Pick<SelectProps<Value>, 'choices' | 'placeholder'>,
  value: Value | null,
): ReactNode => choices.find((choice) => choice.value === value)?.label ?? placeholder ?? t('choose')

export const lookOf = ({ quiet, className }: Pick<SelectProps<string>, 'quiet' | 'className'>): string =>
  classes(
    quiet
      ? 'h-8 rounded-md px-2 text-sm text-ink-2 hover:bg-surface-3 hover:text-ink-1 pointer-coarse:h-11'
      : classes(CONTROL, 'h-9 pointer-coarse:h-11'),
    'flex items-center justify-between gap-1.5 text-start',
    className ?? (quiet ? undefined : 'w-full'),
  )

const Popup = lazyComponent(() => import('./select-popup.tsx').then((module) => module.SelectPopup)) as <
  Value extends string,
>(
  props: SelectProps<Value> & { around?: ReactNode },
) => ReactNode

/** Chooses one of a few options. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, name, disabled, inField } = props
  const trigger = (
    <button
      type="button"
      role="combobox"
      aria-expanded={false}
      aria-label={name}
      disabled={disabled}
      className={lookOf(props)}
    >
      <span className="truncate">{labelOf(props, value)}</span>
      <ChevronDown aria-hidden size={14} className="text-ink-3" />
    </button>
  )
  const { isOpened, closed } = useDeferredPopup(trigger, 'listbox')
  const button = inField ? <Base.Control render={closed} /> : closed
  return isOpened ? <Popup {...props} around={button} /> : button
}

type FieldProps<Value extends string> = Omit<SelectProps<Value>, 'name' | 'quiet' | 'inField'> & {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
}

/** A select as a field of a form. */
export function SelectField<Value extends string>({ label, hint, error, ...rest }: FieldProps<Value>) {
  return (
    <Field label={label} hint={hint} error={error}>
      <Select {...rest} inField name={typeof label === 'string' ? label : undefined} />
    </Field>
  )
}
