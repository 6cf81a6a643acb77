/** A field of a form whose button shows the choice and opens the list of choices, such as a `Finder`. */
import { Field as Base } from '@base-ui/react/field'
import { ChevronDown } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Field } from './field.tsx'
import { lookOf } from './select.tsx'

type Props = {
  label: string
  hint?: ReactNode
  error?: string | undefined
  className?: string | undefined
  isOpen: boolean
  onOpen: () => void
  onBlur?: (() => void) | undefined
  ref?: Ref<HTMLButtonElement> | undefined
  /** The choice. */
  children: ReactNode
}

export function ChoiceField({ label, hint, error, className, isOpen, onOpen, onBlur, ref, children }: Props) {
  const button = (
    <button
      ref={ref}
      type="button"
      role="combobox"
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-label={label}
      className={lookOf({})}
      onClick={onOpen}
      onBlur={onBlur}
      onKeyDown={(event) => {
        if (!/^Arrow(Down|Up)$/.test(event.key)) return
        event.preventDefault()
        onOpen()
      }}
    >
      {children}
      <ChevronDown aria-hidden size={14} className="shrink-0 text-ink-3" />
    </button>
  )
  return (
    <Field label={label} hint={hint} error={error} {...(className && { className })}>
      <Base.Control render={button} />
    </Field>
  )
}
