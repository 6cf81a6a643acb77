/**
 * The contact limit (spec 2.6), counted exactly; a workspace without a limit is neither counted nor
 * locked. Batches of many requests read the counts without a lock and raise them by a guarded write just
 * before they insert, so that they do not wait for each other (docs/decisions/requests.md).
 */
import type { Unit, Workspace } from '../../../core/context.ts'
import { Refusal } from '../../../core/errors.ts'
import { type ContactKey, listContactsByKey } from '../queries/contacts.ts'
import {
  countContactRows,
  listNumbersWithUsage,
  listUsage,
  listUsageForUpdate,
  raiseContactCounts,
  saveContactCounts,
} from '../queries/counts.ts'
import { indexContacts, lookUp } from './find-contact.ts'

/** Contacts stored and allowed, by id of the limited workspace; `taken` is not written yet. */
export type ContactRoom = Map<string, { contacts: number; limit: number; taken: number }>

const limitsOf = (workspaces: Workspace[]): Map<string, number> =>
  new Map(workspaces.filter((w) => w.contactLimit !== null).map((w) => [w.id, w.contactLimit!]))

/**
 * Locks and reads the counts of the limited ones among `workspaces`. Everybody takes this lock
 * before those of contacts, conversations and messages, so that nothing deadlocks.
 */
export async function lockContactRoom(unit: Unit, workspaces: Workspace[]): Promise<ContactRoom> {
  const limits = limitsOf(workspaces)
  if (limits.size === 0) return new Map()
  const usages = await listUsageForUpdate(unit.tx, [...limits.keys()])
  // Not kept while there was no limit (`forget_contact_count`).
  const counted = await Promise.all(
    usages
      .filter((usage) => usage.contacts === null)
      .map(async ({ workspaceId }) => ({
        workspaceId,
        contacts: await countContactRows(unit.tx, workspaceId),
      })),
  )
  if (counted.length > 0) await saveContactCounts(unit, counted)
  return roomOf([...usages, ...counted], limits)
}

/**
 * Reads the same without a lock; what is taken may then turn out to be gone. Where one is not counted yet, all are
 * locked after all.
 */
export async function readContactRoom(unit: Unit, workspaces: Workspace[]): Promise<ContactRoom> {
  const limits = limitsOf(workspaces)
  if (limits.size === 0) return new Map()
  const usages = await listUsage(unit.tx, [...limits.keys()])
  // All of them at once: whoever held some and came for the others later could deadlock.
  if (usages.some((usage) => usage.contacts === null)) return lockContactRoom(unit, workspaces)
  return roomOf(usages, limits)
}

const roomOf = (
  usages: { workspaceId: string; contacts: number | null }[],
  limits: Map<string, number>,
): ContactRoom =>
  new Map(
    usages.flatMap(({ workspaceId, contacts }) =>
      contacts === null ? [] : [[workspaceId, { contacts, limit: limits.get(workspaceId)!, taken: 0 }]],
    ),
  )

/** The room of workspaces as though nobody were stored there. */
export const emptyRoom = (workspaces: Workspace[]): ContactRoom =>
  new Map([...limitsOf(workspaces)].map(([id, limit]) => [id, { contacts: 0, limit, taken: 0 }]))

/**
 * Locks the room of the workspaces that get a contact which they do not have yet; where all are known
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
  if (place.contacts + place.taken >= place.limit) return false
  place.taken++
  return true
}

/**
 * What there is room for and which numbers are known were read one after the other, and meanwhile somebody may have been
 * stored or erased. Before a number is refused both are read at one moment; `room` then says how it is. Returns those of
 * the numbers that are known.
 */
export async function lookAgain(
  unit: Unit,
  room: ContactRoom,
  refused: { workspaceId: string; phone: string }[],
): Promise<{ workspaceId: string; phone: string }[]> {
  const seen = await listNumbersWithUsage(unit.tx, refused)
  for (const { workspaceId, contacts } of seen) {
    const place = room.get(workspaceId)
    if (place && contacts !== null) place.contacts = contacts
  }
  return seen.filter(({ known }) => known)
}

/** Counts contacts made or erased whatever the limit says: a customer who writes in is never turned away. */
export function countContacts(room: ContactRoom, workspaceId: string, more: number): void {
  const place = room.get(workspaceId)
  if (place) place.taken += more
}

/**
 * Writes what was taken since. The statement fails by itself, and with it the transaction, where another transaction
 * used up what this one had counted on (`contested`: only then is the limit looked at again); run again, it will see so.
 */
export async function settleContactRoom(unit: Unit, room: ContactRoom, contested = false): Promise<void> {
  const taken = [...room]
    .filter(([, place]) => place.taken !== 0)
    // In one order for everybody, so that two batches do not wait for each other.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([workspaceId, { taken: more, limit }]) => ({ workspaceId, more, limit: contested ? limit : null }))
  for (const place of room.values()) {
    place.contacts += place.taken
    place.taken = 0
  }
  if (taken.length > 0) await raiseContactCounts(unit.tx, taken)
}

/** The refusal of a new contact past the limit (spec 7.2). */
export const contactLimitReached = (workspace: Workspace): Refusal =>
  new Refusal(
    'plan_limit_reached',
    `Contact limit reached (${(workspace.contactLimit ?? 0).toLocaleString('en-US')}). Delete contacts or raise the limit.`,
  )
