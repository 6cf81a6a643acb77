import type { Context, Unit } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { isUuid } from '../../../core/ids.ts'
import { readNumber, userIdIn } from '../../../core/phone.ts'
import { otherSpellings } from '../../../core/phone-spellings.ts'
import { findAliasedContact, listContactsByAlias } from '../queries/aliases.ts'
import {
  type ContactColumn,
  type ContactKey,
  type ContactRow,
  findContactRow,
  findContactRowForUpdate,
  listContactsById,
  listContactsByKey,
} from '../queries/contacts.ts'
import { listKeptIds } from '../queries/merges.ts'
import { type ContactInEvent, contactInEvent } from '../schema.ts'
import { settleNumber } from './settle-numbers.ts'

/** What `ref` names: our id, a phone number in any spelling, `chan:<user id>` or `sx:<id>` (spec 2.1, 4.4). */
export async function columnOf(ctx: Context, ref: string): Promise<[ContactColumn, string] | undefined> {
  if (isUuid(ref)) return ['id', ref.toLowerCase()]
  if (ref.startsWith('sx:')) return ['phone', ref]
  const userId = userIdIn(ref)
  if (userId !== undefined) return ['userId', userId]
  const phone = (await settleNumber(ctx, ref))?.phone
  return phone === undefined ? undefined : ['phone', phone]
}

const missing = (): never => refuse('not_found', 'Contact not found. See GET /contacts.')

type Find = (ctx: Context, column: ContactColumn, value: string) => Promise<ContactRow | undefined>

/** By what the contact is called now, else by what it was called before. */
async function findBy(find: Find, ctx: Context, ref: string): Promise<ContactRow | undefined> {
  const named = await columnOf(ctx, ref)
  const found = named && (await find(ctx, ...named))
  if (found) return found
  if (named?.[0] === 'id') {
    const [, id] = named
    const kept = (await findKeptIds(ctx, [{ workspaceId: ctx.workspace.id, contactId: id }])).get(id)
    return kept === undefined ? undefined : find(ctx, 'id', kept)
  }
  const earlier = await findAliasedContact(ctx, earlierKeysOf(ctx, ref))
  return earlier === undefined ? undefined : find(ctx, 'id', earlier)
}

/** The keys under which a contact may have been known before, the likeliest first. */
const earlierKeysOf = (ctx: Context, ref: string): string[] =>
  ref.startsWith('sx:') || userIdIn(ref) !== undefined
    ? [ref]
    : readNumber(ref, ctx.workspace).stored.flatMap((phone) => [phone, ...otherSpellings(phone)])

/** The contact that `ref` names, if there is one. */
export const findContact = (ctx: Context, ref: string): Promise<ContactRow | undefined> =>
  findBy(findContactRow, ctx, ref)

/** The contact that `ref` names; foreign and missing are the same 404. */
export const getContact = async (ctx: Context, ref: string): Promise<ContactRow> =>
  (await findContact(ctx, ref)) ?? missing()

/** The same, locked until the transaction ends. */
export const getContactForUpdate = async (ctx: Context, ref: string): Promise<ContactRow> =>
  (await findBy(findContactRowForUpdate, ctx, ref)) ?? missing()

/** Whether a number, `chan:<user id>` or `sx:<id>` names this contact, as it is called now or was before. */
export const isNamedBy = async (ctx: Context, contact: ContactRow, named: string): Promise<boolean> =>
  named === contact.phone || (!isUuid(named) && (await findContact(ctx, named))?.id === contact.id)

/** A contact as it is stored, for other modules too. */
export type FoundContact = ContactRow

/** Contacts in memory, found the way the database finds them. */
export type ContactIndex = { byPhone: Map<string, ContactRow>; byUserId: Map<string, ContactRow> }

/** A value in its workspace, for maps. */
export const place = (workspaceId: string, value: string): string => `${workspaceId} ${value}`

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

/** The contact under this number, or under another spelling of it. */
export function byNumber(index: ContactIndex, workspaceId: string, phone: string): ContactRow | undefined {
  const exact = index.byPhone.get(place(workspaceId, phone))
  if (exact) return exact
  for (const spelling of otherSpellings(phone)) {
    const spelled = index.byPhone.get(place(workspaceId, spelling))
    if (spelled) return spelled
  }
  return undefined
}

/** The contact of a key: by its phone, else by its user id. */
export function lookUp(
  index: ContactIndex,
  { workspaceId, phone, userId }: ContactKey,
): ContactRow | undefined {
  const byPhone = phone === null ? undefined : byNumber(index, workspaceId, phone)
  if (byPhone || userId === null) return byPhone
  return userIdHolder(index, workspaceId, userId) ?? index.byPhone.get(place(workspaceId, `chan:${userId}`))
}

/**
 * The contacts that sends go to: one answer an item, in order; undefined when the workspace knows
 * nobody there. `phone` (E.164) wins over `userId`; a user id that its customer has no more finds them too
 * (docs/decisions/operator-reports.md). Nothing is locked.
 */
export async function findContactsForSend(
  unit: Unit,
  items: ContactKey[],
): Promise<(ContactRow | undefined)[]> {
  const index = indexContacts(await listContactsByKey(unit.tx, items))
  const found = items.map((item) => lookUp(index, item))
  const outsiders = items.filter((_, i) => !found[i])
  if (outsiders.length === 0) return found
  const known = await findByOtherNames(unit, outsiders)
  return found.map((contact, i) => contact ?? known(items[i]!))
}

/** What a customer may be stored or known as: their number in each spelling, else their user id. */
const namesOf = ({ phone, userId }: ContactKey): string[] =>
  phone === null ? [`chan:${userId}`] : [phone, ...otherSpellings(phone)]

/** Finds those who are not stored under what they are called here: by a user id that was theirs, or another spelling of their number. */
export async function findByOtherNames(
  unit: Pick<Unit, 'tx'>,
  keys: ContactKey[],
): Promise<(key: ContactKey) => ContactRow | undefined> {
  const named = keys.flatMap((key) =>
    namesOf(key).map((name) => ({ workspaceId: key.workspaceId, key: name })),
  )
  const spelled = keys.flatMap(({ workspaceId, phone }) =>
    phone === null
      ? []
      : otherSpellings(phone).map((spelling) => ({ workspaceId, phone: spelling, userId: null })),
  )
  const [aliased, stored] = await Promise.all([
    listContactsByAlias(unit.tx, named),
    spelled.length === 0 ? [] : listContactsByKey(unit.tx, spelled),
  ])
  const byName = new Map(aliased.map(({ key, ...row }) => [place(row.workspaceId, key), row]))
  const byPhone = indexContacts(stored)
  return (key) => {
    const spelling = key.phone === null ? undefined : byNumber(byPhone, key.workspaceId, key.phone)
    return spelling ?? namesOf(key).flatMap((name) => byName.get(place(key.workspaceId, name)) ?? [])[0]
  }
}

/** The contacts that had these user ids before, by workspace and id. */
export async function findByEarlierIds(
  unit: Pick<Unit, 'tx'>,
  keys: { workspaceId: string; userId: string | null }[],
): Promise<Map<string, ContactRow>> {
  const rows = await listContactsByAlias(
    unit.tx,
    keys.flatMap(({ workspaceId, userId }) =>
      userId === null ? [] : [{ workspaceId, key: `chan:${userId}` }],
    ),
  )
  return new Map(rows.map(({ key, ...row }) => [place(row.workspaceId, key.slice('chan:'.length)), row]))
}

type ContactId = { workspaceId: string; contactId: string }

/** Which contacts the ids of merged contacts lead to now; an id that is not in the map is still its contact's own, or of none. */
export async function findKeptIds(unit: Pick<Unit, 'tx'>, items: ContactId[]): Promise<Map<string, string>> {
  if (items.length === 0) return new Map()
  return new Map((await listKeptIds(unit.tx, items)).map(({ contactId, keptId }) => [contactId, keptId]))
}

/** The id that a contact has now, by one that a caller gave; null and undefined stay. */
export async function presentContactId<Given extends string | null | undefined>(
  ctx: Pick<Unit, 'tx'> & Pick<Context, 'workspace'>,
  given: Given,
): Promise<Given> {
  if (typeof given !== 'string') return given
  const contactId = given.toLowerCase()
  const kept = await findKeptIds(ctx, [{ workspaceId: ctx.workspace.id, contactId }])
  return (kept.get(contactId) ?? contactId) as Given
}

/** Contacts by the ids that were asked for, read by `list`; the id of a merged contact has the one that was kept. */
export async function byAskedId(
  unit: Pick<Unit, 'tx'>,
  items: ContactId[],
  list: (tx: Unit['tx'], items: ContactId[]) => Promise<ContactRow[]>,
): Promise<Map<string, ContactRow>> {
  if (items.length === 0) return new Map()
  const found = new Map((await list(unit.tx, items)).map((row) => [row.id, row]))
  const missing = items.filter(({ contactId }) => !found.has(contactId))
  const kept = await findKeptIds(unit, missing)
  if (kept.size === 0) return found
  const others = missing.flatMap((item) => {
    const contactId = kept.get(item.contactId)
    return contactId === undefined ? [] : [{ ...item, contactId }]
  })
  const rows = new Map((await list(unit.tx, others)).map((row) => [row.id, row]))
  for (const [id, keptId] of kept) {
    const row = found.get(keptId) ?? rows.get(keptId)
    if (row) found.set(id, row)
  }
  return found
}

/** The contacts that rows of other modules name, by id. */
export const findContactsOf = (
  unit: Pick<Unit, 'tx'>,
  items: ContactId[],
): Promise<Map<string, ContactRow>> => byAskedId(unit, items, listContactsById)

/** Contacts by id, as events and conversations name them; erased ones are absent. */
export async function describeContacts(
  unit: Pick<Unit, 'tx'>,
  items: { workspaceId: string; contactId: string }[],
): Promise<Map<string, ContactInEvent>> {
  const rows = await findContactsOf(unit, items)
  return new Map([...rows].map(([id, row]) => [id, contactInEvent(row)]))
}
