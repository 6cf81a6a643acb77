/** Holds which help of the assistant is open in each chat, and how often it was requested. */
import { useSyncExternalStore } from 'react'

export type Help = 'draft' | 'summary'
/** 0: closed. Each request counts up, so that a second one starts again. */
export type Opened = Readonly<Record<Help, number>>

const CLOSED: Opened = { draft: 0, summary: 0 }
const chats = new Map<string, Opened>()
const listeners = new Set<() => void>()
let requests = 0

function store(conversationId: string, help: Help, count: number): void {
  chats.set(conversationId, { ...(chats.get(conversationId) ?? CLOSED), [help]: count })
  for (const listener of listeners) listener()
}

export const openHelp = (conversationId: string, help: Help): void => store(conversationId, help, ++requests)
export const closeHelp = (conversationId: string, help: Help): void => store(conversationId, help, 0)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useOpened = (conversationId: string): Opened =>
  useSyncExternalStore(subscribe, () => chats.get(conversationId) ?? CLOSED)
