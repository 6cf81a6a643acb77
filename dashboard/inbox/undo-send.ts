/** Undoes sending of messages that still wait: it returns them to the composer. */
import { dropMessage, type OutboxEntry } from '../api/outbox.ts'
import { updateDraft } from './draft.ts'
import type { DraftContent } from './draft-shape.ts'
import type { Part } from './parts/compose/part-shape.ts'
import { storePart } from './parts/compose/part-store.ts'

/** Puts a message into its chat's draft, before text that was written since. */
export function restoreDraft({ conversationId, restore = {} }: OutboxEntry): void {
  const {
    text = '',
    files = [],
    part,
  } = restore as Partial<Pick<DraftContent, 'text' | 'files'>> & {
    part?: Part
  }
  if (part) {
    storePart(conversationId, part)
    return
  }
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
