/**
 * Caches which events the automations of each workspace listen to, so that other events cost no statement.
 * The database announces changes, like for the workspace directory. While a workspace is not cached, it may
 * listen to any event.
 */
import type { Query } from '../../../core/context.ts'
import { type PendingEvent, SCREEN_CHANGED } from '../../../core/event.ts'
import { listListeners } from './queries/automations.ts'

export type Listeners = {
  /** Returns false if no automation of the workspace listens to this event. */
  mayListen(workspaceId: string, event: string): boolean
  /** Reads the events of a workspace again, or of all workspaces without an id. */
  forget(workspaceId?: string): void
  /** Sets whether this process receives announcements of changes now. */
  setListening(listening: boolean): void
  /** Resolves when no read is in progress. */
  settled(): Promise<void>
}

export function createListeners(query: Query): Listeners {
  const events = new Map<string, Set<string>>()
  /** Workspaces whose events must be read again. */
  const unknown = new Set<string>()
  let knowsAll = false
  let listening = false
  let reading: Promise<void> | undefined

  const read = async (): Promise<void> => {
    while (listening && (!knowsAll || unknown.size > 0)) {
      const isFullRead = !knowsAll
      const ids = isFullRead ? undefined : [...unknown]
      // Changes from here on need another read.
      unknown.clear()
      knowsAll = true
      try {
        const rows = await listListeners(query, ids)
        if (isFullRead) events.clear()
        for (const id of ids ?? []) events.delete(id)
        for (const row of rows) events.set(row.workspaceId, new Set(row.events))
      } catch {
        if (isFullRead) knowsAll = false
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
      // The read in progress may change the result.
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

/**
 * Returns the workspaces whose automations a committed transaction changed, so that this process need not
 * wait for the database's announcement.
 */
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
