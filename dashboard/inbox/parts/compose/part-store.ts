/**
 * Keeps the parts that were typed for messages of a chat in this browser, until they are sent or discarded.
 * Closing an editor, changing the chat, or reloading the page loses none of them.
 */
import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../../../api/storage.ts'
import { emptyPart, isEmptyPart, type Part, type PartKind, type Parts } from './part-shape.ts'

type Stored = Partial<Parts>

const NAME = 'compose.'
const NONE: Stored = {}
const chats = new Map<string, Stored>()
const listeners = new Set<() => void>()

function storedOf(conversationId: string): Stored {
  const known = chats.get(conversationId)
  if (known) return known
  const stored = readStored<Stored>(NAME + conversationId) ?? NONE
  chats.set(conversationId, stored)
  return stored
}

function store(conversationId: string, stored: Stored): void {
  chats.set(conversationId, stored)
  writeStored(NAME + conversationId, Object.keys(stored).length > 0 ? stored : undefined)
  for (const listener of listeners) listener()
}

/** Stores what was typed; an empty message is forgotten. */
export function storePart(conversationId: string, part: Part): void {
  const { [part.kind]: _, ...others } = storedOf(conversationId)
  store(conversationId, isEmptyPart(part) ? others : { ...others, [part.kind]: part.values })
}

export function discardPart(conversationId: string, kind: PartKind): void {
  storePart(conversationId, { kind, values: emptyPart(kind) } as Part)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the typed parts of a chat, by kind. */
export const useStoredParts = (conversationId: string): Stored =>
  useSyncExternalStore(subscribe, () => storedOf(conversationId))

addEventListener('storage', ({ key, newValue }) => {
  const conversationId = key?.startsWith(`parley.${NAME}`) && key.slice(`parley.${NAME}`.length)
  if (!conversationId) return
  chats.set(conversationId, newValue === null ? NONE : (JSON.parse(newValue) as Stored))
  for (const listener of listeners) listener()
})
