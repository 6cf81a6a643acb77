/** Statements on notes of the past. */
import type { Context } from '../../../../core/context.ts'
import { instants, texts, uuids } from '../../../../database/sql/binary-arrays.ts'
import type { ConversationRow, NoteRow } from './conversations.ts'

/** Returns the chats of contacts on a number, by contact, and prevents their erasure. */
export async function listChatsOfContacts(
  { tx, workspace }: Context,
  phoneNumberId: string,
  contactIds: string[],
): Promise<Map<string, string>> {
  const rows = await tx.sql<Pick<ConversationRow, 'id' | 'contactId'>>(
    `select c.id, c.contact_id from (select distinct id from unnest($3::uuid[]) as w (id) order by id) w cross join lateral (
       select id, contact_id from conversations
       where workspace_id = $1 and phone_number_id = $2 and contact_id = w.id limit 1 for key share) c`,
    [workspace.id, phoneNumberId, uuids(contactIds)],
  )
  return new Map(rows.map(({ id, contactId }) => [contactId, id]))
}

/** Inserts notes; known notes stay. */
export const insertPastNotes = (
  { tx, workspace }: Context,
  rows: Omit<NoteRow, 'workspaceId'>[],
): Promise<unknown> =>
  tx.sql(
    `insert into conversation_notes (workspace_id, id, conversation_id, author_name, body, created_at)
     select $1, * from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[])
     on conflict (workspace_id, id) do nothing`,
    [
      workspace.id,
      uuids(rows.map((row) => row.id)),
      uuids(rows.map((row) => row.conversationId)),
      texts(rows.map((row) => row.authorName)),
      texts(rows.map((row) => row.body)),
      instants(rows.map((row) => row.createdAt)),
    ],
  )
