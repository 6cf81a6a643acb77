/**
 * The contact limit (spec 2.6), counted exactly. A workspace without a limit is neither counted nor locked.
 * Batches of many requests read the counts without a lock and raise them with a guarded write just before
 * they insert, so that they don't wait for each other (docs/decisions/requests.md).
 */
import type { Unit, Workspace } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { type ContactKey, listContactsByKey } from '../queries/contacts.ts'
import {
  countContactRows,
  listNumbersWithUsage,
  listUsage,
  listUsageForUpdate,
  raiseContactCounts,
  saveContactCounts,
} from '../queries/counts.ts'
import { indexContacts, lookUp } from './contact-index.ts'

/** Contacts stored and allowed, by id of the limited workspace. `taken` is not written yet. */
export type ContactRoom = Map<string, { contacts: number; limit: number; taken: number }>

const limitsOf = (workspaces: Workspace[]): Map<string, number> =>
  new Map(workspaces.filter((w) => w.contactLimit !== null).map((w) => [w.id, w.contactLimit!]))

/**
 * Locks and reads the counts of the limited workspaces among `workspaces`. To avoid deadlocks, every
 * operation takes this lock before the locks of contacts, conversations, and messages.
 */
export async function lockContactRoom(unit: Unit, workspaces: Workspace[]): Promise<ContactRoom> {
  const limits = limitsOf(workspaces)
  if (limits.size === 0) return new Map()
  const usages = await listUsageForUpdate(unit.tx, [...limits.keys()])
  // The count isn't kept while there is no limit (`forget_contact_count`).
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
 * Reads the counts without a lock, so a place may turn out to be taken. If any workspace isn't counted yet,
 * locks all of them.
 */
export async function readContactRoom(unit: Unit, workspaces: Workspace[]): Promise<ContactRoom> {
  const limits = limitsOf(workspaces)
  if (limits.size === 0) return new Map()
  const usages = await listUsage(unit.tx, [...limits.keys()])
  // Lock all in one statement: a transaction that took some locks first and the others later could deadlock.
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

/** Returns the room of the workspaces as if they had no contacts. */
export const emptyRoom = (workspaces: Workspace[]): ContactRoom =>
  new Map([...limitsOf(workspaces)].map(([id, limit]) => [id, { contacts: 0, limit, taken: 0 }]))

/**
 * Locks the room of the workspaces that will store a new contact. If all contacts are known, takes no lock.
 */
export async function lockRoomForNew(
  unit: Unit,
  keys: (ContactKey & { workspace: Workspace })[],
): Promise<ContactRoom> {
  const limited = keys.filter((key) => key.workspace.contactLimit !== null)
  if (limited.length === 0) return new Map()
  const stored = indexContacts(await listContactsByKey(unit.tx, limited))
  const unknown = limited.filter((key) => !lookUp(stored, key))
  return lockContactRoom(
    unit,
    unknown.map((key) => key.workspace),
  )
}

/** Adds the workspaces whose known contact was erased before we could lock it. This is rare. */
export async function lockStillMissing(
  unit: Unit,
  room: ContactRoom,
  workspaces: Workspace[],
): Promise<void> {
  const unlocked = workspaces.filter((workspace) => !room.has(workspace.id))
  for (const [id, place] of await lockContactRoom(unit, unlocked)) room.set(id, place)
}

/** Returns whether the workspace can store another contact, and counts it immediately. */
export function takeContactRoom(room: ContactRoom, workspaceId: string): boolean {
  const place = room.get(workspaceId)
  if (!place) return true
  if (place.contacts + place.taken >= place.limit) return false
  place.taken++
  return true
}

/**
 * Returns the known numbers, and refreshes `room`. Both were read one after the other, and contacts may have
 * been stored or erased between the reads. So one statement reads both again before a number is rejected.
 */
export async function recheckFullRooms(
  unit: Unit,
  room: ContactRoom,
  refused: { workspaceId: string; phone: string }[],
): Promise<{ workspaceId: string; phone: string }[]> {
  const usages = await listNumbersWithUsage(unit.tx, refused)
  for (const { workspaceId, contacts } of usages) {
    const place = room.get(workspaceId)
    if (place && contacts !== null) place.contacts = contacts
  }
  return usages.filter(({ known }) => known)
}

/**
 * Counts contacts that were created or erased, regardless of the limit: an inbound message is never refused.
 */
export function countContacts(room: ContactRoom, workspaceId: string, more: number): void {
  const place = room.get(workspaceId)
  if (place) place.taken += more
}

/**
 * Writes the places taken since the last call. With `contested`, checks the limit again: the statement fails,
 * and with it the transaction, if another transaction took the last places. When it runs again, it reads the
 * new count.
 */
export async function settleContactRoom(unit: Unit, room: ContactRoom, contested = false): Promise<void> {
  const usages = [...room]
    .filter(([, place]) => place.taken !== 0)
    // Every batch uses the same order, so that two batches don't deadlock.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([workspaceId, { taken: more, limit }]) => ({ workspaceId, more, limit: contested ? limit : null }))
  for (const place of room.values()) {
    place.contacts += place.taken
    place.taken = 0
  }
  if (usages.length > 0) await raiseContactCounts(unit.tx, usages)
}

/** Returns the refusal of a new contact past the limit (spec 7.2). */
export const contactLimitReached = (workspace: Workspace): Refusal =>
  new Refusal(
    'plan_limit_reached',
    `Contact limit reached (${(workspace.contactLimit ?? 0).toLocaleString('en-US')}). Delete contacts or raise the limit.`,
  )
