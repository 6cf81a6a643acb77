import { beforeCommit, type Context, type Unit, type Workspace } from '../../../../core/context.ts'
import { otherSpellings } from '../../../../core/values/phone-spellings.ts'
import {
  type ContactRow,
  insertContactRows,
  insertNewContactRows,
  listContactsByPhoneForUpdate,
  shareErasures,
} from '../queries/contacts.ts'
import { listStoredNumbers, lockSpelledPeople, type NumberKey } from '../queries/stored-numbers.ts'
import {
  type ContactRoom,
  countContacts,
  emptyRoom,
  lockStillMissing,
  readContactRoom,
  recheckFullRooms,
  settleContactRoom,
  takeContactRoom,
} from './contact-room.ts'

/** A contact to find by its phone, or to store as `fresh`. */
export type Wanted = { ctx: Context; fresh: ContactRow }

/** `full`: the contact is new and the workspace has reached its limit. */
export type Found = { contact: ContactRow; created: boolean } | 'full'

const keyOf = (contact: { workspaceId: string; phone: string }): string =>
  `${contact.workspaceId} ${contact.phone}`

const contactOf = (item: Wanted): ContactRow => item.fresh
const workspaceOf = (item: Wanted): Workspace => item.ctx.workspace

/** Stored phones by workspace and requested phone, and the room for new contacts. */
export type StoredSnapshot = { known: Map<string, string>; room: ContactRoom }

/** Reads without locks which contacts exist, in one round trip. */
export async function readStoredContacts(
  unit: Unit,
  keys: { workspace: Workspace; phone: string }[],
): Promise<StoredSnapshot> {
  if (keys.length === 0) return { known: new Map(), room: new Map() }
  const [room, phones] = await Promise.all([
    readContactRoom(
      unit,
      keys.map(({ workspace }) => workspace),
    ),
    storedPhones(
      unit,
      keys.map(({ workspace, phone }) => ({ workspaceId: workspace.id, phone })),
    ),
  ])
  return { known: phones, room }
}

/** Returns the stored phones by workspace and requested phone. */
async function storedPhones(unit: Unit, keys: NumberKey[]): Promise<Map<string, string>> {
  const stored = await listStoredNumbers(unit.tx, keys)
  return new Map(stored.map(({ place, phone }) => [keyOf(keys[place]!), phone]))
}

/**
 * Returns stored phones of new contacts that another transaction stored under another spelling meanwhile.
 * Locks these numbers, so that no other transaction can store them until this one ends.
 */
async function lockSpelled(unit: Unit, spelled: ContactRow[]): Promise<Map<string, string>> {
  await lockSpelledPeople(unit.tx, spelled)
  return storedPhones(unit, spelled)
}

const isSpelled = ({ phone }: ContactRow): boolean => otherSpellings(phone).length > 0

/**
 * Returns the assumptions for storing without a read: no number is known, no contact is counted, and no
 * erasure is running. Statements verify each assumption and fail with the transaction if it is wrong.
 */
export function assumeNoneStored(unit: Unit, workspaces: Workspace[]): StoredSnapshot {
  // Otherwise a request that waits until an erasure frees its number would report the new contact before the
  // deletion.
  beforeCommit(unit, shareErasures(unit.tx, [...new Set(workspaces.map(({ id }) => id))]))
  return { known: new Map(), room: emptyRoom(workspaces) }
}

/**
 * Finds or stores each contact of `requested` by phone, and stores the first of duplicates. Returns one result
 * per item, in order, with locked rows. Concurrent writes never duplicate a number (spec 4.4).
 *
 * With `alone`, the transaction may block others of its workspace: it locks the contact count. A batch never
 * waits. It assumes that contacts missing in `sight` (or its own read) are still missing. If not, the whole
 * batch fails and runs again item by item (docs/decisions/requests.md).
 */
export async function findOrCreateContacts(
  unit: Unit,
  requested: Wanted[],
  { alone = requested.length === 1, sight }: { alone?: boolean; sight?: StoredSnapshot } = {},
): Promise<Found[]> {
  const keys = requested.map((item) => keyOf(item.fresh))
  const first = new Map<string, Wanted>()
  for (const [i, item] of requested.entries()) if (!first.has(keys[i]!)) first.set(keys[i]!, item)
  const found = new Map<string, Found>()
  const lookUp = (items: Wanted[]) =>
    readStoredContacts(
      unit,
      items.map((item) => ({ workspace: workspaceOf(item), phone: item.fresh.phone })),
    )
  let assumed = sight
  // Without a batch, don't rely on counts that were read without a lock.
  let room: ContactRoom | undefined = alone ? new Map() : sight?.room
  for (;;) {
    const open = [...first].filter(([key]) => !found.has(key))
    if (open.length === 0) break
    const { known, room: read } = assumed ?? (await lookUp(open.map(([, item]) => item)))
    assumed = undefined
    room ??= read
    const unknown = withoutKnown(known, open)
    // Most numbers have one spelling, and most batches only new numbers.
    const spelled = unknown.map(contactOf).filter(isSpelled)
    const stored = spelled.length === 0 ? known : new Map([...known, ...(await lockSpelled(unit, spelled))])
    const missing = stored === known ? unknown : withoutKnown(stored, open)
    const existing = stored.size === 0 ? [] : existingAmong(open, stored)
    // If all contacts are known, take no lock.
    if (alone) await lockStillMissing(unit, room, missing.map(workspaceOf))
    const fresh: ContactRow[] = []
    const places = room
    const withoutRoom = (contacts: ContactRow[]) =>
      contacts.filter((contact) => {
        const isTaken = takeContactRoom(places, contact.workspaceId)
        if (isTaken) fresh.push(contact)
        return !isTaken
      })
    const doubtful = withoutRoom(missing.map(contactOf))
    if (doubtful.length > 0) {
      const storedMeanwhile = await storedAgain(unit, room, doubtful)
      existing.push(...storedMeanwhile)
      const storedKeys = new Set(storedMeanwhile.map(({ key }) => key))
      for (const contact of withoutRoom(doubtful.filter((contact) => !storedKeys.has(keyOf(contact)))))
        found.set(keyOf(contact), 'full')
    }
    if (alone || existing.length > 0) await settle(unit, { room, fresh, existing, contested: !alone }, found)
    else storeUnseen(unit, room, fresh, found)
  }
  return requested.map((item, i) => {
    const answer = found.get(keys[i]!)!
    if (answer === 'full' || first.get(keys[i]!) === item) return answer
    return { contact: answer.contact, created: false }
  })
}

/** A requested number (`key`) and its stored phone. */
type Stored = NumberKey & { key: string }

const withoutKnown = (knownPhones: Map<string, string>, items: [string, Wanted][]): Wanted[] =>
  items.flatMap(([key, item]) => (knownPhones.has(key) ? [] : item))

const existingAmong = (items: [string, Wanted][], stored: Map<string, string>): Stored[] =>
  items.flatMap(([key, item]) => {
    const phone = stored.get(key)
    return phone === undefined ? [] : [{ key, workspaceId: item.fresh.workspaceId, phone }]
  })

async function storedAgain(unit: Unit, room: ContactRoom, doubtful: ContactRow[]): Promise<Stored[]> {
  const stored = await recheckFullRooms(unit, room, doubtful)
  return stored.map((number) => ({
    key: keyOf(number),
    workspaceId: number.workspaceId,
    phone: number.phone,
  }))
}

type Step = {
  room: ContactRoom
  fresh: ContactRow[]
  existing: Stored[]
  contested: boolean
}

/**
 * Counts, inserts, and locks in one round trip, in this order. Numbers that another transaction stored
 * meanwhile, and erased contacts, stay without a result and are requested again.
 */
async function settle(unit: Unit, step: Step, found: Map<string, Found>): Promise<void> {
  const [, inserted, rows] = await Promise.all([
    settleContactRoom(unit, step.room, step.contested),
    step.fresh.length > 0 ? insertContactRows(unit.tx, step.fresh) : new Set<string>(),
    step.existing.length > 0 ? listContactsByPhoneForUpdate(unit.tx, step.existing) : [],
  ])
  const byPhone = new Map(rows.map((contact) => [keyOf(contact), contact]))
  for (const { key, ...stored } of step.existing) {
    const contact = byPhone.get(keyOf(stored))
    if (contact) found.set(key, { contact, created: false })
  }
  for (const contact of step.fresh) {
    if (inserted.has(contact.id)) found.set(keyOf(contact), { contact, created: true })
    else countContacts(step.room, contact.workspaceId, -1)
  }
  await settleContactRoom(unit, step.room)
}

/**
 * Inserts contacts that were missing, without waiting for the result. The statements fail if a contact exists
 * after all.
 */
function storeUnseen(unit: Unit, room: ContactRoom, fresh: ContactRow[], found: Map<string, Found>): void {
  beforeCommit(unit, settleContactRoom(unit, room, true))
  if (fresh.length > 0) beforeCommit(unit, insertNewContactRows(unit.tx, fresh))
  for (const contact of fresh) found.set(keyOf(contact), { contact, created: true })
}
