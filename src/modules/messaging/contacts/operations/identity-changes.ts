/**
 * Customers whose number or chat-network user id changes (docs/formats.md section 11). The contact keeps its
 * id and its chats, and its earlier keys still find it (src/modules/messaging/messages/intake/DECISIONS.md).
 */
import type { Context, Unit } from '../../../../core/context.ts'
import { enqueueAll } from '../../../../database/sql/enqueue-jobs.ts'
import type { IdentityChange } from '../../../../operator/port.ts'
import { mergeTwoContacts } from '../jobs.ts'
import { endSpellings, type NewAlias, saveAliases } from '../queries/aliases.ts'
import {
  type ContactRow,
  clearUserIds,
  listContactsByKeyForUpdate,
  updateContactRows,
} from '../queries/contacts.ts'
import {
  type ContactIndex,
  indexContact,
  indexContacts,
  place,
  unindexContact,
  userIdHolder,
} from './contact-index.ts'
import { findByEarlierIds } from './find-contact.ts'

export type IdentityItem = { ctx: Context; change: IdentityChange }

type Plan = {
  index: ContactIndex
  changed: Map<string, ContactRow>
  /** Rows whose user id now belongs to another contact. */
  withoutUserId: Map<string, ContactRow>
  aliases: NewAlias[]
  /** Contacts that turn out to be one person. The first is kept. */
  duplicates: { ctx: Context; keptId: string; mergedId: string }[]
}

/** Applies changes in order. A change for an unknown customer has no effect. Fires no event (spec 6.3). */
export async function applyIdentityChanges(unit: Unit, items: IdentityItem[]): Promise<void> {
  if (items.length === 0) return
  const earlier = await findByEarlierIds(
    unit,
    items.map(({ ctx, change }) => ({ workspaceId: ctx.workspace.id, userId: change.from.userId })),
  )
  const contacts = await listContactsByKeyForUpdate(unit.tx, [
    ...items.flatMap(({ ctx, change: { from, to } }) =>
      [from, to].flatMap(({ phone, userId }) => [
        { workspaceId: ctx.workspace.id, phone, userId },
        { workspaceId: ctx.workspace.id, phone: userId && `chan:${userId}`, userId: null },
      ]),
    ),
    ...[...earlier.values()].map(({ workspaceId, phone }) => ({ workspaceId, phone, userId: null })),
  ])
  const plan: Plan = {
    index: indexContacts(contacts),
    changed: new Map(),
    withoutUserId: new Map(),
    aliases: [],
    duplicates: [],
  }
  const byId = new Map(contacts.map((row) => [row.id, row]))
  for (const item of items) {
    const before = earlier.get(place(item.ctx.workspace.id, item.change.from.userId ?? ''))
    planChange(plan, item, before && (plan.changed.get(before.id) ?? byId.get(before.id)))
  }
  if (plan.withoutUserId.size > 0) await clearUserIds(unit.tx, [...plan.withoutUserId.values()])
  if (plan.changed.size > 0) await updateContactRows(unit.tx, [...plan.changed.values()])
  const renumbered = contacts.filter(({ id, phone }) => (plan.changed.get(id)?.phone ?? phone) !== phone)
  if (renumbered.length > 0) await endSpellings(unit.tx, renumbered)
  if (plan.aliases.length > 0) await saveAliases(unit.tx, plan.aliases)
  await enqueueAll(
    mergeTwoContacts,
    plan.duplicates.map(({ ctx, ...payload }) => ({ ctx, payload })),
  )
}

function planChange(plan: Plan, { ctx, change }: IdentityItem, earlier: ContactRow | undefined): void {
  const { from, to } = change
  const workspaceId = ctx.workspace.id
  const byPhone = (phone: string) => plan.index.byPhone.get(place(workspaceId, phone))
  const before =
    (from.userId === null ? undefined : userIdHolder(plan.index, workspaceId, from.userId)) ??
    earlier ??
    (from.phone === null ? undefined : byPhone(from.phone))
  if (!before) return
  const userId = takeUserId(plan, ctx, before, to.userId) ? to.userId : before.userId
  const isHidden = before.phone.startsWith('chan:')
  const phoneAfter = to.phone ?? (isHidden && userId !== null ? `chan:${userId}` : before.phone)
  const holder = byPhone(phoneAfter)
  if (holder && holder.id !== before.id && isSamePerson(holder, before, change))
    plan.duplicates.push({ ctx, keptId: holder.id, mergedId: before.id })
  // If the new number already has a contact, the number stays with that contact, because numbers pass from
  // one person to another.
  const phone = holder === undefined ? phoneAfter : before.phone
  if (phone === before.phone && userId === before.userId) return
  const after = { ...before, phone, userId, updatedAt: ctx.now }
  replace(plan, before, after)
  const keys = new Set([before.phone, ...(before.userId === null ? [] : [`chan:${before.userId}`])])
  for (const key of keys)
    if (key !== after.phone && key !== `chan:${after.userId}`)
      plan.aliases.push({ workspaceId, key, contactId: after.id, createdAt: ctx.now })
}

/**
 * Returns whether the contact with the new number is the person who changed to it. For a contact without a
 * number, the operator confirms that. Otherwise the contact must be newer than the change: its message
 * arrived before the notice.
 */
const isSamePerson = (holder: ContactRow, before: ContactRow, { at }: IdentityChange): boolean =>
  before.phone.startsWith('chan:') || holder.createdAt >= at

/** Returns whether the contact can take the user id, also from a contact that has only this id. */
function takeUserId(plan: Plan, ctx: Context, contact: ContactRow, userId: string | null): boolean {
  if (userId === null || userId === contact.userId) return false
  const holder = userIdHolder(plan.index, contact.workspaceId, userId)
  if (!holder) return true
  if (!holder.phone.startsWith('chan:') || contact.phone.startsWith('chan:')) return false
  const stripped = { ...holder, userId: null }
  plan.withoutUserId.set(holder.id, stripped)
  plan.duplicates.push({ ctx, keptId: contact.id, mergedId: holder.id })
  replace(plan, holder, stripped)
  return true
}

function replace(plan: Plan, before: ContactRow, after: ContactRow): void {
  unindexContact(plan.index, before)
  indexContact(plan.index, after)
  plan.changed.set(after.id, after)
}
