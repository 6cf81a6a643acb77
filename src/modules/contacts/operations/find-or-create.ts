import type { Context, Unit } from '../../../core/context.ts'
import { type ContactRow, insertContactRows, listContactsByPhoneForUpdate } from '../queries.ts'
import {
  type ContactRoom,
  lockRoomForNew,
  lockStillMissing,
  settleContactRoom,
  takeContactRoom,
} from './contact-room.ts'

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
  const keys = [...first.values()].map(({ ctx, fresh }) => ({
    workspace: ctx.workspace,
    workspaceId: fresh.workspaceId,
    phone: fresh.phone,
    userId: null,
  }))
  const room = await lockRoomForNew(unit, keys)
  const found = new Map<string, Found>()
  for (;;) {
    const asked = [...first].filter(([key]) => !found.has(key)).map(([, item]) => item)
    if (asked.length === 0) break
    const rows = await listContactsByPhoneForUpdate(
      unit.tx,
      asked.map((item) => item.fresh),
    )
    for (const contact of rows) found.set(keyOf(contact), { contact, created: false })
    const missing = asked.filter((item) => !found.has(keyOf(item.fresh)))
    if (missing.length > 0) await storeMissing(unit, missing, room, found)
  }
  await settleContactRoom(unit, room)
  return wanted.map((item) => {
    const answer = found.get(keyOf(item.fresh))!
    if (answer === 'full' || first.get(keyOf(item.fresh)) === item) return answer
    return { contact: answer.contact, created: false }
  })
}

/** Inserts what there is room for. A number that another transaction stored meanwhile stays unanswered. */
async function storeMissing(
  unit: Unit,
  missing: Wanted[],
  room: ContactRoom,
  found: Map<string, Found>,
): Promise<void> {
  await lockStillMissing(
    unit,
    room,
    missing.map((item) => item.ctx.workspace),
  )
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
