/**
 * Tags that this process recently saw stored, so that a write with only these tags needs no statement. A tag
 * removed by another process is listed again with its first use after a minute (DECISIONS.md "Tags").
 */
import { MINUTE_MS, systemClock } from '../../../../core/clock.ts'

const MAX_REMEMBERED = 20_000

/** The workspaces of each name. A combined key would have to be hashed on every lookup. */
type Seen = Map<string, Set<string>>

// Two generations replace a least-recently-used list and an expiry time per tag.
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
