/**
 * Which workspaces have automations that listen, and to what, remembered in the process: where nobody listens, no event costs a
 * statement. The database announces changes, as to the directory; what is not known just now may listen.
 */
import type { Query } from '../../core/context.ts'
import { type PendingEvent, SCREEN_CHANGED } from '../../core/event.ts'
import { listListeners } from './queries/automations.ts'

export type Listeners = {
  /** False: nobody of the workspace listens to this event. */
  mayListen(workspaceId: string, event: string): boolean
  /** Has what a workspace listens to read again; that of all of them without an id. */
  forget(workspaceId?: string): void
  /** Whether changes are being announced to this process just now. */
  setListening(listening: boolean): void
  /** Resolves when nothing is being read. */
  settled(): Promise<void>
}

export function createListeners(query: Query): Listeners {
  const events = new Map<string, Set<string>>()
  /** Workspaces of which it is not known what they listen to. */
  const unknown = new Set<string>()
  let knowsAll = false
  let listening = false
  let reading: Promise<void> | undefined

  const read = async (): Promise<void> => {
    while (listening && (!knowsAll || unknown.size > 0)) {
      const all = !knowsAll
      const ids = all ? undefined : [...unknown]
      // What changes from here on is asked for again.
      unknown.clear()
      knowsAll = true
      try {
        const rows = await listListeners(query, ids)
        if (all) events.clear()
        for (const id of ids ?? []) events.delete(id)
        for (const row of rows) events.set(row.workspaceId, new Set(row.events))
      } catch {
        if (all) knowsAll = false
        for (const id of ids ?? []) unknown.add(id)
        return
      }
    }
  }
  const readSoon = (): void => {
    reading ??= read().finally(() => {
      reading = undefined
    })
  }

  return {
    mayListen(workspaceId, event) {
      if (!listening) return true
      if (!knowsAll || unknown.has(workspaceId)) {
        readSoon()
        return true
      }
      // What is being read now may say otherwise.
      if (reading) return true
      return events.get(workspaceId)?.has(event) ?? false
    },
    forget(workspaceId) {
      if (workspaceId === undefined) knowsAll = false
      else unknown.add(workspaceId)
      readSoon()
    },
    setListening(now) {
      listening = now
      if (now) readSoon()
    },
    settled: () => reading ?? Promise.resolve(),
  }
}

/** Workspaces whose automations a committed transaction changed: this process need not wait until the database says so. */
export const changedAutomations = (events: readonly PendingEvent[]): Set<string> =>
  new Set(
    events
      .filter(
        ({ name, data }) =>
          name === SCREEN_CHANGED &&
          (data as { touched: { automation?: unknown } }).touched.automation !== undefined,
      )
      .map(({ workspaceId }) => workspaceId),
  )
