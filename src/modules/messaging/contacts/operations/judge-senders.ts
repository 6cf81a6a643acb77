/**
 * Judges in memory, one sender after the other, which contact each has and how it changes
 * (src/modules/messaging/messages/intake/DECISIONS.md).
 */
import type { Context } from '../../../../core/context.ts'
import { otherSpellings, personKey } from '../../../../core/values/phone-spellings.ts'
import type { ContactSource } from '../events.ts'
import type { ContactRow } from '../queries/contacts.ts'
import {
  type ContactIndex,
  indexContact,
  indexContacts,
  lookUp,
  place,
  unindexContact,
  userIdHolder,
} from './contact-index.ts'
import { beginContact } from './new-contact.ts'

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

/** The contacts of senders, and the changes to write. */
export type SenderPlan = {
  senders: Sender[]
  /** The contact id of each sender, in order. */
  ids: string[]
  rows: Map<string, ContactRow>
  index: ContactIndex
  /** The first sender of each new contact. */
  fresh: Map<string, Sender>
  /** Known contacts with a new name, number, or user id. */
  changed: Set<string>
  /** Known contacts of which only the last-seen time changes. */
  seen: Set<string>
  /** Rows whose user id now belongs to another contact. */
  withoutUserId: Map<string, ContactRow>
  /** Contacts that turn out to be one person. The first is kept. */
  duplicates: { ctx: Context; keptId: string; mergedId: string }[]
}

/** Plans the changes to `contacts`, the stored contacts of the senders. */
export function judgeSenders(senders: Sender[], contacts: ContactRow[]): SenderPlan {
  const stored = new Map(contacts.map((row) => [row.id, row]))
  const plan: SenderPlan = {
    senders,
    ids: [],
    rows: new Map(stored),
    index: indexContacts(contacts),
    fresh: new Map(),
    changed: new Set(),
    seen: new Set(),
    withoutUserId: new Map(),
    duplicates: [],
  }
  for (const sender of senders) plan.ids.push(placeSender(plan, sender))
  for (const id of plan.changed)
    if (isOnlySeen(stored.get(id)!, plan.rows.get(id)!)) {
      plan.changed.delete(id)
      plan.seen.add(id)
    }
  return plan
}

const isOnlySeen = (before: ContactRow, after: ContactRow): boolean =>
  before.phone === after.phone &&
  before.userId === after.userId &&
  before.username === after.username &&
  before.profileName === after.profileName

function placeSender(plan: SenderPlan, sender: Sender): string {
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
function contactOf(plan: SenderPlan, { ctx, phone, userId }: Sender): ContactRow | undefined {
  const found = lookUp(plan.index, { workspaceId: ctx.workspace.id, phone, userId })
  const elsewhere =
    found && phone !== null && !isSamePerson(found.phone, phone) && !found.phone.startsWith('chan:')
  return elsewhere ? undefined : found
}

const isSamePerson = (stored: string, phone: string): boolean => personKey(stored) === personKey(phone)

function replace(plan: SenderPlan, before: ContactRow | undefined, after: ContactRow): void {
  if (before) unindexContact(plan.index, before)
  indexContact(plan.index, after)
  plan.rows.set(after.id, after)
}

function takeUserIdFrom(plan: SenderPlan, holder: ContactRow, by: { ctx: Context; keptId: string }): void {
  const stripped = { ...holder, userId: null }
  replace(plan, holder, stripped)
  if (plan.fresh.has(holder.id)) return
  plan.withoutUserId.set(holder.id, stripped)
  // A contact known only by this user id is the same person.
  if (holder.phone.startsWith('chan:')) plan.duplicates.push({ ...by, mergedId: holder.id })
}

/** Records a contact that is stored under another spelling of the number. It is a duplicate. */
function addDuplicates(plan: SenderPlan, ctx: Context, contact: ContactRow): void {
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
