import type { Context, Unit } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { contactIdIn, readNumber, userIdIn } from '../../../../core/values/phone.ts'
import { otherSpellings } from '../../../../core/values/phone-spellings.ts'
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
import { byNumber, indexContacts, lookUp, place } from './contact-index.ts'
import { settleNumber } from './settle-numbers.ts'

/**
 * Returns the column and value for `ref`: our id, a phone number in any spelling, `chan:<user id>`, or
 * `sx:<id>` (spec 2.1, 4.4).
 */
export async function columnOf(ctx: Context, ref: string): Promise<[ContactColumn, string] | undefined> {
  if (isUuid(ref)) return ['id', ref.toLowerCase()]
  if (ref.startsWith('sx:')) return ['phone', ref]
  const userId = userIdIn(ref)
  if (userId !== undefined) return ['userId', userId]
  const phone = (await settleNumber(ctx, ref))?.phone
  return phone === undefined ? undefined : ['phone', phone]
}

const notFound = (): never => refuse('not_found', 'Contact not found. See GET /contacts.')

type Find = (ctx: Context, column: ContactColumn, value: string) => Promise<ContactRow | undefined>

/** Finds the contact by its current keys, then by its earlier keys. */
async function findBy(find: Find, ctx: Context, ref: string): Promise<ContactRow | undefined> {
  const key = await columnOf(ctx, ref)
  const found = key && (await find(ctx, ...key))
  if (found) return found
  if (key?.[0] === 'id') {
    const [, id] = key
    const keptId = (await findKeptIds(ctx, [{ workspaceId: ctx.workspace.id, contactId: id }])).get(id)
    return keptId === undefined ? undefined : find(ctx, 'id', keptId)
  }
  const earlier = await findAliasedContact(ctx, earlierKeysOf(ctx, ref))
  return earlier === undefined ? undefined : find(ctx, 'id', earlier)
}

/** Returns the earlier keys of a contact that `ref` can mean, the likeliest first. */
const earlierKeysOf = (ctx: Context, ref: string): string[] =>
  ref.startsWith('sx:') || userIdIn(ref) !== undefined || contactIdIn(ref) !== undefined
    ? [ref]
    : readNumber(ref, ctx.workspace).stored.flatMap((phone) => [phone, ...otherSpellings(phone)])

/** Returns the contact that `ref` names, if it exists. */
export const findContact = (ctx: Context, ref: string): Promise<ContactRow | undefined> =>
  findBy(findContactRow, ctx, ref)

/**
 * Returns the contact that `ref` names. A contact of another workspace returns the same 404 as a missing
 * contact.
 */
export const getContact = async (ctx: Context, ref: string): Promise<ContactRow> =>
  (await findContact(ctx, ref)) ?? notFound()

/** Returns the same contact, locked until the transaction ends. */
export const getContactForUpdate = async (ctx: Context, ref: string): Promise<ContactRow> =>
  (await findBy(findContactRowForUpdate, ctx, ref)) ?? notFound()

/**
 * Returns whether a number, `chan:<user id>`, or `sx:<id>` names this contact by a current or earlier key.
 */
export const isNamedBy = async (ctx: Context, contact: ContactRow, ref: string): Promise<boolean> =>
  ref === contact.phone || (!isUuid(ref) && (await findContact(ctx, ref))?.id === contact.id)

/** A stored contact, for other modules too. */
export type FoundContact = ContactRow

/**
 * Returns the contacts of sends, one per item in order; undefined for an unknown contact. `phone` (E.164)
 * takes precedence over `userId`. A customer's earlier user id finds the contact too
 * (src/modules/messaging/messages/intake/DECISIONS.md). Takes no lock.
 */
export async function findContactsForSend(
  unit: Unit,
  items: ContactKey[],
): Promise<(ContactRow | undefined)[]> {
  const index = indexContacts(await listContactsByKey(unit.tx, items))
  const found = items.map((item) => lookUp(index, item))
  const outsiders = items.filter((_, i) => !found[i])
  if (outsiders.length === 0) return found
  const findStored = await findByOtherNames(unit, outsiders)
  return found.map((contact, i) => contact ?? findStored(items[i]!))
}

/** Returns the keys under which a customer may be stored: the number in each spelling, or the user id. */
const namesOf = ({ phone, userId }: ContactKey): string[] =>
  phone === null ? [`chan:${userId}`] : [phone, ...otherSpellings(phone)]

/** Finds contacts that are stored under other keys: an earlier user id, or another spelling of the number. */
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

/** Returns the contacts that had these user ids before, by workspace and id. */
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

/** Returns the kept contacts' ids for ids of merged contacts. Other ids are absent from the map. */
export async function findKeptIds(unit: Pick<Unit, 'tx'>, items: ContactId[]): Promise<Map<string, string>> {
  if (items.length === 0) return new Map()
  return new Map((await listKeptIds(unit.tx, items)).map(({ contactId, keptId }) => [contactId, keptId]))
}

/** Returns the current id of the contact for an id from a caller. Null and undefined stay. */
export async function presentContactId<RequestedId extends string | null | undefined>(
  ctx: Pick<Unit, 'tx'> & Pick<Context, 'workspace'>,
  id: RequestedId,
): Promise<RequestedId> {
  if (typeof id !== 'string') return id
  const contactId = id.toLowerCase()
  const keptIds = await findKeptIds(ctx, [{ workspaceId: ctx.workspace.id, contactId }])
  return (keptIds.get(contactId) ?? contactId) as RequestedId
}

/**
 * Returns the contacts that `list` reads, by requested id. The id of a merged contact maps to the kept
 * contact.
 */
export async function findByRequestedId(
  unit: Pick<Unit, 'tx'>,
  items: ContactId[],
  list: (tx: Unit['tx'], items: ContactId[]) => Promise<ContactRow[]>,
): Promise<Map<string, ContactRow>> {
  if (items.length === 0) return new Map()
  const found = new Map((await list(unit.tx, items)).map((row) => [row.id, row]))
  const missing = items.filter(({ contactId }) => !found.has(contactId))
  const keptIds = await findKeptIds(unit, missing)
  if (keptIds.size === 0) return found
  const others = missing.flatMap((item) => {
    const contactId = keptIds.get(item.contactId)
    return contactId === undefined ? [] : [{ ...item, contactId }]
  })
  const rows = new Map((await list(unit.tx, others)).map((row) => [row.id, row]))
  for (const [id, keptId] of keptIds) {
    const row = found.get(keptId) ?? rows.get(keptId)
    if (row) found.set(id, row)
  }
  return found
}

/** Returns the contacts that rows of other modules reference, by id. */
export const findContactsOf = (
  unit: Pick<Unit, 'tx'>,
  items: ContactId[],
): Promise<Map<string, ContactRow>> => findByRequestedId(unit, items, listContactsById)

/** Returns contacts by id, in the form for events and conversations. Erased contacts are absent. */
export async function describeContacts(
  unit: Pick<Unit, 'tx'>,
  items: { workspaceId: string; contactId: string }[],
): Promise<Map<string, ContactInEvent>> {
  const rows = await findContactsOf(unit, items)
  return new Map([...rows].map(([id, row]) => [id, contactInEvent(row)]))
}
