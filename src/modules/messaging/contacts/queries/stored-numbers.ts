/** SQL that finds the contact for a number in any spelling. */

import type { Tx } from '../../../../core/context.ts'
import { otherSpellings, personKey, SPELLED_PREFIXES } from '../../../../core/values/phone-spellings.ts'
import { texts, uuids } from '../../../../database/sql/binary-arrays.ts'
import type { ContactRow } from './contacts.ts'

export type NumberKey = { workspaceId: string; phone: string }
/** `place`: the index of the key. `phone`: the number as the contact stores it. */
export type StoredNumber = Pick<ContactRow, 'phone'> & { place: number; contactId: ContactRow['id'] }

/**
 * Returns which keys lead to a contact: by the stored number, another spelling of it, or the operator's
 * spelling. A number that a contact had before a change leads to no contact. Takes no lock.
 */
export async function listStoredNumbers(tx: Tx, keys: NumberKey[]): Promise<StoredNumber[]> {
  if (keys.length === 0) return []
  const spelled = keys.flatMap(({ workspaceId, phone }, place) =>
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
      uuids(spelled.map((row) => row.workspaceId)),
      texts(spelled.map((row) => row.spelling)),
      spelled.map((row) => row.place),
    ],
  )
  return rows
}

/**
 * Lets one transaction at a time store a person whose number has several spellings. Locks are taken in the
 * same order everywhere. For a number with one spelling, the primary key suffices.
 */
export const lockSpelledPeople = (tx: Tx, keys: NumberKey[]): Promise<unknown> =>
  tx.sql(
    `select pg_advisory_xact_lock(hashtextextended(person, 7226420)) from (
       select distinct person from unnest($1::text[]) as person order by person
     ) people`,
    [keys.map(({ workspaceId, phone }) => `${workspaceId} ${personKey(phone)}`)],
  )

/** Returns numbers of contacts that may have several spellings, in order after `after`. */
export const listSpelledPhones = async (
  tx: Tx,
  { workspaceId, after, limit }: { workspaceId: string; after: string; limit: number },
): Promise<string[]> =>
  (
    await tx.sql<Pick<ContactRow, 'phone'>>(
      `select phone from contacts where workspace_id = $1 and phone > $2 and phone like any($3::text[]) order by phone limit $4`,
      [workspaceId, after, SPELLED_PREFIXES.map((prefix) => `${prefix}%`), limit],
    )
  ).map(({ phone }) => phone)
