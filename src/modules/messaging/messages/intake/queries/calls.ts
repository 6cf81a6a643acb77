/** Statements on calls. */
import type { Selectable } from 'kysely'
import type { Tx } from '../../../../../core/context.ts'
import { instants, uuids } from '../../../../../database/sql/binary-arrays.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'

export type CallRow = Selectable<Tables['calls']>

/** Stores calls that are not known yet, in a fixed order, and returns all current rows, locked. */
export async function claimCalls(tx: Tx, rows: CallRow[]): Promise<CallRow[]> {
  const keys = [uuids(rows.map((row) => row.workspaceId)), rows.map((row) => row.callId)]
  await tx.sql(
    `insert into calls (workspace_id, call_id, contact_id, conversation_id, phone_number_id, created_at)
     select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::uuid[], $6::timestamptz[])
       as n (workspace_id, call_id, contact_id, conversation_id, phone_number_id, created_at)
     order by workspace_id, call_id
     on conflict (workspace_id, call_id) do nothing`,
    [
      ...keys,
      uuids(rows.map((row) => row.contactId)),
      uuids(rows.map((row) => row.conversationId)),
      uuids(rows.map((row) => row.phoneNumberId)),
      instants(rows.map((row) => row.createdAt)),
    ],
  )
  return tx.sql<CallRow>(
    `select c.* from calls c
     where (c.workspace_id, c.call_id) in (select * from unnest($1::uuid[], $2::text[]))
     order by c.workspace_id, c.call_id for no key update`,
    keys,
  )
}

/** Writes back calls that the transaction has locked. */
export const updateCalls = (tx: Tx, rows: CallRow[]): Promise<unknown> =>
  tx.sql(
    `update calls c set started_at = u.started_at, ended_at = u.ended_at, answered = u.answered, missed_at = u.missed_at
     from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::boolean[], $6::timestamptz[])
       as u (workspace_id, call_id, started_at, ended_at, answered, missed_at)
     where c.workspace_id = u.workspace_id and c.call_id = u.call_id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      rows.map((row) => row.callId),
      instants(rows.map((row) => row.startedAt)),
      instants(rows.map((row) => row.endedAt)),
      rows.map((row) => row.answered),
      instants(rows.map((row) => row.missedAt)),
    ],
  )
