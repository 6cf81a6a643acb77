/**
 * Tags that this process has lately seen stored: a write that carries no other spares a statement. What is removed
 * elsewhere meanwhile is listed again with the first use after a minute (docs/decisions/tags.md).
 */
import { MINUTE_MS, systemClock } from '../../../core/clock.ts'

const MAX_REMEMBERED = 20_000

/** The workspaces of each name: a text that is made of both would have to be hashed anew with each question. */
type Seen = Map<string, Set<string>>

// Two generations stand in for a least-recently-used list, and for a time on each.
let recent: Seen = new Map()
let older: Seen = new Map()
let remembered = 0
let turnedMs = 0

function turn(): void {
  const nowMs = systemClock.monotonicMs()
  if (remembered < MAX_REMEMBERED && nowMs - turnedMs < MINUTE_MS / 2) return
  older = nowMs - turnedMs < MINUTE_MS / 2 ? recent : new Map()
  recent = new Map()
  remembered = 0
  turnedMs = nowMs
}

export const wasTagSeen = (workspaceId: string, name: string): boolean => {
  turn()
  return (recent.get(name)?.has(workspaceId) || older.get(name)?.has(workspaceId)) ?? false
}

export const rememberTag = (workspaceId: string, name: string): void => {
  const workspaces = recent.get(name) ?? new Set()
  recent.set(name, workspaces.add(workspaceId))
  remembered++
}

export const forgetTag = (workspaceId: string, name: string): void => {
  recent.get(name)?.delete(workspaceId)
  older.get(name)?.delete(workspaceId)
}
