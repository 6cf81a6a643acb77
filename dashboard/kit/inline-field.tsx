import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { classes } from './classes.ts'

type Props = Pick<
  ComponentProps<'input'>,
  'type' | 'placeholder' | 'disabled' | 'maxLength' | 'inputMode'
> & {
  /** The name for screen readers. */
  label: string
  value: string
  /** The text while the value is not edited, if it differs from the value in the field. */
  shown?: string | undefined
  /** Returns whether the value was saved. */
  onSave: (value: string) => Promise<boolean>
  className?: string
}

/**
 * A value that is edited in place: Enter or leaving the field saves it, Escape restores it. A rejected value
 * stays, marked, so that it can be corrected.
 */
export function InlineField({ label, value, shown, onSave, className, ...rest }: Props) {
  const [text, setText] = useState(value)
  const [isRefused, setRefused] = useState(false)
  const isGivenUp = useRef(false)
  const updateText = (next: string) => {
    setText(next)
    setRefused(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another value arrives
  useEffect(() => updateText(value), [value])
  const leave = () => {
    if (isGivenUp.current) updateText(value)
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
      onChange={(event) => updateText(event.target.value)}
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
