/** What somebody has begun to write, for each chat: kept here at once. */
import { useCallback, useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../api/storage.ts'
import { newestMessageId } from './held-answer.ts'

export type Draft = {
  text: string
  mode: 'reply' | 'note'
  /** The newest message that its writer knew of when they began. */
  since?: string | undefined
}
const NONE: Draft = { text: '', mode: 'reply' }
const NAME = 'draft.'

const listeners = new Set<() => void>()
const cache = new Map<string, Draft>()

export function draftOf(conversationId: string): Draft {
  let draft = cache.get(conversationId)
  if (!draft) {
    draft = readStored<Draft>(NAME + conversationId) ?? NONE
    cache.set(conversationId, draft)
  }
  return draft
}

/** Keeps what was written; what begins here begins after the newest message. */
export function setDraft(conversationId: string, written: Draft): void {
  const isBegun = draftOf(conversationId).text.trim() !== ''
  const draft = isBegun ? written : { ...written, since: newestMessageId(conversationId) }
  cache.set(conversationId, draft)
  writeStored(NAME + conversationId, draft.text.trim() === '' ? undefined : draft)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The draft of a chat, and a way to change it. */
export function useDraft(conversationId: string): [Draft, (draft: Draft) => void] {
  const draft = useSyncExternalStore(subscribe, () => draftOf(conversationId))
  const set = useCallback((next: Draft) => setDraft(conversationId, next), [conversationId])
  return [draft, set]
}

addEventListener('storage', ({ key }) => {
  if (!key?.startsWith(`parley.${NAME}`)) return
  cache.delete(key.slice(`parley.${NAME}`.length))
  for (const listener of listeners) listener()
})
