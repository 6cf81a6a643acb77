/** Shows whether an answer can be sent, and until when. */
import { LayoutTemplate, Lock, StickyNote } from 'lucide-react'
import type { Contact, Conversation } from '../../../sdk/api.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { classes } from '../../kit/classes.ts'
import { useNow } from '../../kit/time.tsx'
import { t } from '../texts.ts'
import { timeLeft, windowStateAt } from '../window.ts'

/** Shows how long the window stays open, if it closes soon. */
export function WindowNotice({ conversation }: { conversation: Conversation }) {
  const now = useNow()
  const { open, leftMs, tone } = windowStateAt(conversation, now)
  if (!open || tone === 'quiet') return null
  return (
    <p
      className={classes('px-3 pt-2 text-xs', tone === 'pressing' ? 'text-warn' : 'text-ink-3')}
      role="status"
    >
      {t('window.closes', { time: timeLeft(leftMs) })}
    </p>
  )
}

type ClosedProps = {
  /** Undefined: the network has no templates. */
  onTemplate: (() => void) | undefined
  onNote: () => void
}

/** Replaces the composer when only a template can be sent, or nothing. */
export function ClosedWindow({ onTemplate, onNote }: ClosedProps) {
  return (
    <div className="flex flex-wrap items-center gap-3 border-t bg-warn-soft px-4 py-3">
      <Lock aria-hidden size={18} className="shrink-0 text-warn" />
      <div className="min-w-48 flex-1">
        <p className="font-medium">{t('window.closed')}</p>
        <p className="text-sm text-ink-1">{t(onTemplate ? 'window.closed.text' : 'window.closed.direct')}</p>
      </div>
      <Button icon={StickyNote} onClick={onNote}>
        {t('action.note')}
      </Button>
      {onTemplate && (
        <Button variant="primary" icon={LayoutTemplate} onClick={onTemplate}>
          {t('template.choose')}
        </Button>
      )}
    </div>
  )
}

/** Returns why no message can be sent to a customer, independent of the window. */
export function refusalOf({ blocked, optInStatus }: Contact): string | undefined {
  if (blocked) return t('composer.blocked')
  return optInStatus === 'opted_out' ? t('composer.optedOut') : undefined
}

/** Replaces the composer when no message can be sent. Notes are never sent, so they stay possible. */
export const Refused = ({ text, onNote }: { text: string; onNote: () => void }) => (
  <div className="border-t p-3">
    <Callout
      kind="warn"
      action={
        <Button icon={StickyNote} onClick={onNote}>
          {t('action.note')}
        </Button>
      }
    >
      {text}
    </Callout>
  </div>
)
