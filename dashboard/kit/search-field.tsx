import { Search } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { classes } from './classes.ts'
import { useStable } from './use-stable.ts'

/** For searches by the server. */
const PAUSE_MS = 200

export type SearchFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  field?: RefObject<HTMLInputElement | null>
  /** Enter opens the best result. */
  onEnter?: () => void
  pauseMs?: number
  className?: string
}

/** A search field; the text is searched after a short pause. */
export function SearchField({
  label,
  value,
  onChange,
  field,
  onEnter,
  className,
  pauseMs = PAUSE_MS,
}: SearchFieldProps) {
  const [text, setText] = useState(value)
  const requestedText = useRef<string>(undefined)
  // Rendering during the pause does not extend it.
  const search = useStable(onChange)
  useEffect(() => {
    // The result of a search does not remove letters typed since.
    if (value !== requestedText.current) setText(value)
    requestedText.current = undefined
  }, [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => {
      requestedText.current = text
      search(text)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [text, value, search, pauseMs])
  return (
    <div className={classes('relative', className)}>
      <Search aria-hidden size={15} className="absolute start-2.5 top-1/2 -translate-y-1/2 text-ink-3" />
      <input
        ref={field}
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onEnter?.()
          if (event.key !== 'Escape') return
          // Escape leaves the field and keeps the search text.
          event.preventDefault()
          event.currentTarget.blur()
        }}
        aria-label={label}
        placeholder={label}
        className="h-9 w-full rounded-md border border-line bg-surface-2 ps-8 pe-2 pointer-coarse:h-11"
      />
    </div>
  )
}
