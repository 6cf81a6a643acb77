/** Shows fields whose texts have limits of the operator. */
import { TextArea, TextField } from '../../../kit/field.tsx'
import { t as inboxText } from '../../texts.ts'
import { type Fault, lengthOf } from './parts.ts'
import { t } from './texts.ts'

export type CountedProps = {
  label: string
  value: string
  max?: number
  fault: Fault | undefined
  /** The form was submitted: missing texts are shown too. */
  isTried: boolean
  onChange: (value: string) => void
  hint?: string
  isLong?: boolean
  autoFocus?: boolean
  inputMode?: 'decimal'
  className?: string
}

function errorOf({ fault, isTried, value, max = 0 }: CountedProps): string | undefined {
  if (fault === 'tooLong') return inboxText('composer.tooLong', { count: lengthOf(value.trim()) - max })
  if (fault === undefined || !isTried) return undefined
  return t(`part.fault.${fault}`)
}

/** A field that shows how much of its limit is used, as soon as it has text. */
export function Counted(props: CountedProps) {
  const { label, value, max, onChange, hint, isLong, autoFocus, inputMode, className } = props
  const count = max !== undefined && value !== '' ? t('part.count', { count: lengthOf(value), max }) : hint
  const field = { label, value, hint: count, error: errorOf(props), autoFocus, className }
  return isLong ? (
    <TextArea {...field} dir="auto" onChange={(event) => onChange(event.currentTarget.value)} />
  ) : (
    <TextField
      {...field}
      dir="auto"
      inputMode={inputMode}
      onChange={(event) => onChange((event.target as HTMLInputElement).value)}
    />
  )
}
