import { dropMessage, type OutboxEntry, retryMessage } from '../../api/outbox.ts'
import { Button } from '../../kit/button.tsx'
import { setDraft } from '../draft.ts'
import { t } from '../words.ts'
import { Words } from './bubble.tsx'
import { Ticks } from './ticks.tsx'

/** A message on its way, or one that could not go. */
export function WaitingBubble({ entry }: { entry: OutboxEntry }) {
  const failed = entry.state === 'failed'
  return (
    <div className="flex flex-col items-end" data-outbox={entry.key}>
      <div className="max-w-[min(34rem,85%)] rounded-lg rounded-ee-sm bg-accent-soft px-3 py-2">
        <Words text={entry.preview} />
        <p className="mt-0.5 flex justify-end text-xs text-ink-3">
          <Ticks status={failed ? 'failed' : entry.state === 'sent' ? 'queued' : 'sending'} />
        </p>
      </div>
      {failed && (
        <div role="alert" className="mt-1 flex flex-wrap items-center justify-end gap-2 text-sm text-bad">
          <span>
            {t('notSent.title')}: {entry.error?.message}
          </span>
          <Button size="sm" onClick={() => retryMessage(entry)}>
            {t('notSent.retry')}
          </Button>
          {entry.body.text !== undefined && (
            <Button
              size="sm"
              onClick={() => {
                setDraft(entry.conversationId, { text: entry.body.text ?? '', mode: 'reply' })
                dropMessage(entry.key)
              }}
            >
              {t('notSent.edit')}
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={() => dropMessage(entry.key)}>
            {t('notSent.delete')}
          </Button>
        </div>
      )}
    </div>
  )
}
