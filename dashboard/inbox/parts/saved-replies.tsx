import { type RefObject, useLayoutEffect, useState } from 'react'
import { classes } from '../../kit/classes.ts'
import { t } from '../texts.ts'

export type SavedReply = { id: string; shortcut: string; text: string }
type Props = {
  replies: readonly SavedReply[]
  /** The replies have not been loaded yet. */
  isLoading: boolean
  field: RefObject<HTMLTextAreaElement | null>
  onChoose: (reply: SavedReply) => void
}

const SHOWN = 8

/** A list above the field, controlled from the field: arrows choose, Enter and Tab insert. */
export function SavedReplies({ replies, isLoading, field, onChoose }: Props) {
  const [index, setIndex] = useState(0)
  const shown = replies.slice(0, SHOWN)
  const current = Math.min(index, shown.length - 1)
  // Together with the list: if Enter came in between, it would send the typed text.
  useLayoutEffect(() => {
    const element = field.current
    const onKeyDown = (event: KeyboardEvent) => {
      const reply = shown[current]
      if (isLoading && event.key === 'Enter') event.preventDefault()
      if (!reply || event.isComposing) return
      if (event.key === 'ArrowDown') setIndex((current + 1) % shown.length)
      else if (event.key === 'ArrowUp') setIndex((current + shown.length - 1) % shown.length)
      else if (event.key === 'Enter' || event.key === 'Tab') onChoose(reply)
      else return
      event.preventDefault()
    }
    // Runs before the field's own listener, for which Enter sends.
    element?.addEventListener('keydown', onKeyDown, { capture: true })
    return () => element?.removeEventListener('keydown', onKeyDown, { capture: true })
  })
  return (
    <div className="border-b p-1" role="listbox" aria-label={t('composer.saved')}>
      {shown.length === 0 && !isLoading && (
        <p className="px-3 py-2 text-sm text-ink-2">{t('composer.saved.empty')}</p>
      )}
      {shown.map((reply, index) => (
        <div
          key={reply.id}
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(reply)
          }}
          className={classes(
            'flex min-h-8 items-baseline gap-3 rounded-md px-3 py-1 pointer-coarse:min-h-11',
            index === current && 'bg-surface-3',
          )}
        >
          <span className="shrink-0 font-mono text-sm text-accent">/{reply.shortcut}</span>
          <span className="truncate text-sm text-ink-2">{reply.text}</span>
        </div>
      ))}
    </div>
  )
}
