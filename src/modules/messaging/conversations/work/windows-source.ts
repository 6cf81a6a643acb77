import { type Clock, workspaceTime } from '../../../../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../../../../core/context.ts'
import { type DueMoment, dueAt } from '../../../../core/due.ts'
import { emit } from '../../../../core/event.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { workspacesInTurn } from '../../../../core/workspaces-in-turn.ts'
import { describeContacts } from '../../contacts/operations/find-contact.ts'
import { conversationClosed } from '../events.ts'
import { closing } from '../operations/record-inbound.ts'
import {
  alignWindows,
  closeDueWindows,
  type DueWindow,
  findNextDueWindow,
  listDueWindows,
} from '../queries/due-windows.ts'

const BATCH = 500
const POLL_MS = 5_000

export type WindowsDeps = {
  database: Database
  clock: Clock
  workspaces: (ids: string[]) => Promise<Map<string, Workspace>>
}

/**
 * Closes expired windows and fires their events (spec 3: within about five minutes; we check every five
 * seconds). Each due row is closed and announced in one transaction, so a crash repeats it whole and a second
 * worker finds it done.
 *
 * An extended window is checked at its original expiry and postponed until the new one. Windows of all
 * workspaces are closed together; if that fails, each workspace is closed separately.
 */
export function windowsSource(deps: WindowsDeps): WorkSource {
  const { database, clock, workspaces } = deps
  const inTurn = workspacesInTurn()
  return {
    name: 'windows',
    pollMs: POLL_MS,
    async runDue({ workspaceId, moving }) {
      const due = dueAt(clock.now(), moving)
      const windows = await database.system((tx) => listDueWindows(tx, due, BATCH, workspaceId))
      if (windows.length === 0) return 0
      const owners = await workspaces([...new Set(windows.map((window) => window.workspaceId))])
      try {
        return await closeExpiredWindows(deps, windows, owners, due)
      } catch (error) {
        if (owners.size < 2) throw error
        const byOwner = Map.groupBy(windows, (window) => window.workspaceId)
        return inTurn(owners.values(), (owner) =>
          closeExpiredWindows(deps, byOwner.get(owner.id) ?? [], new Map([[owner.id, owner]]), due),
        )
      }
    },
    nextDue: findNextDueWindow,
    align: alignWindows,
  }
}

async function closeExpiredWindows(
  { database, clock }: WindowsDeps,
  windows: DueWindow[],
  owners: Map<string, Workspace>,
  due: DueMoment,
): Promise<number> {
  return database.tenant([...owners.values()], async (unit) => {
    const checked = await closeDueWindows(
      unit.tx,
      windows.map((window) => ({ ...window, aheadMs: owners.get(window.workspaceId)?.clockOffsetMs ?? 0 })),
      due,
    )
    const closed = checked.filter(({ windowOpen }) => !windowOpen)
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
    return checked.length
  })
}
