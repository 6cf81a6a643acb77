/** Answers of the network that may be a few seconds old: many who look at the same thing ask once. */
export type BriefCache<Value> = {
  /** What was loaded under `key` shortly before `now`, or is being loaded; else what `load` answers. Failures are not kept. */
  get(key: string, now: Date, load: () => Promise<Value>): Promise<Value>
}

export function briefCache<Value>(options: { keptMs: number; maxEntries: number }): BriefCache<Value> {
  const entries = new Map<string, { until: number; value: Promise<Value> }>()

  /** The oldest go first: they are the first to have ended, too. */
  const makeRoom = (): void => {
    for (const key of entries.keys()) {
      if (entries.size < options.maxEntries) return
      entries.delete(key)
    }
  }

  return {
    get(key, now, load) {
      const known = entries.get(key)
      if (known && now.getTime() < known.until) return known.value
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
