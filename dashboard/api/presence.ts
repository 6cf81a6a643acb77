/** Who looks at which chat: what the stream says of others, and what is said of whoever works here. */
import { useSyncExternalStore } from 'react'
import { callDashboard } from './request.ts'

type Place = { conversationId: string; typing: boolean }
export type PresenceFrame = { presence?: Record<string, Place | null>; isWhole?: true }
export type Present = { memberId: string; typing: boolean }

let members: Record<string, Place> = {}
let byChat = new Map<string, readonly Present[]>()
const listeners = new Set<() => void>()
const NOBODY: readonly Present[] = []

const isSame = (one: readonly Present[], other: readonly Present[]): boolean =>
  one.length === other.length &&
  one.every(({ memberId, typing }, at) => memberId === other[at]!.memberId && typing === other[at]!.typing)

/** Takes what the stream says. */
export function receivePresence({ presence, isWhole }: PresenceFrame): void {
  if (!presence) return
  const known: Record<string, Place | null> = isWhole ? presence : { ...members, ...presence }
  members = Object.fromEntries(
    Object.entries(known).filter((entry): entry is [string, Place] => entry[1] !== null),
  )
  const next = new Map<string, readonly Present[]>()
  for (const [memberId, { conversationId, typing }] of Object.entries(members))
    next.set(conversationId, [...(next.get(conversationId) ?? []), { memberId, typing }])
  // A chat of which nothing changed is not drawn again.
  for (const [id, present] of next) {
    const before = byChat.get(id)
    if (before && isSame(before, present)) next.set(id, before)
  }
  byChat = next
  for (const listener of listeners) listener()
}

/** All that is known, for a tab that comes later. */
export const knownPresence = (): PresenceFrame => ({ presence: members, isWhole: true })

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Who looks at a chat, whoever works here among them. */
export const usePresence = (conversationId: string): readonly Present[] =>
  useSyncExternalStore(subscribe, () => byChat.get(conversationId) ?? NOBODY)

/** A report lives 30 s: one that is lost costs nothing. */
const SAY_AGAIN_MS = 10_000
/** How long after a letter somebody still writes. */
const TYPING_MS = 5_000

let looking: { workspace: string; conversationId: string } | undefined
let typedAt = Number.NEGATIVE_INFINITY
/** Where it was last said that somebody looks at something. */
let saidIn: string | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let isDue = false
let sending: Promise<unknown> = Promise.resolve()

const isTyping = (): boolean => Date.now() - typedAt < TYPING_MS

function say(): void {
  isDue = false
  clearTimeout(timer)
  const isSeen = looking !== undefined && document.visibilityState === 'visible'
  const workspace = isSeen ? looking!.workspace : saidIn
  if (!workspace) return
  const typing = isSeen && isTyping()
  const body = { conversationId: isSeen ? looking!.conversationId : null, typing }
  saidIn = isSeen ? workspace : undefined
  // One after the other: what is said last is what counts.
  sending = sending.then(() => callDashboard('POST /presence', { workspace, body }).catch(() => {}))
  if (isSeen) timer = setTimeout(say, typing ? TYPING_MS : SAY_AGAIN_MS)
}

/** Says it once, however much changes now. */
function saySoon(): void {
  if (isDue) return
  isDue = true
  queueMicrotask(say)
}

/** Somebody looks at a chat here; the answer is called when they do not any more. */
export function lookAt(workspace: string, conversationId: string): () => void {
  const here = { workspace, conversationId }
  looking = here
  typedAt = Number.NEGATIVE_INFINITY
  saySoon()
  document.addEventListener('visibilitychange', say)
  return () => {
    document.removeEventListener('visibilitychange', say)
    if (looking !== here) return
    looking = undefined
    saySoon()
  }
}

/** A letter was written, or what was written has been sent. */
export function noteTyping(is: boolean): void {
  const was = isTyping()
  typedAt = is ? Date.now() : Number.NEGATIVE_INFINITY
  if (was !== is) saySoon()
}
