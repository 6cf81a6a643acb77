/** Messages that wait before they go: taken back they stand in the composer again. */
import { dropMessage, type OutboxEntry } from '../api/outbox.ts'
import { updateDraft } from './draft.ts'
import type { Written } from './draft-shape.ts'

/** Puts a message into the draft of its chat, in front of what was begun since. */
export function restoreDraft({ conversationId, restore = {} }: OutboxEntry): void {
  const { text = '', files = [] } = restore as Partial<Pick<Written, 'text' | 'files'>>
  updateDraft(conversationId, (draft) => ({
    mode: 'reply',
    text: [text, draft.text].filter(Boolean).join('\n'),
    files: [...files, ...(draft.files ?? [])],
  }))
}

export function takeBack(entry: OutboxEntry): void {
  dropMessage(entry.key)
  restoreDraft(entry)
}
