import { Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Message } from '../../../sdk/api.ts'
import { dropMessage, type OutboxEntry, retryMessage, sendHeld } from '../../api/outbox.ts'
import { Button } from '../../kit/button.tsx'
import type { DraftFile } from '../draft-shape.ts'
import { t } from '../texts.ts'
import { undoSend } from '../undo-send.ts'
import { Writer } from './bubble.tsx'
import { Thumbnail } from './draft-files.tsx'
import { type Content, objectIn } from './kinds/content.ts'
import { Location } from './kinds/location.tsx'
import { Formatted, PlainText } from './kinds/text.tsx'
import { HeldBy, Interactive } from './later.ts'
import { Ticks } from './ticks.tsx'

/** Shows a message being sent, or one that could not be sent. */
export function WaitingBubble({ entry }: { entry: OutboxEntry }) {
  const failed = entry.state === 'failed'
  return (
    <div className="flex flex-col items-end" data-outbox={entry.key}>
      <div className="max-w-[min(34rem,85%)] rounded-lg rounded-ee-sm bg-accent-soft px-3 py-2">
        <Writer name={t('bubble.you')} />
        <WaitingContent entry={entry} />
        <p className="mt-0.5 flex justify-end text-xs text-ink-3">
          <Ticks status={failed ? 'failed' : entry.state === 'sending' ? 'sending' : 'queued'} />
        </p>
      </div>
      {entry.state === 'delayed' && <UndoSending entry={entry} />}
      {failed && (
        <div role="alert" className="mt-1 flex flex-wrap items-center justify-end gap-2 text-sm text-bad">
          <span>
            {t('notSent.title')}: {entry.error?.message}
          </span>
          <Button size="sm" onClick={() => retryMessage(entry)}>
            {t('notSent.retry')}
          </Button>
          <ReturnButtons entry={entry} />
        </div>
      )}
      {entry.state === 'held' && entry.answer && (
        <div className="mt-1 flex flex-wrap items-center justify-end gap-2 rounded-md bg-warn-soft px-3 py-2">
          <HeldBy answer={entry.answer} />
          <Button size="sm" onClick={() => sendHeld(entry)}>
            {t('held.send')}
          </Button>
          <ReturnButtons entry={entry} />
        </div>
      )}
    </div>
  )
}

/** Shows the content of a message that was built from parts, the name of a file, or the text. */
function WaitingContent({ entry: { body, preview, restore } }: { entry: OutboxEntry }) {
  const payload = 'payload' in body ? (body.payload as Content | undefined) : undefined
  const content = body.type === 'template' ? undefined : objectIn(payload, body.type)
  if (content && body.type === 'location') return <Location content={content} />
  if (content && body.type === 'interactive')
    return <Interactive message={{ content, text: preview || null } as Message} />
  const [file] = (restore?.files ?? []) as DraftFile[]
  if (!file) return <Formatted text={preview} />
  return (
    <div className="flex items-center gap-2">
      <Thumbnail mediaId={file.mediaId} fallback={null} />
      <PlainText text={preview} />
    </div>
  )
}

/** Takes the message out of the chat: back into the composer, or discarded. */
const ReturnButtons = ({ entry }: { entry: OutboxEntry }) => (
  <>
    {entry.restore && (
      <Button size="sm" onClick={() => undoSend(entry)}>
        {t('notSent.edit')}
      </Button>
    )}
    <Button size="sm" variant="ghost" onClick={() => dropMessage(entry.key)}>
      {t('notSent.delete')}
    </Button>
  </>
)

/** Shows the time left to undo sending, and the undo button. */
function UndoSending({ entry }: { entry: OutboxEntry }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(1, Math.ceil(((entry.sendAt ?? 0) - now) / 1_000))
  return (
    <p className="mt-1 flex items-center gap-2 text-sm text-ink-2">
      {t('delayed.seconds', { count: seconds })}
      <Button size="sm" icon={Undo2} onClick={() => undoSend(entry)}>
        {t('done.undo')}
      </Button>
    </p>
  )
}
