/**
 * Numbers that the operator spells otherwise than we do (docs/formats.md section 1). Its answer to a send names the account, so two contacts
 * that it shows to be one account are one person (docs/decisions/phone-numbers.md).
 */
import type { Context, Unit } from '../../../core/context.ts'
import { enqueueAll } from '../../../core/job.ts'
import { personKey } from '../../../core/phone-spellings.ts'
import { mergeTwoContacts } from '../jobs.ts'
import { saveSpellings } from '../queries/aliases.ts'
import { type ContactRow, listContactsByKey } from '../queries/contacts.ts'
import { indexContacts, place } from './find-contact.ts'

/** A contact's number, and the operator's spelling of it. */
export type Respelled = { phone: string; spelling: string }

/**
 * Whether two different numbers in E.164 can be one account: two known spellings of one number, or numbers that differ in no more than a digit that
 * one of them has besides. An operator that answers anything else is not believed.
 */
export function isSpellingOf(one: string, other: string): boolean {
  if (one === other) return false
  if (personKey(one) === personKey(other)) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (long.length !== short.length + 1 || !short.startsWith('+')) return false
  let same = 0
  while (same < short.length && short[same] === long[same]) same++
  return short.slice(same) === long.slice(same + 1)
}

/** Remembers under which numbers contacts write; contacts that are stored under both numbers are merged soon. */
export async function noteSpellings(unit: Unit, respelled: (Respelled & { ctx: Context })[]): Promise<void> {
  const rows = respelled.map(({ ctx, ...one }) => ({
    ...one,
    workspaceId: ctx.workspace.id,
    createdAt: ctx.now,
  }))
  await saveSpellings(unit.tx, rows)
  const stored = indexContacts(
    await listContactsByKey(
      unit.tx,
      rows.flatMap(({ workspaceId, phone, spelling }) =>
        [phone, spelling].map((one) => ({ workspaceId, phone: one, userId: null })),
      ),
    ),
  )
  const pairs = respelled.flatMap(({ ctx, phone, spelling }) => {
    const [one, other] = [phone, spelling].map((key) => stored.byPhone.get(place(ctx.workspace.id, key)))
    return one && other && one.id !== other.id ? [{ ctx, one, other }] : []
  })
  await mergeSoon(pairs)
}

/** Has pairs of contacts of one person merged: the older one is kept. */
export const mergeSoon = (pairs: { ctx: Context; one: ContactRow; other: ContactRow }[]): Promise<void> =>
  enqueueAll(
    mergeTwoContacts,
    pairs.map(({ ctx, one, other }) => {
      const [kept, merged] = isOlder(one, other) ? [one, other] : [other, one]
      return { ctx, payload: { keptId: kept.id, mergedId: merged.id } }
    }),
  )

const isOlder = (one: ContactRow, other: ContactRow): boolean =>
  one.createdAt.getTime() === other.createdAt.getTime() ? one.id < other.id : one.createdAt < other.createdAt
