/**
 * Contacts of customers who write. A message carries a number, a chat-network user id, or both. The number
 * takes precedence, and the user id moves to the latest number it arrived with
 * (src/modules/messaging/messages/intake/DECISIONS.md).
 */
import type { Unit, Workspace } from '../../../../core/context.ts'
import { otherSpellings } from '../../../../core/values/phone-spellings.ts'
import { enqueueAll } from '../../../../database/sql/enqueue-jobs.ts'
import { mergeTwoContacts } from '../jobs.ts'
import {
  type ContactKey,
  type ContactRow,
  clearUserIds,
  insertContactRows,
  listContactsByKeyForUpdate,
  updateContactRows,
  updateLastSeen,
} from '../queries/contacts.ts'
import { lockSpelledPeople } from '../queries/stored-numbers.ts'
import {
  type ContactRoom,
  countContacts,
  lockRoomForNew,
  lockStillMissing,
  settleContactRoom,
} from './contact-room.ts'
import { findByOtherNames } from './find-contact.ts'
import { judgeSenders, type Sender, type SenderPlan, withPresentNames } from './judge-senders.ts'
import { announceNewContact } from './new-contact.ts'

const ROUNDS_MAX = 5

/**
 * Finds or stores the contact of each sender, and updates name, username, and last-seen time without events.
 * Stores new contacts regardless of the contact limit and announces them. Returns one result per sender, in
 * order; `created` for the first sender of a new contact.
 */
export async function upsertInboundContacts(
  unit: Unit,
  reported: Sender[],
): Promise<{ contact: ContactRow; created: boolean }[]> {
  const room = await lockRoomForNew(unit, keysOf(reported))
  const created = new Map<string, Sender>()
  let senders = reported
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const plan = await findSenders(unit, senders)
    const inserted = await storeFresh(unit, plan, room)
    for (const id of inserted) created.set(id, plan.fresh.get(id)!)
    senders = plan.senders
    // Another transaction stored one of them meanwhile: find them again.
    if (inserted.size < plan.fresh.size) continue
    await storeChanged(unit, plan)
    for (const [id, { ctx, source }] of created) announceNewContact(ctx, plan.rows.get(id)!, source)
    return plan.ids.map((id) => ({ contact: plan.rows.get(id)!, created: created.delete(id) }))
  }
  throw new Error('contacts kept changing concurrently')
}

/** Finds and locks the senders' contacts, also under other names, and judges what changes. */
async function findSenders(unit: Unit, reported: Sender[]): Promise<SenderPlan> {
  let senders = reported
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const plan = judgeSenders(senders, await listContactsByKeyForUpdate(unit.tx, keysOf(senders)))
    const present = await findPresentNames(unit, plan)
    if (!present) return plan
    senders = present
  }
  throw new Error('contacts kept changing their names concurrently')
}

/** Returns the senders under their current names. Undefined: the new contacts have no other name. */
async function findPresentNames(unit: Unit, { senders, fresh }: SenderPlan): Promise<Sender[] | undefined> {
  if (fresh.size === 0) return undefined
  const names = [...fresh.values()].flatMap(({ ctx, phone, userId }) => [
    ...(phone === null ? [] : [{ workspaceId: ctx.workspace.id, phone, userId: null }]),
    ...(userId === null ? [] : [{ workspaceId: ctx.workspace.id, phone: null, userId }]),
  ])
  const present = withPresentNames(senders, await findByOtherNames(unit, names))
  if (present) return present
  const spelled = names.flatMap(({ workspaceId, phone }) =>
    phone !== null && otherSpellings(phone).length > 0 ? [{ workspaceId, phone, userId: null }] : [],
  )
  if (spelled.length === 0) return undefined
  // Another transaction may store one of them under another spelling: it waits for this lock, or we find it.
  await lockSpelledPeople(unit.tx, spelled)
  return withPresentNames(senders, await findByOtherNames(unit, spelled))
}

/** Returns the keys under which the senders may be stored: each spelling of the number, and the user id. */
const keysOf = (senders: Sender[]): (ContactKey & { workspace: Workspace })[] =>
  senders.flatMap(({ ctx, phone, userId }) => {
    const key = { workspace: ctx.workspace, workspaceId: ctx.workspace.id }
    const spellings = phone === null ? [] : otherSpellings(phone)
    return [
      { ...key, phone: phone ?? `chan:${userId}`, userId },
      ...spellings.map((spelling) => ({ ...key, phone: spelling, userId: null })),
    ]
  })

/**
 * Inserts the new contacts, after their user ids are taken from other contacts. Returns the inserted ids; the
 * others were stored by another transaction first.
 */
async function storeFresh(unit: Unit, plan: SenderPlan, room: ContactRoom): Promise<Set<string>> {
  const { withoutUserId, fresh, rows } = plan
  if (withoutUserId.size > 0) await clearUserIds(unit.tx, [...withoutUserId.values()])
  if (fresh.size === 0) return new Set()
  await lockStillMissing(
    unit,
    room,
    [...fresh.values()].map(({ ctx }) => ctx.workspace),
  )
  const inserted = await insertContactRows(
    unit.tx,
    [...fresh.keys()].map((id) => rows.get(id)!),
  )
  for (const id of inserted) countContacts(room, fresh.get(id)!.ctx.workspace.id, 1)
  await settleContactRoom(unit, room)
  return inserted
}

/** Writes changes of known contacts. For most of them, only the last-seen time changes. */
async function storeChanged(unit: Unit, { rows, changed, seen, duplicates }: SenderPlan): Promise<void> {
  const rowsOf = (ids: Set<string>) => [...ids].map((id) => rows.get(id)!)
  await Promise.all([
    seen.size > 0 && updateLastSeen(unit.tx, rowsOf(seen)),
    changed.size > 0 && updateContactRows(unit.tx, rowsOf(changed)),
  ])
  await enqueueAll(
    mergeTwoContacts,
    duplicates.map(({ ctx, ...payload }) => ({ ctx, payload })),
  )
}
