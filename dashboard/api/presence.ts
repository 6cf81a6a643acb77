/** Tracks which members view a chat: receives others' presence from the stream, and reports this member's. */
import { useSyncExternalStore } from 'react'
import { callDashboard } from './request.ts'

type MemberState = { conversationId: string; typing: boolean }
export type PresenceFrame = { presence?: Record<string, MemberState | null>; isWhole?: true }
export type PresentMember = { memberId: string; typing: boolean }

let members: Record<string, MemberState> = {}
let byChat = new Map<string, readonly PresentMember[]>()
const listeners = new Set<() => void>()
const NO_MEMBERS: readonly PresentMember[] = []

const isSame = (a: readonly PresentMember[], b: readonly PresentMember[]): boolean =>
  a.length === b.length &&
  a.every(({ memberId, typing }, index) => memberId === b[index]!.memberId && typing === b[index]!.typing)

/** Applies a presence frame of the stream. */
export function receivePresence({ presence, isWhole }: PresenceFrame): void {
  if (!presence) return
  const places: Record<string, MemberState | null> = isWhole ? presence : { ...members, ...presence }
  members = Object.fromEntries(
    Object.entries(places).filter((entry): entry is [string, MemberState] => entry[1] !== null),
  )
  const next = new Map<string, readonly PresentMember[]>()
  for (const [memberId, { conversationId, typing }] of Object.entries(members))
    next.set(conversationId, [...(next.get(conversationId) ?? []), { memberId, typing }])
  // A chat without changes is not drawn again.
  for (const [id, present] of next) {
    const before = byChat.get(id)
    if (before && isSame(before, present)) next.set(id, before)
  }
  byChat = next
  for (const listener of listeners) listener()
}

/** Returns the known presence, for a tab that opens later. */
export const currentPresence = (): PresenceFrame => ({ presence: members, isWhole: true })

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the members who view a chat, including this member. */
export const usePresence = (conversationId: string): readonly PresentMember[] =>
  useSyncExternalStore(subscribe, () => byChat.get(conversationId) ?? NO_MEMBERS)

/** A report is valid for 30 s, so one lost report has no effect. */
const REPORT_EVERY_MS = 10_000
/** The time after a keystroke in which a member counts as typing. */
const TYPING_MS = 5_000

let viewedChat: { workspace: string; conversationId: string } | undefined
let typedAt = Number.NEGATIVE_INFINITY
/** The workspace of the last report. */
let reportedWorkspace: string | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let isDue = false
let sending: Promise<unknown> = Promise.resolve()

const isTyping = (): boolean => Date.now() - typedAt < TYPING_MS

function sendReport(): void {
  isDue = false
  clearTimeout(timer)
  const isSeen = viewedChat !== undefined && document.visibilityState === 'visible'
  const workspace = isSeen ? viewedChat!.workspace : reportedWorkspace
  if (!workspace) return
  const typing = isSeen && isTyping()
  const body = { conversationId: isSeen ? viewedChat!.conversationId : null, typing }
  reportedWorkspace = isSeen ? workspace : undefined
  // In turn, because the last report counts.
  sending = sending.then(() => callDashboard('POST /presence', { workspace, body }).catch(() => {}))
  if (isSeen) timer = setTimeout(sendReport, typing ? TYPING_MS : REPORT_EVERY_MS)
}

/** Sends one report for all changes of this moment. */
function scheduleReport(): void {
  if (isDue) return
  isDue = true
  queueMicrotask(sendReport)
}

/** Reports that this member views a chat; returns a function that ends it. */
export function reportViewing(workspace: string, conversationId: string): () => void {
  const place = { workspace, conversationId }
  viewedChat = place
  typedAt = Number.NEGATIVE_INFINITY
  scheduleReport()
  document.addEventListener('visibilitychange', sendReport)
  return () => {
    document.removeEventListener('visibilitychange', sendReport)
    if (viewedChat !== place) return
    viewedChat = undefined
    scheduleReport()
  }
}

/** Records a keystroke, or that the text was sent. */
export function reportTyping(isWriting: boolean): void {
  const wasTyping = isTyping()
  typedAt = isWriting ? Date.now() : Number.NEGATIVE_INFINITY
  if (wasTyping !== isWriting) scheduleReport()
}
