/** Statements on the conversations of past messages. */
import type { Context } from '../../../../core/context.ts'
import { instants, uuids } from '../../../../database/sql/binary-arrays.ts'

/** The past messages of a chat: the id and the time of the latest, and when the customer last wrote. */
export type PastChat = {
  contactId: string
  phoneNumberId: string
  firstAt: Date
  latestId: string
  latestAt: Date
  inboundAt: Date | null
}

/** Inserts missing conversations, which are resolved. The transaction has locked their contacts. */
export async function insertPastConversations(
  { tx, workspace, now }: Context,
  rows: (PastChat & { id: string })[],
): Promise<void> {
  const ids = uuids(rows.map((row) => row.id))
  await Promise.all([
    tx.sql(
      `insert into conversations (workspace_id, contact_id, phone_number_id, id, state, created_at, updated_at)
       select $1, r.contact_id, r.phone_number_id, r.id, 'resolved', r.created_at, $6
       from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[]) as r (contact_id, phone_number_id, id, created_at)
       order by r.contact_id, r.phone_number_id
       on conflict (workspace_id, contact_id, phone_number_id) do nothing`,
      [
        workspace.id,
        uuids(rows.map((row) => row.contactId)),
        uuids(rows.map((row) => row.phoneNumberId)),
        ids,
        instants(rows.map((row) => row.firstAt)),
        now,
      ],
    ),
    // Only the new conversations have these ids.
    tx.sql(
      `insert into conversation_activity (workspace_id, conversation_id, activity_id)
       select c.workspace_id, c.id, r.latest_id from unnest($2::uuid[], $3::uuid[]) as r (id, latest_id)
       join conversations c on c.workspace_id = $1 and c.id = r.id`,
      [workspace.id, ids, uuids(rows.map((row) => row.latestId))],
    ),
  ])
}

/**
 * Raises the latest message, the customer's latest message, and the end of the window of conversations that the transaction has
 * locked. A window that is over by now stays as it is.
 */
export async function updatePastConversations(
  { tx, workspace, now }: Context,
  rows: (PastChat & { id: string; windowEnd: Date | null })[],
): Promise<void> {
  const ids = uuids(rows.map((row) => row.id))
  const withInbound = rows.filter((row) => row.inboundAt !== null)
  await Promise.all([
    tx.sql(
      `update conversation_activity a
       set activity_id = greatest(a.activity_id, n.latest_id), last_message_at = greatest(a.last_message_at, n.latest_at)
       from unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) as n (id, latest_id, latest_at)
       where a.workspace_id = $1 and a.conversation_id = n.id`,
      [workspace.id, ids, uuids(rows.map((row) => row.latestId)), instants(rows.map((row) => row.latestAt))],
    ),
    withInbound.length > 0 &&
      tx.sql(
        `update conversations c
         set last_inbound_at = greatest(c.last_inbound_at, n.inbound_at),
             window_expires_at = greatest(c.window_expires_at, n.window_end), updated_at = $5
         from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[]) as n (id, inbound_at, window_end)
         where c.workspace_id = $1 and c.id = n.id and (c.last_inbound_at is null or c.last_inbound_at < n.inbound_at)`,
        [
          workspace.id,
          uuids(withInbound.map((row) => row.id)),
          instants(withInbound.map((row) => row.inboundAt)),
          instants(withInbound.map((row) => row.windowEnd)),
          now,
        ],
      ),
  ])
}
