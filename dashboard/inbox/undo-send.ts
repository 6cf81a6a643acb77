/** Undoes sending of messages that still wait: it returns them to the composer. */
import { dropMessage, type OutboxEntry } from '../api/outbox.ts'
import { updateDraft } from './draft.ts'
import type { DraftContent } from './draft-shape.ts'

/** Puts a message into its chat's draft, before text that was written since. */
export function restoreDraft({ conversationId, restore = {} }: OutboxEntry): void {
  const { text = '', files = [] } = restore as Partial<Pick<DraftContent, 'text' | 'files'>>
  updateDraft(conversationId, (draft) => ({
    mode: 'reply',
    text: [text, draft.text].filter(Boolean).join('\n'),
    files: [...files, ...(draft.files ?? [])],
  }))
}

export function undoSend(entry: OutboxEntry): void {
  dropMessage(entry.key)
  restoreDraft(entry)
}
