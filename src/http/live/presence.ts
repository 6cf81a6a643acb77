/**
 * Tracks which member looks at which conversation (docs/decisions/dashboard-pages.md). No table stores it: NOTIFY
 * sends reports to all processes, which forget them after 30 s unless they are repeated.
 */
import { type Clock, SECOND_MS } from '../../core/clock.ts'
import type { Frame, Presence } from './frame.ts'

/** A member's report; `conversationId` null: the member looks at no conversation anymore. */
export type PresenceReport = {
  workspaceId: string
  memberId: string
  conversationId: string | null
  typing: boolean
}

export type PresenceBoard = {
  hear(report: PresenceReport): void
  /** Returns the complete presence, for the start of a stream. */
  all(workspaceId: string): Pick<Frame, 'presence' | 'isWhole'>
  close(): void
}

/** The time for which a report is valid. */
export const PRESENCE_MS = 30 * SECOND_MS
const SWEEP_MS = SECOND_MS
/** Changes within this time are sent together. */
const GATHER_MS = 150

type Entry = Presence & { untilMs: number }
type Options = { clock: Pick<Clock, 'monotonicMs'>; send(workspaceId: string, frame: Frame): void }

const shown = ({ conversationId, typing }: Presence): Presence => ({ conversationId, typing })

export function openPresence({ clock, send }: Options): PresenceBoard {
  const byWorkspace = new Map<string, Map<string, Entry>>()
  const pendingPresence = new Map<string, Record<string, Presence | null>>()
  let timer: NodeJS.Timeout | undefined

  const flush = (): void => {
    timer = undefined
    for (const [workspaceId, presence] of pendingPresence) send(workspaceId, { changed: {}, presence })
    pendingPresence.clear()
  }
  const queueChange = (workspaceId: string, memberId: string, presence: Presence | null): void => {
    pendingPresence.set(workspaceId, { ...pendingPresence.get(workspaceId), [memberId]: presence })
    timer ??= setTimeout(flush, GATHER_MS).unref()
  }
  const forget = (workspaceId: string, memberId: string): void => {
    const members = byWorkspace.get(workspaceId)
    if (!members?.delete(memberId)) return
    if (members.size === 0) byWorkspace.delete(workspaceId)
    queueChange(workspaceId, memberId, null)
  }
  const sweep = setInterval(() => {
    const nowMs = clock.monotonicMs()
    for (const [workspaceId, members] of byWorkspace)
      for (const [memberId, { untilMs }] of members) if (untilMs <= nowMs) forget(workspaceId, memberId)
  }, SWEEP_MS)
  sweep.unref()

  return {
    hear: ({ workspaceId, memberId, conversationId, typing }) => {
      if (conversationId === null) return forget(workspaceId, memberId)
      const members = byWorkspace.get(workspaceId) ?? new Map<string, Entry>()
      byWorkspace.set(workspaceId, members)
      const before = members.get(memberId)
      const entry = { conversationId, typing, untilMs: clock.monotonicMs() + PRESENCE_MS }
      members.set(memberId, entry)
      // A repeated report changes nothing, so nothing is sent.
      if (before?.conversationId !== conversationId || before.typing !== typing)
        queueChange(workspaceId, memberId, shown(entry))
    },
    all: (workspaceId) => ({
      presence: Object.fromEntries(
        [...(byWorkspace.get(workspaceId) ?? [])].map(([memberId, entry]) => [memberId, shown(entry)]),
      ),
      isWhole: true,
    }),
    close: () => {
      clearInterval(sweep)
      clearTimeout(timer)
    },
  }
}
