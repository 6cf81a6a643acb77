/**
 * Stores the unsent text of each chat in this browser immediately. `draft-sync.ts` sends it to the server and
 * reads it back.
 */
import { useCallback, useSyncExternalStore } from 'react'
import { newId } from '../api/new-id.ts'
import { readStored, storedNames, writeStored } from '../api/storage.ts'
import { type Draft, type DraftContent, isNothing, isSameText } from './draft-shape.ts'
import { type Copy, copyOf, type Received, receiveVersion, writeCopy } from './draft-tabs.ts'
import { newestMessageId } from './held-answer.ts'

const NONE: Draft = { text: '', mode: 'reply' }
const NAME = 'draft.'

/** Identifies this tab among the browser's tabs. */
const TAB = newId().slice(0, 8)

const listeners = new Set<() => void>()
const changeListeners = new Set<(conversationId: string) => void>()
const copies = new Map<string, Copy>()

const readDraft = (conversationId: string): Draft | undefined => readStored<Draft>(NAME + conversationId)

function copyFor(conversationId: string): Copy {
  let copy = copies.get(conversationId)
  if (!copy) {
    copy = copyOf(readDraft(conversationId) ?? NONE)
    copies.set(conversationId, copy)
  }
  return copy
}

/** Returns whether another tab wrote the draft: that tab handles it until the server has it. */
export const isOfOtherTab = ({ version }: Draft): boolean => version !== undefined && version.tab !== TAB

export const draftOf = (conversationId: string): Draft => copyFor(conversationId).draft

function applyCopy(conversationId: string, { copy, store, isWritten }: Received): void {
  copies.set(conversationId, copy)
  if (store) {
    const isWorthKeeping = !isNothing(store) || store.isDirty || store.other
    writeStored(NAME + conversationId, isWorthKeeping ? store : undefined)
  }
  for (const listener of listeners) listener()
  if (isWritten) for (const listener of changeListeners) listener(conversationId)
}

/** Applies a draft that another tab has stored. */
function receiveDraft(conversationId: string, received = readDraft(conversationId)): void {
  const copy = copies.get(conversationId)
  const stored = readDraft(conversationId)
  if (copy && received) {
    applyCopy(conversationId, receiveVersion(copy, TAB, received, stored))
    return
  }
  // The draft was sent or emptied in the other tab. Text written here since then stays, and the next
  // keystroke stores it.
  if (copy?.draft.isDirty && copy.draft.version?.tab === TAB) return
  copies.set(conversationId, { ...copyFor(conversationId), draft: stored ?? NONE })
  for (const listener of listeners) listener()
}

/**
 * Returns the draft in storage now: another tab may have written a letter that this tab has not received yet.
 */
export function storedDraftOf(conversationId: string): Draft {
  receiveDraft(conversationId)
  return draftOf(conversationId)
}

/** Stores a draft unchanged. */
export function storeDraft(conversationId: string, draft: Draft): void {
  const copy = copyFor(conversationId)
  const missedDraft = readDraft(conversationId)
  const next: Copy = isSameText(copy.draft, draft)
    ? { ...copy, draft: { ...draft, version: copy.draft.version } }
    : writeCopy(copy, TAB, draft)
  const isUnheard =
    missedDraft?.version && (next.seen[missedDraft.version.tab] ?? -1) < missedDraft.version.number
  applyCopy(
    conversationId,
    isUnheard && missedDraft.version?.tab !== TAB
      ? receiveVersion(next, TAB, missedDraft)
      : { copy: next, store: next.draft },
  )
}

/** Stores text that was written here. A new draft begins after the newest message. */
export function setDraft(
  conversationId: string,
  content: DraftContent & Partial<Pick<Draft, 'since' | 'other'>>,
): void {
  const before = draftOf(conversationId)
  const { text, mode, files = before.files, since = before.since } = content
  const other = 'other' in content ? content.other : before.other
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

/** Changes a draft based on its content at the time of the change. */
export const updateDraft = (
  conversationId: string,
  change: (draft: Draft) => Partial<DraftContent>,
): void => {
  const draft = draftOf(conversationId)
  setDraft(conversationId, { ...draft, ...change(draft) })
}

/** Returns the chats with a draft in this browser. */
export const chatsWithDrafts = (): string[] => [
  ...new Set([...copies.keys(), ...storedNames(NAME).map((name) => name.slice(NAME.length))]),
]

/** Calls `listener` when the writer changes a draft in this tab. */
export function onWritten(listener: (conversationId: string) => void): () => void {
  changeListeners.add(listener)
  return () => changeListeners.delete(listener)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the draft of a chat, and a function to change it. */
export function useDraft(conversationId: string): [Draft, (content: Parameters<typeof setDraft>[1]) => void] {
  const draft = useSyncExternalStore(subscribe, () => draftOf(conversationId))
  const set = useCallback(
    (next: Parameters<typeof setDraft>[1]) => setDraft(conversationId, next),
    [conversationId],
  )
  return [draft, set]
}

/** Returns the chat of a stored draft, from its storage key. */
export const chatOfStored = (key: string | null): string | undefined =>
  key?.startsWith(`parley.${NAME}`) ? key.slice(`parley.${NAME}`.length) : undefined

addEventListener('storage', ({ key, newValue }) => {
  const id = chatOfStored(key)
  if (id) receiveDraft(id, newValue === null ? undefined : (JSON.parse(newValue) as Draft))
})

// A tab that was suspended, or restored from the back-forward cache, has missed the writes of other tabs.
const receiveAll = () => {
  for (const id of copies.keys()) receiveDraft(id)
}
addEventListener('pageshow', ({ persisted }) => persisted && receiveAll())
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && receiveAll())
