import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { classes } from './classes.ts'

type Props = Pick<
  ComponentProps<'input'>,
  'type' | 'placeholder' | 'disabled' | 'maxLength' | 'inputMode'
> & {
  /** For who cannot see where it stands. */
  label: string
  value: string
  /** How it reads as long as nobody changes it, where the field itself would say it otherwise. */
  shown?: string | undefined
  /** Says whether it was kept. */
  onSave: (value: string) => Promise<boolean>
  className?: string
}

/**
 * A value that is changed where it stands: Enter or leaving keeps what was typed, Escape puts it back. What was refused stays to be put
 * right, and is marked.
 */
export function InPlace({ label, value, shown, onSave, className, ...rest }: Props) {
  const [text, setText] = useState(value)
  const [isRefused, setRefused] = useState(false)
  const isGivenUp = useRef(false)
  const write = (next: string) => {
    setText(next)
    setRefused(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value came
  useEffect(() => write(value), [value])
  const leave = () => {
    if (isGivenUp.current) write(value)
    else if (text !== value) void onSave(text).then((isKept) => setRefused(!isKept))
    isGivenUp.current = false
  }
  const isShown = shown !== undefined && !isRefused
  const field = (
    <input
      {...rest}
      aria-label={label}
      aria-invalid={isRefused || undefined}
      value={text}
      onChange={(event) => write(event.target.value)}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        isGivenUp.current = event.key === 'Escape'
        event.currentTarget.blur()
      }}
      className={classes(
        'h-8 w-full min-w-0 rounded-md border border-transparent bg-transparent px-2 hover:border-line focus:border-edge disabled:hover:border-transparent aria-invalid:border-bad pointer-coarse:h-11',
        isShown && 'peer not-focus:text-transparent',
        className,
      )}
    />
  )
  if (!isShown) return field
  return (
    <div className="relative min-w-0 flex-1">
      {field}
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 start-0 flex items-center truncate px-2 peer-focus:hidden"
      >
        {shown}
      </span>
    </div>
  )
}
