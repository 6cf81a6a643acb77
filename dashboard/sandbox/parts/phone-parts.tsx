/** The parts of a customer's phone: bubbles, buttons to tap, and a field to answer. */
import { SendHorizontal } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Formatted } from '../../inbox/parts/kinds/text.tsx'
import { IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { formatClock } from '../../kit/time.tsx'
import { t } from '../texts.ts'

type BubbleProps<Tap> = {
  /** The customer wrote the message. */
  isFromCustomer: boolean
  text: string
  at?: string | undefined
  /** The buttons below the message. */
  taps?: readonly { title: string; tap: Tap }[]
  onTap?: (tap: Tap) => void
}

export const PhoneBubble = <Tap,>({ isFromCustomer, text, at, taps = [], onTap }: BubbleProps<Tap>) => (
  <div className={classes('flex flex-col', isFromCustomer ? 'items-end' : 'items-start')}>
    <div
      className={classes(
        'max-w-[85%] rounded-lg px-3 py-1.5',
        isFromCustomer ? 'rounded-ee-sm bg-good-soft' : 'rounded-es-sm border bg-surface-1',
      )}
    >
      <Formatted text={text} />
      {at && <p className="text-end text-xs text-ink-2">{formatClock(at)}</p>}
    </div>
    {taps.map(({ title, tap }) => (
      <button
        key={title}
        type="button"
        aria-label={t('tap', { title })}
        onClick={() => onTap?.(tap)}
        className="mt-1 min-h-9 w-[85%] rounded-md border border-edge bg-surface-1 px-3 font-medium text-accent hover:bg-surface-3"
      >
        {title}
      </button>
    ))}
  </div>
)

type LogProps = {
  label: string
  /** The text shown if there are no messages. */
  empty: string | undefined
  /** Changes with the newest message, which is scrolled into view. */
  newest: unknown
  children: ReactNode
}

/** Shows the messages, scrolled to the newest. */
export function PhoneLog({ label, empty, newest, children }: LogProps) {
  const log = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the newest message changes
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight })
  }, [newest])
  return (
    <div
      ref={log}
      role="log"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keys
      tabIndex={0}
      className="pane flex min-h-0 flex-1 flex-col gap-2 bg-surface-3 p-3"
    >
      <div className="flex-1" />
      {empty !== undefined && <p className="py-8 text-center text-ink-2">{empty}</p>}
      {children}
    </div>
  )
}

type LineProps = {
  label: string
  placeholder: string
  onSend: (text: string) => void
  disabled?: boolean
}

export function PhoneLine({ label, placeholder, onSend, disabled }: LineProps) {
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    onSend(text)
    setText('')
  }
  return (
    <form onSubmit={submit} className="flex items-center gap-2 border-t p-2">
      <input
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-label={label}
        placeholder={placeholder}
        disabled={disabled}
        className="h-9 min-w-0 flex-1 rounded-md border border-edge bg-surface-1 px-3 disabled:opacity-60 pointer-coarse:h-11"
      />
      <IconButton icon={SendHorizontal} label={t('send')} type="submit" disabled={disabled} />
    </form>
  )
}
