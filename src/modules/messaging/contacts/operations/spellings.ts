/**
 * Numbers that the operator spells differently from us (docs/formats.md section 1). The operator's answer to
 * a send identifies the account, so two contacts with one account are one person (DECISIONS.md "Merges").
 */
import type { Context, Unit } from '../../../../core/context.ts'
import { personKey } from '../../../../core/values/phone-spellings.ts'
import { enqueueAll } from '../../../../database/sql/enqueue-jobs.ts'
import { mergeTwoContacts } from '../jobs.ts'
import { saveSpellings } from '../queries/aliases.ts'
import { type ContactRow, listContactsByKey } from '../queries/contacts.ts'
import { indexContacts, place } from './contact-index.ts'

/** A contact's number, and the operator's spelling of it. */
export type Respelled = { phone: string; spelling: string }

/**
 * Returns whether two different numbers in E.164 can be one account: two known spellings of one number, or
 * numbers where one has at most one additional digit. Other answers of the operator are ignored.
 */
export function isSpellingOf(spelling: string, other: string): boolean {
  if (spelling === other) return false
  if (personKey(spelling) === personKey(other)) return true
  const [short, long] = spelling.length < other.length ? [spelling, other] : [other, spelling]
  if (long.length !== short.length + 1 || !short.startsWith('+')) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start++
  return short.slice(start) === long.slice(start + 1)
}

/**
 * Stores the operator's spellings of contacts' numbers. Contacts stored under both spellings are merged soon.
 */
export async function recordSpellings(
  unit: Unit,
  respelled: (Respelled & { ctx: Context })[],
): Promise<void> {
  const rows = respelled.map(({ ctx, ...spelling }) => ({
    ...spelling,
    workspaceId: ctx.workspace.id,
    createdAt: ctx.now,
  }))
  await saveSpellings(unit.tx, rows)
  const stored = indexContacts(
    await listContactsByKey(
      unit.tx,
      rows.flatMap(({ workspaceId, phone, spelling }) =>
        [phone, spelling].map((key) => ({ workspaceId, phone: key, userId: null })),
      ),
    ),
  )
  const pairs = respelled.flatMap(({ ctx, phone, spelling }) => {
    const [contact, other] = [phone, spelling].map((key) => stored.byPhone.get(place(ctx.workspace.id, key)))
    return contact && other && contact.id !== other.id ? [{ ctx, contact, other }] : []
  })
  await queueMerges(pairs)
}

/** Queues merges of pairs of contacts of one person. The older contact is kept. */
export const queueMerges = (
  pairs: { ctx: Context; contact: ContactRow; other: ContactRow }[],
): Promise<void> =>
  enqueueAll(
    mergeTwoContacts,
    pairs.map(({ ctx, contact, other }) => {
      const [kept, merged] = isOlder(contact, other) ? [contact, other] : [other, contact]
      return { ctx, payload: { keptId: kept.id, mergedId: merged.id } }
    }),
  )

const isOlder = (contact: ContactRow, other: ContactRow): boolean =>
  contact.createdAt.getTime() === other.createdAt.getTime()
    ? contact.id < other.id
    : contact.createdAt < other.createdAt
