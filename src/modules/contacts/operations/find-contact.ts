import type { Context, Unit } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { isUuid } from '../../../core/ids.ts'
import { parseCustomerRef } from '../../../core/phone.ts'
import {
  type ContactColumn,
  type ContactKey,
  type ContactRow,
  findContactRow,
  findContactRowForUpdate,
  listContactsById,
  listContactsByKey,
} from '../queries.ts'
import { type ContactInEvent, contactInEvent } from '../schema.ts'

/** What `ref` names: our id, a phone number in any spelling, `chan:<user id>` or `sx:<id>` (spec 2.1, 4.4). */
function columnOf(ctx: Context, ref: string): [ContactColumn, string] | undefined {
  if (isUuid(ref)) return ['id', ref.toLowerCase()]
  if (ref.startsWith('sx:')) return ['phone', ref]
  const customer = parseCustomerRef(ref, ctx.workspace.countryCode)
  if (!customer) return undefined
  return customer.kind === 'phone' ? ['phone', customer.e164] : ['userId', customer.userId]
}

const missing = (): never => refuse('not_found', 'There is no such contact.')

/** The contact that `ref` names; foreign and missing are the same 404. */
export async function getContact(ctx: Context, ref: string): Promise<ContactRow> {
  const named = columnOf(ctx, ref)
  return (named && (await findContactRow(ctx, ...named))) ?? missing()
}

/** The same, locked until the transaction ends. */
export async function getContactForUpdate(ctx: Context, ref: string): Promise<ContactRow> {
  const named = columnOf(ctx, ref)
  return (named && (await findContactRowForUpdate(ctx, ...named))) ?? missing()
}

/** Contacts in memory, found the way the database finds them. */
export type ContactIndex = { byPhone: Map<string, ContactRow>; byUserId: Map<string, ContactRow> }

const place = (workspaceId: string, value: string): string => `${workspaceId} ${value}`

export function indexContacts(rows: ContactRow[]): ContactIndex {
  const index: ContactIndex = { byPhone: new Map(), byUserId: new Map() }
  for (const row of rows) indexContact(index, row)
  return index
}

export function indexContact(index: ContactIndex, row: ContactRow): void {
  index.byPhone.set(place(row.workspaceId, row.phone), row)
  if (row.userId !== null) index.byUserId.set(place(row.workspaceId, row.userId), row)
}

/** Takes a row out that is about to change its phone or user id. */
export function unindexContact(index: ContactIndex, row: ContactRow): void {
  index.byPhone.delete(place(row.workspaceId, row.phone))
  if (row.userId !== null) index.byUserId.delete(place(row.workspaceId, row.userId))
}

/** The contact under this user id. */
export const userIdHolder = (
  index: ContactIndex,
  workspaceId: string,
  userId: string,
): ContactRow | undefined => index.byUserId.get(place(workspaceId, userId))

/** The contact of a key: by its phone, else by its user id. */
export function lookUp(
  index: ContactIndex,
  { workspaceId, phone, userId }: ContactKey,
): ContactRow | undefined {
  const byPhone = phone === null ? undefined : index.byPhone.get(place(workspaceId, phone))
  if (byPhone || userId === null) return byPhone
  return userIdHolder(index, workspaceId, userId) ?? index.byPhone.get(place(workspaceId, `chan:${userId}`))
}

/**
 * The contacts that sends go to: one answer an item, in order; undefined when the workspace knows
 * nobody there. `phone` (E.164) wins over `userId`. Nothing is locked.
 */
export async function findContactsForSend(
  unit: Unit,
  items: ContactKey[],
): Promise<(ContactRow | undefined)[]> {
  const index = indexContacts(await listContactsByKey(unit.tx, items))
  return items.map((item) => lookUp(index, item))
}

/** Contacts by id, as events and conversations name them; erased ones are absent. */
export async function describeContacts(
  unit: Pick<Unit, 'tx'>,
  items: { workspaceId: string; contactId: string }[],
): Promise<Map<string, ContactInEvent>> {
  if (items.length === 0) return new Map()
  const rows = await listContactsById(unit.tx, items)
  return new Map(rows.map((row) => [row.id, contactInEvent(row)]))
}
