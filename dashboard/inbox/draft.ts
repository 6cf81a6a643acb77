/** What somebody has begun to write, for each chat: kept in this browser at once. `draft-sync.ts` brings it to the server and back. */
import { useCallback, useSyncExternalStore } from 'react'
import { readStored, storedNames, writeStored } from '../api/storage.ts'
import { type Draft, isNothing, type Written } from './draft-shape.ts'
import { newestMessageId } from './held-answer.ts'

const NONE: Draft = { text: '', mode: 'reply' }
const NAME = 'draft.'

const listeners = new Set<() => void>()
const changeListeners = new Set<(conversationId: string) => void>()
const cache = new Map<string, Draft>()

/** As it is kept just now: another tab may have written a letter of which this one has not heard yet. */
export const storedDraftOf = (conversationId: string): Draft =>
  readStored<Draft>(NAME + conversationId) ?? draftOf(conversationId)

export function draftOf(conversationId: string): Draft {
  let draft = cache.get(conversationId)
  if (!draft) {
    draft = readStored<Draft>(NAME + conversationId) ?? NONE
    cache.set(conversationId, draft)
  }
  return draft
}

/** Keeps a draft as it is. */
export function storeDraft(conversationId: string, draft: Draft): void {
  cache.set(conversationId, draft)
  const isWorthKeeping = !isNothing(draft) || draft.isDirty || draft.other
  writeStored(NAME + conversationId, isWorthKeeping ? draft : undefined)
  for (const listener of listeners) listener()
}

/** Keeps what was written here; what begins here begins after the newest message. */
export function setDraft(
  conversationId: string,
  written: Written & Partial<Pick<Draft, 'since' | 'other'>>,
): void {
  const before = draftOf(conversationId)
  const { text, mode, files = before.files, since = before.since } = written
  const other = 'other' in written ? written.other : before.other
  const isBegun = !isNothing(before)
  const isKnown = before.savedAt !== undefined || before.isDirty
  storeDraft(conversationId, {
    ...before,
    text,
    mode,
    files,
    since: isBegun ? since : newestMessageId(conversationId),
    other,
    isDirty: isNothing({ text, mode, files }) && !isKnown ? undefined : true,
  })
  for (const listener of changeListeners) listener(conversationId)
}

/** Changes what was written, by what it is when that happens. */
export const updateDraft = (conversationId: string, change: (draft: Draft) => Partial<Written>): void => {
  const draft = draftOf(conversationId)
  setDraft(conversationId, { ...draft, ...change(draft) })
}

/** The chats of which this browser keeps something. */
export const chatsWithDrafts = (): string[] => [
  ...new Set([...cache.keys(), ...storedNames(NAME).map((name) => name.slice(NAME.length))]),
]

/** Hears which draft was changed by its writer, here. */
export function onWritten(listener: (conversationId: string) => void): () => void {
  changeListeners.add(listener)
  return () => changeListeners.delete(listener)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The draft of a chat, and a way to change it. */
export function useDraft(conversationId: string): [Draft, (written: Parameters<typeof setDraft>[1]) => void] {
  const draft = useSyncExternalStore(subscribe, () => draftOf(conversationId))
  const set = useCallback(
    (next: Parameters<typeof setDraft>[1]) => setDraft(conversationId, next),
    [conversationId],
  )
  return [draft, set]
}

/** The chat of a stored draft, by the key under which it is stored. */
export const chatOfStored = (key: string | null): string | undefined =>
  key?.startsWith(`parley.${NAME}`) ? key.slice(`parley.${NAME}`.length) : undefined

addEventListener('storage', ({ key }) => {
  const id = chatOfStored(key)
  if (!id) return
  cache.delete(id)
  for (const listener of listeners) listener()
})
