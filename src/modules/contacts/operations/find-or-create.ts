import { beforeCommit, type Context, type Unit, type Workspace } from '../../../core/context.ts'
import {
  type ContactRow,
  insertContactRows,
  insertNewContactRows,
  listContactsByPhoneForUpdate,
  listKnownPhones,
} from '../queries.ts'
import {
  type ContactRoom,
  countContacts,
  lockStillMissing,
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

/**
 * Finds or stores each of `wanted` by its phone; of twins the first is stored. The rows that come
 * back are locked. A known number is never duplicated, whoever else writes it at this moment (spec 4.4).
 * Returns one answer an item, in order.
 *
 * `alone` is a transaction that may make others of its workspace wait, and holds its contact count from the start. A
 * list waits for nobody: it takes it that what it saw missing is still missing when it inserts, and fails as a whole,
 * to be run again item by item, where that turns out wrong (docs/decisions/lists-in-flight.md).
 */
export async function findOrCreateContacts(
  unit: Unit,
  wanted: Wanted[],
  alone = wanted.length === 1,
): Promise<Found[]> {
  const first = new Map<string, Wanted>()
  for (const item of wanted) if (!first.has(keyOf(item.fresh))) first.set(keyOf(item.fresh), item)
  const found = new Map<string, Found>()
  const reading = alone
    ? (new Map() as ContactRoom)
    : readContactRoom(
        unit,
        wanted.map(({ ctx }) => ctx.workspace),
      )
  for (;;) {
    const asked = [...first].filter(([key]) => !found.has(key)).map(([, item]) => item)
    if (asked.length === 0) break
    const [room, phones] = await Promise.all([reading, listKnownPhones(unit.tx, asked.map(freshOf))])
    const known = new Set(phones.map(keyOf))
    const missing = asked.filter((item) => !known.has(keyOf(item.fresh)))
    // Where all are known nobody is held up.
    if (alone) await lockStillMissing(unit, room, missing.map(workspaceOf))
    const fresh: ContactRow[] = []
    for (const contact of missing.map(freshOf)) {
      if (takeContactRoom(room, contact.workspaceId)) fresh.push(contact)
      else found.set(keyOf(contact), 'full')
    }
    if (alone || known.size > 0) await settle(unit, { room, fresh, phones, contested: !alone }, found)
    else storeUnseen(unit, room, fresh, found)
  }
  return wanted.map((item) => {
    const answer = found.get(keyOf(item.fresh))!
    if (answer === 'full' || first.get(keyOf(item.fresh)) === item) return answer
    return { contact: answer.contact, created: false }
  })
}

type Step = {
  room: ContactRoom
  fresh: ContactRow[]
  phones: { workspaceId: string; phone: string }[]
  contested: boolean
}

/**
 * Counts, inserts and locks in one flight, in this order. A number that another transaction stored meanwhile, or a contact
 * that was erased, stays unanswered and is asked for again.
 */
async function settle(unit: Unit, step: Step, found: Map<string, Found>): Promise<void> {
  const [, inserted, rows] = await Promise.all([
    settleContactRoom(unit, step.room, step.contested),
    step.fresh.length > 0 ? insertContactRows(unit.tx, step.fresh) : new Set<string>(),
    step.phones.length > 0 ? listContactsByPhoneForUpdate(unit.tx, step.phones) : [],
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
