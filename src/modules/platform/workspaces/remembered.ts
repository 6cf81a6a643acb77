/** A bounded cache of look-ups, each belonging to a workspace once its result is known. */
import type { Clock } from '../../../core/clock.ts'

type Entry<Value> = {
  value: Promise<Value>
  loadedAtMs: number
  generation: number
  /** The workspace with which it is dropped; undefined until its result is known. */
  owner: string | undefined
}

export type Remembered<Value> = {
  /** Returns the cached value of `key`, or calls `load`; parallel callers share the result. */
  get(key: string, load: () => Promise<Value>): Promise<Value>
  /** Returns whether `key` need not be loaded now. */
  has(key: string): boolean
  /** Drops a workspace's entries; all entries without an id. */
  forget(workspaceId?: string): void
  /** Returns the number of cached look-ups, and of their workspaces. */
  size(): { entries: number; workspaces: number }
}

const MAX_ENTRIES = 50_000

/**
 * Caches look-ups for `freshMs()`, at most `maxEntries`. Look-ups without a workspace in `workspaceOf`,
 * because nothing was found, are not kept, so that unknown callers cannot fill the memory.
 */
export function rememberLookups<Value>(
  clock: Clock,
  freshMs: () => number,
  workspaceOf: (key: string, value: Value) => string | undefined,
  maxEntries = MAX_ENTRIES,
): Remembered<Value> {
  const entries = new Map<string, Entry<Value>>()
  const byWorkspace = new Map<string, Set<string>>()
  let generation = 0
  const drop = (key: string): void => {
    const owner = entries.get(key)?.owner
    entries.delete(key)
    if (owner === undefined) return
    const keys = byWorkspace.get(owner)
    if (keys?.delete(key) && keys.size === 0) byWorkspace.delete(owner)
  }
  const freshEntry = (key: string): Entry<Value> | undefined => {
    const entry = entries.get(key)
    // A look-up that began before the last change may return the old state, so later callers do not share it.
    const isGood = entry && (entry.owner !== undefined || entry.generation === generation)
    return isGood && clock.monotonicMs() - entry.loadedAtMs < freshMs() ? entry : undefined
  }
  /** Removes expired entries; the map is in the order of loading. */
  const dropStale = (): void => {
    const staleMs = clock.monotonicMs() - freshMs()
    for (const [key, { loadedAtMs }] of entries) {
      if (loadedAtMs > staleMs) return
      drop(key)
    }
  }
  const settle = (key: string, entry: Entry<Value>, answer: Value): void => {
    if (entries.get(key) !== entry) return
    const owner = workspaceOf(key, answer)
    // Nothing was found, or a change arrived during the look-up: the result is not kept.
    if (owner === undefined || entry.generation !== generation) {
      drop(key)
      return
    }
    entry.owner = owner
    const keys = byWorkspace.get(owner) ?? new Set()
    byWorkspace.set(owner, keys.add(key))
  }
  return {
    get(key, load) {
      const cached = freshEntry(key)
      if (cached) return cached.value
      drop(key)
      dropStale()
      const value = load()
      const entry = { value, loadedAtMs: clock.monotonicMs(), generation, owner: undefined }
      entries.set(key, entry)
      if (entries.size > maxEntries) drop(entries.keys().next().value as string)
      value.then(
        (answer) => settle(key, entry, answer),
        () => {
          if (entries.get(key) === entry) drop(key)
        },
      )
      return value
    },
    has: (key) => freshEntry(key)?.owner !== undefined,
    forget(workspaceId) {
      generation++
      if (workspaceId === undefined) {
        entries.clear()
        byWorkspace.clear()
        return
      }
      for (const key of byWorkspace.get(workspaceId) ?? []) entries.delete(key)
      byWorkspace.delete(workspaceId)
    },
    size: () => ({ entries: entries.size, workspaces: byWorkspace.size }),
  }
}
