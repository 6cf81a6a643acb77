/**
 * Caches answers of the network for a few seconds, so that many readers of the same data cause one request.
 */
export type BriefCache<Value> = {
  /**
   * Returns the value that was loaded under `key` shortly before `now`, or is being loaded; otherwise calls
   * `load`. Failures are not kept.
   */
  get(key: string, now: Date, load: () => Promise<Value>): Promise<Value>
}

export function briefCache<Value>(options: { keptMs: number; maxEntries: number }): BriefCache<Value> {
  const entries = new Map<string, { until: number; value: Promise<Value> }>()

  /** Removes the oldest entries, which also expire first. */
  const makeRoom = (): void => {
    for (const key of entries.keys()) {
      if (entries.size < options.maxEntries) return
      entries.delete(key)
    }
  }

  return {
    get(key, now, load) {
      const cached = entries.get(key)
      if (cached && now.getTime() < cached.until) return cached.value
      entries.delete(key)
      makeRoom()
      const entry = { until: now.getTime() + options.keptMs, value: load() }
      entries.set(key, entry)
      entry.value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key)
      })
      return entry.value
    },
  }
}
