/**
 * Numbers that the operator spells differently from us (docs/formats.md section 1). The operator's answer to
 * a send identifies the account, so two contacts with one account are one person
 * (docs/decisions/merging-contacts.md).
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
 * Returns whether two different numbers in E.164 can be one account: two known spellings of one number, or
 * numbers where one has at most one additional digit. Other answers of the operator are ignored.
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

/**
 * Stores the operator's spellings of contacts' numbers. Contacts stored under both spellings are merged soon.
 */
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

/** Queues merges of pairs of contacts of one person. The older contact is kept. */
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
