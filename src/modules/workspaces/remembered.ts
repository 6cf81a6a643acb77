/** A bounded memory of look-ups, each belonging to a workspace once its answer is known. */
import type { Clock } from '../../core/clock.ts'

type Entry<Value> = {
  value: Promise<Value>
  loadedAtMs: number
  generation: number
  /** The workspace that it is forgotten with; undefined until its answer is known. */
  owner: string | undefined
}

export type Remembered<Value> = {
  /** What is remembered of `key`, or what `load` answers; those who ask meanwhile share the answer. */
  get(key: string, load: () => Promise<Value>): Promise<Value>
  /** Whether `key` need not be loaded just now. */
  has(key: string): boolean
  /** Drops what belongs to a workspace; everything without an id. */
  forget(workspaceId?: string): void
  /** How many look-ups are held, and of how many workspaces. */
  size(): { entries: number; workspaces: number }
}

const MAX_ENTRIES = 50_000

/**
 * Remembers look-ups for `freshMs()`, at most `maxEntries` of them. What `workspaceOf` names no workspace for, because
 * nothing was found, is not remembered: callers whom nobody knows must not be able to fill the memory.
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
  const fresh = (key: string): Entry<Value> | undefined => {
    const known = entries.get(key)
    // A look that began before the last change may come back with what was before it: nobody new shares it.
    const isGood = known && (known.owner !== undefined || known.generation === generation)
    return isGood && clock.monotonicMs() - known.loadedAtMs < freshMs() ? known : undefined
  }
  /** What went stale and was not asked for again: whatever was loaded first stands first. */
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
    // Nothing found, or something changed while we looked: not worth remembering.
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
      const known = fresh(key)
      if (known) return known.value
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
    has: (key) => fresh(key)?.owner !== undefined,
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
