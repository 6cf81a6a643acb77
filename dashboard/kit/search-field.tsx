import { Search } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { classes } from './classes.ts'

const PAUSE_MS = 200

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  field?: RefObject<HTMLInputElement | null>
  className?: string
}

/** A line to search by; what is typed is asked for after a short pause. */
export function SearchField({ label, value, onChange, field, className }: Props) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <div className={classes('relative', className)}>
      <Search aria-hidden size={15} className="absolute start-2.5 top-1/2 -translate-y-1/2 text-ink-3" />
      <input
        ref={field}
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        aria-label={label}
        placeholder={label}
        className="h-9 w-full rounded-md border border-line bg-surface-2 ps-8 pe-2 pointer-coarse:h-11"
      />
    </div>
  )
}
