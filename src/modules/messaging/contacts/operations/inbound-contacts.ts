/**
 * Contacts of customers who write. A message carries a number, a chat-network user id, or both. The number
 * takes precedence, and the user id moves to the latest number it arrived with
 * (src/modules/messaging/messages/intake/DECISIONS.md).
 */
import type { Context, Unit, Workspace } from '../../../../core/context.ts'
import { otherSpellings, personKey } from '../../../../core/values/phone-spellings.ts'
import { enqueueAll } from '../../../../database/sql/enqueue-jobs.ts'
import type { ContactSource } from '../events.ts'
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
  type ContactIndex,
  indexContact,
  indexContacts,
  lookUp,
  place,
  unindexContact,
  userIdHolder,
} from './contact-index.ts'
import {
  type ContactRoom,
  countContacts,
  lockRoomForNew,
  lockStillMissing,
  settleContactRoom,
} from './contact-room.ts'
import { findByOtherNames } from './find-contact.ts'
import { announceNewContact, beginContact } from './new-contact.ts'

/** A customer from an operator's report. At least one of `phone` (E.164) and `userId` is set. */
export type Sender = {
  ctx: Context
  phone: string | null
  userId: string | null
  username: string | null
  profileName: string | null
  /** When they wrote or called; null for our own message. */
  at: Date | null
  /** The source to store for a new contact. */
  source: ContactSource
}

/** The planned changes to the contacts. */
type Plan = {
  /** The stored contacts. */
  known: Map<string, ContactRow>
  /** The contact id of each sender, in order. */
  ids: string[]
  rows: Map<string, ContactRow>
  index: ContactIndex
  fresh: Map<string, Sender>
  changed: Set<string>
  /** Rows whose user id now belongs to another contact. */
  withoutUserId: Map<string, ContactRow>
  /** Contacts that turn out to be one person. The first is kept. */
  duplicates: { ctx: Context; keptId: string; mergedId: string }[]
}

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
  const created = new Map<string, Sender>()
  const room = await lockRoomForNew(unit, keysOf(reported))
  let senders = reported
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const plan = planSenders(senders, await listContactsByKeyForUpdate(unit.tx, keysOf(senders)))
    const present = await withPresentIds(unit, senders, plan)
    if (present) {
      senders = present
      continue
    }
    if (plan.withoutUserId.size > 0) await clearUserIds(unit.tx, [...plan.withoutUserId.values()])
    const complete = await storeFresh(unit, plan, room, created)
    // Another transaction stored one of them meanwhile: read again.
    if (!complete) continue
    await storeChanged(unit, plan)
    await enqueueAll(
      mergeTwoContacts,
      plan.duplicates.map(({ ctx, ...payload }) => ({ ctx, payload })),
    )
    for (const [id, { ctx, source }] of created) announceNewContact(ctx, plan.rows.get(id)!, source)
    return plan.ids.map((id) => ({ contact: plan.rows.get(id)!, created: created.delete(id) }))
  }
  throw new Error('contacts kept changing concurrently')
}

/**
 * Returns the senders under their current ids and numbers. A message sent before an id change carries the old
 * id, and the operator may spell a number differently. Returns undefined if none of the new contacts was
 * known before.
 */
async function withPresentIds(unit: Unit, senders: Sender[], plan: Plan): Promise<Sender[] | undefined> {
  const outsiders = [...plan.fresh.values()]
  if (outsiders.length === 0) return undefined
  const findByName = await findByOtherNames(
    unit,
    outsiders.flatMap(({ ctx, phone, userId }) => [
      ...(phone === null ? [] : [{ workspaceId: ctx.workspace.id, phone, userId: null }]),
      ...(userId === null ? [] : [{ workspaceId: ctx.workspace.id, phone: null, userId }]),
    ]),
  )
  const present = senders.map((sender) => presentSender(sender, findByName))
  return present.some((sender, i) => sender !== senders[i]) ? present : undefined
}

function presentSender(sender: Sender, findByName: (key: ContactKey) => ContactRow | undefined): Sender {
  const { phone, userId } = sender
  const workspaceId = sender.ctx.workspace.id
  const spelled = phone === null ? undefined : findByName({ workspaceId, phone, userId: null })
  if (spelled) return { ...sender, phone: spelled.phone }
  const now = userId === null ? undefined : findByName({ workspaceId, phone: null, userId })
  const isHidden = now?.phone.startsWith('chan:')
  // An earlier id that now belongs to another contact is not replaced.
  if (!now || (isHidden && now.userId === null)) return sender
  return { ...sender, phone: phone ?? (isHidden ? null : now.phone), userId: now.userId }
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

/** Inserts the new contacts. Returns false when another transaction stored one of them first. */
async function storeFresh(
  unit: Unit,
  plan: Plan,
  room: ContactRoom,
  created: Map<string, Sender>,
): Promise<boolean> {
  if (plan.fresh.size === 0) return true
  if (await isStoredByAnotherSpelling(unit, plan)) return false
  await lockStillMissing(
    unit,
    room,
    [...plan.fresh.values()].map(({ ctx }) => ctx.workspace),
  )
  const inserted = await insertContactRows(
    unit.tx,
    [...plan.fresh.keys()].map((id) => plan.rows.get(id)!),
  )
  for (const id of inserted) {
    const sender = plan.fresh.get(id)!
    created.set(id, sender)
    countContacts(room, sender.ctx.workspace.id, 1)
  }
  await settleContactRoom(unit, room)
  return inserted.size === plan.fresh.size
}

/**
 * Returns whether another transaction stored one of the new contacts under another spelling meanwhile. Locks
 * these numbers, so that no other transaction can store them.
 */
async function isStoredByAnotherSpelling(unit: Unit, plan: Plan): Promise<boolean> {
  const spelled = [...plan.fresh.values()].flatMap(({ ctx, phone }) =>
    phone !== null && otherSpellings(phone).length > 0
      ? { workspaceId: ctx.workspace.id, phone, userId: null }
      : [],
  )
  if (spelled.length === 0) return false
  await lockSpelledPeople(unit.tx, spelled)
  const findByName = await findByOtherNames(unit, spelled)
  return spelled.some(findByName)
}

/** Writes changes of known contacts. For most of them, only the last-seen time changes. */
async function storeChanged(unit: Unit, plan: Plan): Promise<void> {
  const changed = [...plan.changed].map((id) => plan.rows.get(id)!)
  const [seenOnly, others] = [true, false].map((isWanted) =>
    changed.filter((row) => isOnlySeen(plan.known.get(row.id)!, row) === isWanted),
  )
  await Promise.all([
    seenOnly!.length > 0 && updateLastSeen(unit.tx, seenOnly!),
    others!.length > 0 && updateContactRows(unit.tx, others!),
  ])
}

const isOnlySeen = (before: ContactRow, after: ContactRow): boolean =>
  before.phone === after.phone &&
  before.userId === after.userId &&
  before.username === after.username &&
  before.profileName === after.profileName

/** Plans in memory, one sender after the other, the changes to contacts. */
function planSenders(senders: Sender[], contacts: ContactRow[]): Plan {
  const byId = new Map(contacts.map((row) => [row.id, row]))
  const plan: Plan = {
    known: byId,
    ids: [],
    rows: new Map(byId),
    index: indexContacts(contacts),
    fresh: new Map(),
    changed: new Set(),
    withoutUserId: new Map(),
    duplicates: [],
  }
  for (const sender of senders) plan.ids.push(placeSender(plan, sender))
  return plan
}

function placeSender(plan: Plan, sender: Sender): string {
  const { ctx, phone, userId } = sender
  const found = contactOf(plan, sender)
  const before = found ?? beginContact(ctx, phone ?? `chan:${userId}`, userId)
  const holder = userId === null ? undefined : userIdHolder(plan.index, ctx.workspace.id, userId)
  if (holder && holder.id !== before.id) takeUserIdFrom(plan, holder, { ctx, keptId: before.id })
  addDuplicates(plan, ctx, before)
  const after = refreshed(before, sender)
  if (after !== found) replace(plan, found, after)
  if (!found) plan.fresh.set(after.id, sender)
  else if (after !== found && !plan.fresh.has(after.id)) plan.changed.add(after.id)
  return after.id
}

/**
 * Returns the contact with the sender's number, or the contact with the user id unless it has another number.
 */
function contactOf(plan: Plan, { ctx, phone, userId }: Sender): ContactRow | undefined {
  const found = lookUp(plan.index, { workspaceId: ctx.workspace.id, phone, userId })
  const elsewhere =
    found && phone !== null && !isSamePerson(found.phone, phone) && !found.phone.startsWith('chan:')
  return elsewhere ? undefined : found
}

const isSamePerson = (stored: string, phone: string): boolean => personKey(stored) === personKey(phone)

function replace(plan: Plan, before: ContactRow | undefined, after: ContactRow): void {
  if (before) unindexContact(plan.index, before)
  indexContact(plan.index, after)
  plan.rows.set(after.id, after)
}

function takeUserIdFrom(plan: Plan, holder: ContactRow, by: { ctx: Context; keptId: string }): void {
  const stripped = { ...holder, userId: null }
  replace(plan, holder, stripped)
  if (plan.fresh.has(holder.id)) return
  plan.withoutUserId.set(holder.id, stripped)
  // A contact known only by this user id is the same person.
  if (holder.phone.startsWith('chan:')) plan.duplicates.push({ ...by, mergedId: holder.id })
}

/** Records a contact that is stored under another spelling of the number. It is a duplicate. */
function addDuplicates(plan: Plan, ctx: Context, contact: ContactRow): void {
  for (const spelling of otherSpellings(contact.phone)) {
    const other = plan.index.byPhone.get(place(ctx.workspace.id, spelling))
    if (other && other.id !== contact.id)
      plan.duplicates.push({ ctx, keptId: contact.id, mergedId: other.id })
  }
}

/**
 * Returns the contact with the reported data, and the same row if nothing is new. Later reports take
 * precedence.
 */
function refreshed(contact: ContactRow, sender: Sender): ContactRow {
  const lastSeen = contact.lastSeenAt
  const stale = sender.at !== null && lastSeen !== null && sender.at < lastSeen
  const latest = <Value>(reported: Value | null, current: Value | null) =>
    stale ? (current ?? reported) : (reported ?? current)
  // A number keeps its first stored spelling, for every reported spelling.
  const phone =
    sender.phone === null || isSamePerson(contact.phone, sender.phone) ? contact.phone : sender.phone
  const userId = sender.userId ?? contact.userId
  const username = latest(sender.username, contact.username)
  const profileName = latest(sender.profileName, contact.profileName)
  const lastSeenAt = stale ? lastSeen : (sender.at ?? lastSeen)
  const identity = phone !== contact.phone || userId !== contact.userId
  const renamed = username !== contact.username || profileName !== contact.profileName
  if (!identity && !renamed && lastSeenAt?.getTime() === lastSeen?.getTime()) return contact
  const updatedAt = identity || renamed ? sender.ctx.now : contact.updatedAt
  return { ...contact, phone, userId, username, profileName, lastSeenAt, updatedAt }
}
