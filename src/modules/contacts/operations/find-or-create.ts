import { beforeCommit, type Context, type Unit, type Workspace } from '../../../core/context.ts'
import {
  type ContactRow,
  insertContactRows,
  insertNewContactRows,
  listContactsByPhoneForUpdate,
  listKnownPhones,
  shareErasures,
} from '../queries/contacts.ts'
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

/** Which numbers are known, by workspace and phone, and what room there is for more. */
export type Sight = { known: Set<string>; room: ContactRoom }

/** Looks without locking anything, before it is certain what will be stored. One round trip. */
export async function lookForContacts(
  unit: Unit,
  keys: { workspace: Workspace; phone: string }[],
): Promise<Sight> {
  if (keys.length === 0) return { known: new Set(), room: new Map() }
  const [room, phones] = await Promise.all([
    readContactRoom(
      unit,
      keys.map(({ workspace }) => workspace),
    ),
    listKnownPhones(
      unit.tx,
      keys.map(({ workspace, phone }) => ({ workspaceId: workspace.id, phone })),
    ),
  ])
  return { known: new Set(phones.map(keyOf)), room }
}

/**
 * What is assumed where nobody looks: no number is known, no contact counted, and nobody is erased just now. Each has a statement
 * that fails by itself, and with it the transaction, where that is wrong.
 */
export function assumeNobodyStored(unit: Unit, workspaces: Workspace[]): Sight {
  // Who waited for an erasure to free its number would report the new contact before the erased one.
  beforeCommit(unit, shareErasures(unit.tx, [...new Set(workspaces.map(({ id }) => id))]))
  return { known: new Set(), room: emptyRoom(workspaces) }
}

/**
 * Finds or stores each of `wanted` by its phone; of duplicates the first is stored. The rows that come
 * back are locked. A known number is never duplicated, whoever else writes it at this moment (spec 4.4).
 * Returns one answer an item, in order.
 *
 * `alone` is a transaction that may make others of its workspace wait: it locks the count of its contacts. A list
 * waits for nobody: it takes it that what it saw missing (`sight`, else it looks itself) is still missing when it
 * inserts, and fails as a whole, to be run again item by item, where that turns out wrong
 * (docs/decisions/request-batches.md).
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
    const missing = asked.flatMap(([key, item]) => (known.has(key) ? [] : item))
    const there = asked.flatMap(([key, item]) => (known.has(key) ? item.fresh : []))
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
      const stored = new Set((await lookAgain(unit, room, doubtful)).map(keyOf))
      there.push(...doubtful.filter((contact) => stored.has(keyOf(contact))))
      for (const contact of refused(doubtful.filter((one) => !stored.has(keyOf(one)))))
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

type Step = {
  room: ContactRoom
  fresh: ContactRow[]
  there: ContactRow[]
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
  for (const contact of rows) found.set(keyOf(contact), { contact, created: false })
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
