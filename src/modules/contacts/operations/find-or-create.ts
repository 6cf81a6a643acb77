import { beforeCommit, type Context, type Unit, type Workspace } from '../../../core/context.ts'
import { otherSpellings } from '../../../core/phone-spellings.ts'
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
  lookAgain,
  readContactRoom,
  settleContactRoom,
  takeContactRoom,
} from './contact-room.ts'

/** A contact to find under its phone, or to store as `fresh` says. */
export type Wanted = { ctx: Context; fresh: ContactRow }

/** `full`: it is new and the workspace may store no more. */
export type Found = { contact: ContactRow; created: boolean } | 'full'

const keyOf = (contact: { workspaceId: string; phone: string }): string =>
  `${contact.workspaceId} ${contact.phone}`

const freshOf = (item: Wanted): ContactRow => item.fresh
const workspaceOf = (item: Wanted): Workspace => item.ctx.workspace

/** How the contacts of numbers are stored, by workspace and phone as asked, and what room there is for more. */
export type Sight = { known: Map<string, string>; room: ContactRoom }

/** Looks without locking anything, before it is certain what will be stored. One round trip. */
export async function lookForContacts(
  unit: Unit,
  keys: { workspace: Workspace; phone: string }[],
): Promise<Sight> {
  if (keys.length === 0) return { known: new Map(), room: new Map() }
  const [room, known] = await Promise.all([
    readContactRoom(
      unit,
      keys.map(({ workspace }) => workspace),
    ),
    storedPhones(
      unit,
      keys.map(({ workspace, phone }) => ({ workspaceId: workspace.id, phone })),
    ),
  ])
  return { known, room }
}

/** How the numbers are stored, each by workspace and phone as asked. */
async function storedPhones(unit: Unit, keys: NumberKey[]): Promise<Map<string, string>> {
  const stored = await listStoredNumbers(unit.tx, keys)
  return new Map(stored.map(({ place, phone }) => [keyOf(keys[place]!), phone]))
}

/**
 * Of new contacts whose number has several spellings, those that somebody stored by another spelling meanwhile. Nobody else can store
 * one of them until the transaction ends.
 */
async function lockSpelled(unit: Unit, missing: Wanted[]): Promise<Map<string, string>> {
  const spelled = missing.map(freshOf).filter(({ phone }) => otherSpellings(phone).length > 0)
  if (spelled.length === 0) return new Map()
  await lockSpelledPeople(unit.tx, spelled)
  return storedPhones(unit, spelled)
}

/**
 * What is assumed where nobody looks: no number is known, no contact counted, and nobody is erased just now. Each has a statement
 * that fails by itself, and with it the transaction, where that is wrong.
 */
export function assumeNobodyStored(unit: Unit, workspaces: Workspace[]): Sight {
  // Who waited for an erasure to free its number would report the new contact before the erased one.
  beforeCommit(unit, shareErasures(unit.tx, [...new Set(workspaces.map(({ id }) => id))]))
  return { known: new Map(), room: emptyRoom(workspaces) }
}

/**
 * Finds or stores each of `wanted` by its phone; of duplicates the first is stored. The rows that come
 * back are locked. A known number is never duplicated, whoever else writes it at this moment (spec 4.4).
 * Returns one answer an item, in order.
 *
 * `alone` is a transaction that may make others of its workspace wait: it locks the count of its contacts. A list
 * waits for nobody: it takes it that what it saw missing (`sight`, else it looks itself) is still missing when it
 * inserts, and fails as a whole, to be run again item by item, where that turns out wrong
 * (docs/decisions/requests.md).
 */
export async function findOrCreateContacts(
  unit: Unit,
  wanted: Wanted[],
  { alone = wanted.length === 1, sight }: { alone?: boolean; sight?: Sight } = {},
): Promise<Found[]> {
  const keys = wanted.map((item) => keyOf(item.fresh))
  const first = new Map<string, Wanted>()
  for (const [i, item] of wanted.entries()) if (!first.has(keys[i]!)) first.set(keys[i]!, item)
  const found = new Map<string, Found>()
  const look = (items: Wanted[]) =>
    lookForContacts(
      unit,
      items.map((item) => ({ workspace: workspaceOf(item), phone: item.fresh.phone })),
    )
  let seen = sight
  // What was read without a lock is no ground to stand on alone.
  let room: ContactRoom | undefined = alone ? new Map() : sight?.room
  for (;;) {
    const asked = [...first].filter(([key]) => !found.has(key))
    if (asked.length === 0) break
    const { known, room: read } = seen ?? (await look(asked.map(([, item]) => item)))
    seen = undefined
    room ??= read
    const stored = new Map([...known, ...(await lockSpelled(unit, notAmong(known, asked)))])
    const missing = notAmong(stored, asked)
    const there = asked.flatMap(([key, item]): Stored[] => {
      const phone = stored.get(key)
      return phone === undefined ? [] : [{ key, workspaceId: item.fresh.workspaceId, phone }]
    })
    // Where all are known nobody is held up.
    if (alone) await lockStillMissing(unit, room, missing.map(workspaceOf))
    const fresh: ContactRow[] = []
    const places = room
    const refused = (contacts: ContactRow[]) =>
      contacts.filter((contact) => {
        const taken = takeContactRoom(places, contact.workspaceId)
        if (taken) fresh.push(contact)
        return !taken
      })
    const doubtful = refused(missing.map(freshOf))
    if (doubtful.length > 0) {
      const again = await storedAgain(unit, room, doubtful)
      there.push(...again)
      const met = new Set(again.map(({ key }) => key))
      for (const contact of refused(doubtful.filter((one) => !met.has(keyOf(one)))))
        found.set(keyOf(contact), 'full')
    }
    if (alone || there.length > 0) await settle(unit, { room, fresh, there, contested: !alone }, found)
    else storeUnseen(unit, room, fresh, found)
  }
  return wanted.map((item, i) => {
    const answer = found.get(keys[i]!)!
    if (answer === 'full' || first.get(keys[i]!) === item) return answer
    return { contact: answer.contact, created: false }
  })
}

/** An asked number (`key`) and how its contact stores it. */
type Stored = NumberKey & { key: string }

const notAmong = (known: Map<string, string>, asked: [string, Wanted][]): Wanted[] =>
  asked.flatMap(([key, item]) => (known.has(key) ? [] : item))

async function storedAgain(unit: Unit, room: ContactRoom, doubtful: ContactRow[]): Promise<Stored[]> {
  const stored = await lookAgain(unit, room, doubtful)
  return stored.map((one) => ({ key: keyOf(one), workspaceId: one.workspaceId, phone: one.phone }))
}

type Step = {
  room: ContactRoom
  fresh: ContactRow[]
  there: Stored[]
  contested: boolean
}

/**
 * Counts, inserts and locks in one round trip, in this order. A number that another transaction stored meanwhile, or a contact
 * that was erased, stays unanswered and is asked for again.
 */
async function settle(unit: Unit, step: Step, found: Map<string, Found>): Promise<void> {
  const [, inserted, rows] = await Promise.all([
    settleContactRoom(unit, step.room, step.contested),
    step.fresh.length > 0 ? insertContactRows(unit.tx, step.fresh) : new Set<string>(),
    step.there.length > 0 ? listContactsByPhoneForUpdate(unit.tx, step.there) : [],
  ])
  const byPhone = new Map(rows.map((contact) => [keyOf(contact), contact]))
  for (const { key, ...stored } of step.there) {
    const contact = byPhone.get(keyOf(stored))
    if (contact) found.set(key, { contact, created: false })
  }
  for (const contact of step.fresh) {
    if (inserted.has(contact.id)) found.set(keyOf(contact), { contact, created: true })
    else countContacts(step.room, contact.workspaceId, -1)
  }
  await settleContactRoom(unit, step.room)
}

/** Inserts what nobody has, without waiting to hear so: the statements fail by themselves where somebody does. */
function storeUnseen(unit: Unit, room: ContactRoom, fresh: ContactRow[], found: Map<string, Found>): void {
  beforeCommit(unit, settleContactRoom(unit, room, true))
  if (fresh.length > 0) beforeCommit(unit, insertNewContactRows(unit.tx, fresh))
  for (const contact of fresh) found.set(keyOf(contact), { contact, created: true })
}
