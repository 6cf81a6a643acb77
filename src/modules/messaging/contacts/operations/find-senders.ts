/** The contacts of customers who write, found under every name that they may have, and locked. */
import type { Unit, Workspace } from '../../../../core/context.ts'
import { otherSpellings } from '../../../../core/values/phone-spellings.ts'
import { type ContactKey, type ContactRow, listContactsByKeyForUpdate } from '../queries/contacts.ts'
import { lockSpelledPeople } from '../queries/stored-numbers.ts'
import { findByOtherNames } from './find-contact.ts'
import { judgeSenders, type Sender, type SenderPlan } from './judge-senders.ts'

const ROUNDS_MAX = 5

/** Returns the keys under which the senders may be stored: each spelling of the number, and the user id. */
export const keysOf = (senders: Sender[]): (ContactKey & { workspace: Workspace })[] =>
  senders.flatMap(({ ctx, phone, userId }) => {
    const key = { workspace: ctx.workspace, workspaceId: ctx.workspace.id }
    const spellings = phone === null ? [] : otherSpellings(phone)
    return [
      { ...key, phone: phone ?? `chan:${userId}`, userId },
      ...spellings.map((spelling) => ({ ...key, phone: spelling, userId: null })),
    ]
  })

/**
 * Returns the senders whose reports are still new. Its statement runs after the one that locks the senders'
 * contacts, in the same round trip.
 */
export type Recheck = () => Promise<Sender[]>

/**
 * Finds and locks the senders' contacts, also under other names, and judges what changes. `lookups`: how often
 * it looked for them; `recheck` runs with the first.
 */
export async function findSenders(
  unit: Unit,
  reported: Sender[],
  recheck?: Recheck,
): Promise<{ plan: SenderPlan; lookups: number }> {
  let senders = reported
  for (let lookups = 1; lookups <= ROUNDS_MAX; lookups++) {
    const [contacts, left] = await Promise.all([
      listContactsByKeyForUpdate(unit.tx, keysOf(senders)),
      lookups === 1 ? recheck?.() : undefined,
    ])
    senders = left ?? senders
    const plan = judgeSenders(senders, contacts)
    const present = await findPresentNames(unit, plan)
    if (!present) return { plan, lookups }
    senders = present
  }
  throw new Error('contacts kept changing their names concurrently')
}

/** Returns the senders under their current names. Undefined: the new contacts have no other name. */
async function findPresentNames(unit: Unit, { senders, fresh }: SenderPlan): Promise<Sender[] | undefined> {
  if (fresh.size === 0) return undefined
  const names = [...fresh.values()].flatMap(({ ctx, phone, userId }) => [
    ...(phone === null ? [] : [{ workspaceId: ctx.workspace.id, phone, userId: null }]),
    ...(userId === null ? [] : [{ workspaceId: ctx.workspace.id, phone: null, userId }]),
  ])
  const present = withPresentNames(senders, await findByOtherNames(unit, names))
  if (present) return present
  const spelled = names.flatMap(({ workspaceId, phone }) =>
    phone !== null && otherSpellings(phone).length > 0 ? [{ workspaceId, phone, userId: null }] : [],
  )
  if (spelled.length === 0) return undefined
  // Another transaction may store one of them under another spelling: it waits for this lock, or we find it.
  await lockSpelledPeople(unit.tx, spelled)
  return withPresentNames(senders, await findByOtherNames(unit, spelled))
}

/**
 * Returns the senders under their current ids and numbers, as `findByName` knows them. A message sent before an
 * id change carries the old id, and the operator may spell a number differently. Undefined: all are current.
 */
function withPresentNames(
  senders: Sender[],
  findByName: (key: ContactKey) => ContactRow | undefined,
): Sender[] | undefined {
  const present = senders.map((sender) => presentSender(sender, findByName))
  return present.some((sender, i) => sender !== senders[i]) ? present : undefined
}

function presentSender(sender: Sender, findByName: (key: ContactKey) => ContactRow | undefined): Sender {
  const { phone, userId } = sender
  const workspaceId = sender.ctx.workspace.id
  const spelled = phone === null ? undefined : findByName({ workspaceId, phone, userId: null })
  if (spelled) return { ...sender, phone: spelled.phone }
  const now = userId === null ? undefined : findByName({ workspaceId, phone: null, userId })
  const isHidden = now?.phone.startsWith('chan:')
  // An earlier id that now belongs to another contact is not replaced.
  if (!now || (isHidden && now.userId === null)) return sender
  return { ...sender, phone: phone ?? (isHidden ? null : now.phone), userId: now.userId }
}
