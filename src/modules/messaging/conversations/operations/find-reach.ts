import type { Unit } from '../../../../core/context.ts'
import { findByOtherNames } from '../../contacts/operations/find-contact.ts'
import { listReach, type ReachKey, type ReachRow } from '../queries/reach.ts'
import { rememberReach } from './assumed-reach.ts'

export type { ReachKey } from '../queries/reach.ts'

/** A recipient of a send, with the windows of their chats by our number. */
export type Reach = {
  contact: Pick<ReachRow, 'id' | 'phone' | 'userId' | 'optInStatus' | 'blocked'>
  conversations: Map<string, { id: string; windowExpiresAt: Date | null }>
}

/**
 * Finds the recipients of sends and remembers those found by number. Returns one result per key, in order;
 * undefined for unknown recipients. An earlier user id and the operator's spelling of a number find them too
 * (src/modules/messaging/messages/intake/DECISIONS.md). Takes no lock.
 */
export async function findReach(unit: Unit, keys: ReachKey[]): Promise<(Reach | undefined)[]> {
  if (keys.length === 0) return []
  const found = gather(await listReach(unit.tx, keys))
  for (const [i, { workspaceId, phone }] of keys.entries())
    if (phone !== null) rememberReach(workspaceId, phone, found.get(i + 1))
  const outsiders = keys.flatMap((key, i) => (found.has(i + 1) ? [] : [{ key, i }]))
  if (outsiders.length === 0) return keys.map((_, i) => found.get(i + 1))
  const findByName = await findByOtherNames(
    unit,
    outsiders.map(({ key }) => key),
  )
  const renamed = outsiders.flatMap(({ key, i }) => {
    const contact = findByName(key)
    return contact ? [{ i, key: { ...key, phone: contact.phone } }] : []
  })
  const foundAgain =
    renamed.length === 0
      ? new Map()
      : gather(
          await listReach(
            unit.tx,
            renamed.map(({ key }) => key),
          ),
        )
  const byPlace = new Map(renamed.map(({ i }, index) => [i, foundAgain.get(index + 1)]))
  return keys.map((_, i) => found.get(i + 1) ?? byPlace.get(i))
}

function gather(rows: ReachRow[]): Map<number, Reach> {
  const found = new Map<number, Reach>()
  for (const { place, conversationId, phoneNumberId, windowExpiresAt, ...contact } of rows) {
    const reach = found.get(place) ?? { contact, conversations: new Map() }
    found.set(place, reach)
    if (conversationId !== null && phoneNumberId !== null)
      reach.conversations.set(phoneNumberId, { id: conversationId, windowExpiresAt })
  }
  return found
}
