import { type Clock, workspaceTime } from '../../../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../../../core/context.ts'
import { emit } from '../../../core/event.ts'
import type { WorkSource } from '../../../core/work.ts'
import { describeContacts } from '../../contacts/operations/find-contact.ts'
import { conversationClosed } from '../events.ts'
import { closing } from '../operations/note-inbound.ts'
import { closeDueWindows, findNextDueWindow, listDueWindows, shiftWindows } from '../queries/conversations.ts'

const BATCH = 500
const POLL_MS = 5_000

export type WindowsDeps = {
  database: Database
  clock: Clock
  workspaces: (ids: string[]) => Promise<Map<string, Workspace>>
}

/**
 * Closes windows that ran out and says so (spec 3: within about five minutes; we look every five
 * seconds). The row that is due is the work: it is closed and announced in one transaction, so a
 * crash repeats it whole and a second worker finds it done. A window that messages have extended
 * is looked at when it would have expired without them, and put off until it does.
 */
export const windowsSource = (deps: WindowsDeps): WorkSource => ({
  name: 'windows',
  pollMs: POLL_MS,
  runDue: ({ workspaceId }) => closeExpiredWindows(deps, workspaceId),
  nextDue: findNextDueWindow,
  shift: shiftWindows,
})

async function closeExpiredWindows(
  { database, clock, workspaces }: WindowsDeps,
  workspaceId?: string,
): Promise<number> {
  const due = await database.system((tx) => listDueWindows(tx, clock.now(), BATCH, workspaceId))
  if (due.length === 0) return 0
  const owners = await workspaces([...new Set(due.map((window) => window.workspaceId))])
  return database.tenant([...owners.values()], async (unit) => {
    const seen = await closeDueWindows(
      unit.tx,
      due.map((window) => ({ ...window, aheadMs: owners.get(window.workspaceId)?.clockOffsetMs ?? 0 })),
      clock.now(),
    )
    const closed = seen.filter(({ windowOpen }) => !windowOpen)
    const contacts = await describeContacts(unit, closed)
    for (const row of closed) {
      const workspace = owners.get(row.workspaceId)
      const contact = contacts.get(row.contactId)
      if (!workspace || !contact) continue
      const ctx = platformContext(unit, workspace, clock)
      emit(ctx, conversationClosed, closing(row, contact, workspaceTime(clock, workspace)), {
        contactId: contact.id,
      })
    }
    return seen.length
  })
}
