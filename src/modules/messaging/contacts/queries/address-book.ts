/** Statements on names from the phone app's address book. */
import type { Tx } from '../../../../core/context.ts'
import { instants, texts, uuids } from '../../../../database/sql/binary-arrays.ts'
import type { ContactRow } from './contacts.ts'

/** `name`: null leaves the known name. `at`: when the entry changed; `now`: the workspace's time. */
export type AddressBookName = {
  workspaceId: string
  contactId: string
  name: string | null
  at: Date
  now: Date
}

/**
 * Stores the latest entry of each contact. Its name becomes the contact's name if the contact has none, or
 * still has an earlier name of the address book. Older entries change nothing. Returns the renamed contacts.
 */
export const saveAddressBookNames = (
  tx: Tx,
  rows: AddressBookName[],
): Promise<Pick<ContactRow, 'workspaceId' | 'id'>[]> =>
  tx.sql(
    `with entry as (
       select c.workspace_id, c.id, c.display_name, n.name, n.at, n.now,
              n.name is not null and (c.display_name is null or c.display_name = c.address_book_name) as fills
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[]) as n (workspace_id, id, name, at, now)
       join contacts c on c.workspace_id = n.workspace_id and c.id = n.id
       where c.address_book_at is null or c.address_book_at <= n.at
     ), saved as (
       update contacts c
       set address_book_name = coalesce(e.name, c.address_book_name), address_book_at = e.at,
           display_name = case when e.fills then e.name else c.display_name end,
           updated_at = case when e.fills and c.display_name is distinct from e.name then e.now else c.updated_at end
       from entry e where c.workspace_id = e.workspace_id and c.id = e.id
       returning c.workspace_id, c.id
     )
     select s.workspace_id, s.id from saved s join entry e on e.workspace_id = s.workspace_id and e.id = s.id
     where e.fills and e.display_name is distinct from e.name`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.contactId)),
      texts(rows.map((row) => row.name)),
      instants(rows.map((row) => row.at)),
      instants(rows.map((row) => row.now)),
    ],
  )
