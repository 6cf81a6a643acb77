/**
 * Contacts of customers who write. A message carries a number, a chat-network user id, or both. The number
 * takes precedence, and the user id moves to the latest number it arrived with
 * (src/modules/messaging/messages/intake/DECISIONS.md).
 */
import { beforeCommit, type Unit } from '../../../../core/context.ts'
import { enqueueAll } from '../../../../database/sql/enqueue-jobs.ts'
import { mergeTwoContacts } from '../jobs.ts'
import {
  type ContactRow,
  clearUserIds,
  insertContactRows,
  updateContactRows,
  updateLastSeen,
} from '../queries/contacts.ts'
import {
  type ContactRoom,
  countContacts,
  lockRoomForNew,
  lockStillMissing,
  settleContactRoom,
} from './contact-room.ts'
import { findSenders, keysOf, type Recheck } from './find-senders.ts'
import type { Sender, SenderPlan } from './judge-senders.ts'
import { announceNewContact } from './new-contact.ts'

const ROUNDS_MAX = 5

/**
 * Finds or stores the contact of each sender, and updates name, username, and last-seen time without events.
 * Stores new contacts regardless of the contact limit and announces them. Returns one result per sender, in
 * order; `created` for the first sender of a new contact.
 *
 * With `recheck`, the results are those of the senders that it returns. It sees everything that transactions
 * stored while they held the locks of contacts that are `locked`.
 */
export async function upsertInboundContacts(
  unit: Unit,
  reported: Sender[],
  recheck?: Recheck,
): Promise<{ contact: ContactRow; created: boolean; locked: boolean }[]> {
  const room = await lockRoomForNew(unit, keysOf(reported))
  const created = new Map<string, Sender>()
  let senders = reported
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { plan, lookups } = await findSenders(unit, senders, round === 0 ? recheck : undefined)
    const locked = round === 0 && lookups === 1 && plan.fresh.size === 0
    const inserted = await storeSenders(unit, plan, room)
    for (const id of inserted) created.set(id, plan.fresh.get(id)!)
    senders = plan.senders
    // Another transaction stored one of them meanwhile: find them again.
    if (inserted.size < plan.fresh.size) continue
    for (const [id, { ctx, source }] of created) announceNewContact(ctx, plan.rows.get(id)!, source)
    return plan.ids.map((id) => ({ contact: plan.rows.get(id)!, created: created.delete(id), locked }))
  }
  throw new Error('contacts kept changing concurrently')
}

/** Inserts new contacts. Returns the ids of those that no other transaction stored first. */
async function insertFresh(unit: Unit, { rows, fresh }: SenderPlan, room: ContactRoom): Promise<Set<string>> {
  if (fresh.size === 0) return new Set()
  await lockStillMissing(
    unit,
    room,
    [...fresh.values()].map(({ ctx }) => ctx.workspace),
  )
  const inserted = await insertContactRows(unit.tx, rowsOf(rows, fresh.keys()))
  for (const id of inserted) countContacts(room, rows.get(id)!.workspaceId, 1)
  await settleContactRoom(unit, room)
  return inserted
}

/**
 * Writes the plan. Returns the ids of the inserted contacts. If they are fewer than planned, the changes of
 * known contacts are not written.
 */
async function storeSenders(unit: Unit, plan: SenderPlan, room: ContactRoom): Promise<Set<string>> {
  const { rows, fresh, changed, seen, withoutUserId, duplicates } = plan
  if (withoutUserId.size > 0) await clearUserIds(unit.tx, [...withoutUserId.values()])
  const inserted = await insertFresh(unit, plan, room)
  if (inserted.size < fresh.size) return inserted
  // For most of the known contacts, only the last-seen time changes. Later statements follow in the same round
  // trip.
  if (seen.size > 0) beforeCommit(unit, updateLastSeen(unit.tx, rowsOf(rows, seen)))
  if (changed.size > 0) beforeCommit(unit, updateContactRows(unit.tx, rowsOf(rows, changed)))
  await enqueueAll(
    mergeTwoContacts,
    duplicates.map(({ ctx, ...payload }) => ({ ctx, payload })),
  )
  return inserted
}

const rowsOf = (rows: Map<string, ContactRow>, ids: Iterable<string>): ContactRow[] =>
  [...ids].map((id) => rows.get(id)!)
