import type { Context, Unit } from '../../../core/context.ts'
import { type ContactRow, insertContactRows, listContactsByPhoneForUpdate } from '../queries.ts'
import { type ContactRoom, lockContactRoom, settleContactRoom, takeContactRoom } from './contact-room.ts'

/** A contact to find under its phone, or to store as `fresh` says. */
export type Wanted = { ctx: Context; fresh: ContactRow }

/** `full`: it is new and the workspace may store no more. */
export type Found = { contact: ContactRow; created: boolean } | 'full'

const keyOf = (contact: { workspaceId: string; phone: string }): string =>
  `${contact.workspaceId} ${contact.phone}`

/**
 * Finds or stores each of `wanted` by its phone; of twins the first is stored. The rows that come
 * back are locked. A known number is never duplicated, whoever else writes it at this moment (spec 4.4).
 * Returns one answer an item, in order.
 */
export async function findOrCreateContacts(unit: Unit, wanted: Wanted[]): Promise<Found[]> {
  const first = new Map<string, Wanted>()
  for (const item of wanted) if (!first.has(keyOf(item.fresh))) first.set(keyOf(item.fresh), item)
  const found = new Map<string, Found>()
  let room: ContactRoom | undefined
  for (;;) {
    const asked = [...first].filter(([key]) => !found.has(key)).map(([, item]) => item)
    if (asked.length === 0) break
    for (const contact of await listContactsByPhoneForUpdate(
      unit.tx,
      asked.map((item) => item.fresh),
    ))
      found.set(keyOf(contact), { contact, created: false })
    const missing = asked.filter((item) => !found.has(keyOf(item.fresh)))
    if (missing.length === 0) break
    if (!room && missing.some((item) => item.ctx.workspace.contactLimit !== null)) {
      room = await lockContactRoom(
        unit,
        missing.map((item) => item.ctx.workspace),
      )
      // While we waited for the lock, its holder may have stored the very same numbers.
      continue
    }
    await storeMissing(unit, missing, room ?? new Map(), found)
  }
  if (room) await settleContactRoom(unit, room)
  return wanted
    .map((item) => found.get(keyOf(item.fresh))!)
    .map((answer, index) => {
      const stored =
        answer !== 'full' && answer.created && first.get(keyOf(wanted[index]!.fresh)) === wanted[index]
      return answer === 'full' ? answer : { contact: answer.contact, created: stored }
    })
}

/** Inserts what there is room for. A number that another transaction stored meanwhile stays unanswered. */
async function storeMissing(
  unit: Unit,
  missing: Wanted[],
  room: ContactRoom,
  found: Map<string, Found>,
): Promise<void> {
  const allowed: ContactRow[] = []
  for (const { fresh } of missing) {
    if (takeContactRoom(room, fresh.workspaceId)) allowed.push(fresh)
    else found.set(keyOf(fresh), 'full')
  }
  if (allowed.length === 0) return
  const inserted = await insertContactRows(unit.tx, allowed)
  for (const contact of allowed) {
    if (inserted.has(contact.id)) found.set(keyOf(contact), { contact, created: true })
    else giveBack(room, contact.workspaceId)
  }
}

const giveBack = (room: ContactRoom, workspaceId: string): void => {
  const place = room.get(workspaceId)
  if (place) place.contacts--
}
