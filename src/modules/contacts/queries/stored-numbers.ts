/** Statements that find the contact behind a number, whichever spelling it is stored under. */
import { texts, uuids } from '../../../core/binary-arrays.ts'
import type { Tx } from '../../../core/context.ts'
import { otherSpellings, personKey, SPELLED_PREFIXES } from '../../../core/phone-spellings.ts'

export type NumberKey = { workspaceId: string; phone: string }
/** `place`: which of the keys, from 0. `phone`: how its contact's number is stored. */
export type StoredNumber = { place: number; contactId: string; phone: string }

/**
 * Which of the keys lead to a contact: by the stored number, by another spelling of it, or by a spelling that the operator uses. A
 * number that was a contact's before it changed leads to nobody. Nothing is locked.
 */
export async function listStoredNumbers(tx: Tx, keys: NumberKey[]): Promise<StoredNumber[]> {
  if (keys.length === 0) return []
  const wanted = keys.flatMap(({ workspaceId, phone }, place) =>
    [phone, ...otherSpellings(phone)].map((spelling) => ({ workspaceId, spelling, place })),
  )
  const rows = await tx.sql<StoredNumber>(
    `select distinct on (wanted.place) wanted.place, found.id as contact_id, found.phone
     from unnest($1::uuid[], $2::text[], $3::int4[]) with ordinality as wanted (workspace_id, phone, place, rank)
     cross join lateral (
       (select id, phone, 0 as learned from contacts
        where contacts.workspace_id = wanted.workspace_id and contacts.phone = wanted.phone limit 1)
       union all
       (select c.id, c.phone, 1 from contact_aliases a join contacts c on c.workspace_id = a.workspace_id and c.id = a.contact_id
        where a.workspace_id = wanted.workspace_id and a.key = wanted.phone and a.is_spelling limit 1)
       limit 1
     ) found
     order by wanted.place, found.learned, wanted.rank`,
    [
      uuids(wanted.map((one) => one.workspaceId)),
      texts(wanted.map((one) => one.spelling)),
      wanted.map((one) => one.place),
    ],
  )
  return rows
}

/**
 * Lets one transaction at a time store a person whose number has several spellings, in an order that is the same everywhere. The
 * primary key guards a number with one spelling by itself.
 */
export const lockSpelledPeople = (tx: Tx, keys: NumberKey[]): Promise<unknown> =>
  tx.sql(
    `select pg_advisory_xact_lock(hashtextextended(person, 7226420)) from (
       select distinct person from unnest($1::text[]) as person order by person
     ) people`,
    [keys.map(({ workspaceId, phone }) => `${workspaceId} ${personKey(phone)}`)],
  )

/** Numbers of contacts that may have several spellings, in their order after `after`. */
export const listSpelledPhones = async (
  tx: Tx,
  { workspaceId, after, limit }: { workspaceId: string; after: string; limit: number },
): Promise<string[]> =>
  (
    await tx.sql<{ phone: string }>(
      `select phone from contacts where workspace_id = $1 and phone > $2 and phone like any($3::text[]) order by phone limit $4`,
      [workspaceId, after, SPELLED_PREFIXES.map((prefix) => `${prefix}%`), limit],
    )
  ).map(({ phone }) => phone)
