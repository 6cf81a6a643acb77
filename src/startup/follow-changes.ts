import type { Clock } from '../core/clock.ts'
import { type ChangeListener, type ChangeOptions, listenForChanges } from '../database/changes.ts'
import type { OpenDatabase } from '../database/database.ts'
import type { Listeners } from '../modules/automating/automations/listeners.ts'
import {
  createSessionDirectory,
  type SessionDirectory,
} from '../modules/platform/access/session-directory.ts'
import { type StripWatch, watchStrips } from '../modules/platform/webhooks/delivery/stripped-events.ts'
import { createDirectory, type Directory } from '../modules/platform/workspaces/directory.ts'

/** The caches of this process, and the listener that clears them when other processes change the data. */
export type FollowedChanges = {
  directory: Directory
  sessions: SessionDirectory
  strips: StripWatch
  changes: ChangeListener
}

/** Opens the caches. `url` leads to the database itself, never to a pooler. */
export function followChanges(
  database: OpenDatabase,
  clock: Clock,
  { url, onPresence, listeners }: Pick<ChangeOptions, 'url' | 'onPresence'> & { listeners: Listeners },
): FollowedChanges {
  const directory = createDirectory(database.query, clock)
  const sessions = createSessionDirectory(database.query, clock)
  const strips = watchStrips(clock)
  const changes = listenForChanges({
    url,
    ...(onPresence ? { onPresence } : {}),
    onChange: (workspaceId) => {
      directory.forget(workspaceId)
      listeners.forget(workspaceId)
      sessions.forgetWorkspace(workspaceId)
      // The workspace itself may have been deleted, with its events.
      strips.heard(workspaceId)
    },
    onAccountChange: sessions.forgetAccount,
    onStrip: strips.heard,
    onLine: (up) => {
      directory.setListening(up)
      directory.forget()
      listeners.setListening(up)
      listeners.forget()
      sessions.setListening(up)
      sessions.forgetAccount()
      sessions.forgetWorkspace()
      strips.setListening(up)
    },
  })
  return { directory, sessions, strips, changes }
}
