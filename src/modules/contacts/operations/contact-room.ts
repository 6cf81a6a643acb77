/**
 * The contact limit (spec 2.6). A limited workspace's count is kept under a row lock, so that it is
 * exact; a workspace without a limit is neither counted nor locked.
 */
import type { Unit, Workspace } from '../../../core/context.ts'
import { Refusal } from '../../../core/errors.ts'
import {
  type ContactKey,
  countContactRows,
  listContactsByKey,
  listUsageForUpdate,
  saveContactCounts,
} from '../queries.ts'
import { indexContacts, lookUp } from './find-contact.ts'

/** Contacts stored and allowed, by id of the limited workspace. */
export type ContactRoom = Map<string, { contacts: number; limit: number; changed: boolean }>

/**
 * Locks and reads the counts of the limited ones among `workspaces`. Everybody takes this lock
 * before those of contacts, conversations and messages, so that nobody waits in a circle.
 */
export async function lockContactRoom(unit: Unit, workspaces: Workspace[]): Promise<ContactRoom> {
  const room: ContactRoom = new Map()
  const limited = new Map(
    workspaces.filter((w) => w.contactLimit !== null).map((w) => [w.id, w.contactLimit!]),
  )
  if (limited.size === 0) return room
  for (const usage of await listUsageForUpdate(unit.tx, [...limited.keys()])) {
    // The count was not kept while there was no limit (`forget_contact_count`).
    const counted = usage.contacts !== null
    const contacts = usage.contacts ?? (await countContactRows(unit.tx, usage.workspaceId))
    room.set(usage.workspaceId, { contacts, limit: limited.get(usage.workspaceId)!, changed: !counted })
  }
  return room
}

/**
 * The same for the workspaces that get a contact which they do not have yet; where all are known
 * nobody is held up.
 */
export async function lockRoomForNew(
  unit: Unit,
  keys: (ContactKey & { workspace: Workspace })[],
): Promise<ContactRoom> {
  const limited = keys.filter((key) => key.workspace.contactLimit !== null)
  if (limited.length === 0) return new Map()
  const known = indexContacts(await listContactsByKey(unit.tx, limited))
  const unknown = limited.filter((key) => !lookUp(known, key))
  return lockContactRoom(
    unit,
    unknown.map((key) => key.workspace),
  )
}

/** Takes in the workspaces whose known contact was erased before we could lock it: rare, and late. */
export async function lockStillMissing(
  unit: Unit,
  room: ContactRoom,
  workspaces: Workspace[],
): Promise<void> {
  const unlocked = workspaces.filter((workspace) => !room.has(workspace.id))
  for (const [id, place] of await lockContactRoom(unit, unlocked)) room.set(id, place)
}

/** Whether the workspace may store one more; what it takes counts at once. */
export function takeContactRoom(room: ContactRoom, workspaceId: string): boolean {
  const place = room.get(workspaceId)
  if (!place) return true
  if (place.contacts >= place.limit) return false
  countContacts(room, workspaceId, 1)
  return true
}

/** Counts contacts made or erased whatever the limit says: a customer who writes in is never turned away. */
export function countContacts(room: ContactRoom, workspaceId: string, more: number): void {
  const place = room.get(workspaceId)
  if (!place) return
  place.contacts += more
  place.changed = true
}

/** Stores the counts that changed. */
export async function settleContactRoom(unit: Unit, room: ContactRoom): Promise<void> {
  const counts = [...room]
    .filter(([, place]) => place.changed)
    .map(([workspaceId, place]) => ({ workspaceId, contacts: place.contacts }))
  if (counts.length > 0) await saveContactCounts(unit, counts)
}

/** The refusal of a new contact past the limit (spec 7.2). */
export const contactLimitReached = (workspace: Workspace): Refusal =>
  new Refusal('plan_limit_reached', `The workspace may store ${workspace.contactLimit} contacts, and does.`)
