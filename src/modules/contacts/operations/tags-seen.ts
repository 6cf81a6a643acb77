/**
 * Tags that this process has lately seen stored: a write that carries no other spares a statement. What is removed
 * elsewhere meanwhile is listed again with the first use after a minute (docs/decisions/tags.md).
 */
import { MINUTE_MS, systemClock } from '../../../core/clock.ts'

const MAX_REMEMBERED = 20_000

// Two generations stand in for a least-recently-used list, and for a time on each.
let recent = new Set<string>()
let older = new Set<string>()
let turnedMs = 0

const keyOf = (workspaceId: string, name: string): string => `${workspaceId} ${name}`

function turn(): void {
  const nowMs = systemClock.monotonicMs()
  if (recent.size < MAX_REMEMBERED && nowMs - turnedMs < MINUTE_MS / 2) return
  older = nowMs - turnedMs < MINUTE_MS / 2 ? recent : new Set()
  recent = new Set()
  turnedMs = nowMs
}

export const wasTagSeen = (workspaceId: string, name: string): boolean => {
  turn()
  const key = keyOf(workspaceId, name)
  return recent.has(key) || older.has(key)
}

export const rememberTag = (workspaceId: string, name: string): void => {
  recent.add(keyOf(workspaceId, name))
}

export const forgetTag = (workspaceId: string, name: string): void => {
  recent.delete(keyOf(workspaceId, name))
  older.delete(keyOf(workspaceId, name))
}
