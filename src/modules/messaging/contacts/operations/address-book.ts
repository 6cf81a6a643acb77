/** The address book of the phone app, which names contacts (src/modules/messaging/messages/intake/DECISIONS.md). */
import type { Context, Unit } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import type { AddressBookEntry } from '../../../../operator/port.ts'
import { type AddressBookName, saveAddressBookNames } from '../queries/address-book.ts'
import { listStoredNumbers } from '../queries/stored-numbers.ts'
import { findOrCreateContacts } from './find-or-create.ts'
import { beginContact } from './new-contact.ts'

export type AddressBookItem = { ctx: Context; entry: AddressBookEntry }

const keyOf = (workspaceId: string, phone: string): string => `${workspaceId} ${phone}`

/**
 * Applies entries in any order: the latest change of a number counts. New contacts are stored silently, as
 * many as the plan has room for. A name replaces only an earlier name of the address book. A removed entry
 * removes no contact.
 */
export async function applyAddressBook(unit: Unit, items: AddressBookItem[]): Promise<void> {
  const latest = new Map<string, AddressBookItem>()
  for (const item of items) {
    const key = keyOf(item.ctx.workspace.id, item.entry.phone)
    const before = latest.get(key)
    if (!before || before.entry.at <= item.entry.at) latest.set(key, item)
  }
  const entries = [...latest.values()]
  const names = [
    ...(await addedNames(
      unit,
      entries.filter(({ entry }) => !entry.isRemoved),
    )),
    ...(await removedNames(
      unit,
      entries.filter(({ entry }) => entry.isRemoved),
    )),
  ]
  if (names.length === 0) return
  // Two numbers in the address book may be spellings of one contact: the later entry counts.
  const byContact = new Map<string, AddressBookName>()
  for (const name of names.sort((a, b) => a.at.getTime() - b.at.getTime()))
    byContact.set(name.contactId, name)
  const renamed = await saveAddressBookNames(
    unit.tx,
    [...byContact.values()].sort((a, b) => (a.contactId < b.contactId ? -1 : 1)),
  )
  const contexts = new Map(items.map(({ ctx }) => [ctx.workspace.id, ctx]))
  for (const { workspaceId, id } of renamed) touch(contexts.get(workspaceId)!, { contact: id })
}

const nameOf = ({ ctx, entry }: AddressBookItem, contactId: string): AddressBookName => ({
  workspaceId: ctx.workspace.id,
  contactId,
  name: entry.isRemoved ? null : entry.name,
  at: entry.at,
  now: ctx.now,
})

async function addedNames(unit: Unit, items: AddressBookItem[]): Promise<AddressBookName[]> {
  if (items.length === 0) return []
  const found = await findOrCreateContacts(
    unit,
    items.map(({ ctx, entry }) => ({ ctx, fresh: beginContact(ctx, entry.phone, null) })),
    { alone: true },
  )
  return items.flatMap((item, i) => {
    const result = found[i]!
    if (result === 'full') return []
    if (result.created) touch(item.ctx, { contact: result.contact.id })
    return [nameOf(item, result.contact.id)]
  })
}

/** Records the time of removals, so that an older addition that arrives later changes nothing. */
async function removedNames(unit: Unit, items: AddressBookItem[]): Promise<AddressBookName[]> {
  if (items.length === 0) return []
  const stored = await listStoredNumbers(
    unit.tx,
    items.map(({ ctx, entry }) => ({ workspaceId: ctx.workspace.id, phone: entry.phone })),
  )
  return stored.map(({ place, contactId }) => nameOf(items[place]!, contactId))
}
