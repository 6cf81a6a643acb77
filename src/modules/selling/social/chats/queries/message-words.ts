/** Statements on the search words of direct messages (src/modules/reporting/search/DECISIONS.md). */
import type { Selectable } from 'kysely'
import type { Context, Query } from '../../../../../core/context.ts'
import { uuids } from '../../../../../database/sql/binary-arrays.ts'
import { MANY_ROWS } from '../../../../../database/sql/costly-reads.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import type { MessageRow } from './messages.ts'

/** Lists workspaces with unindexed messages, the longest wait first. */
export const listUnindexedWorkspaces = async (query: Query, limit: number): Promise<string[]> =>
  (
    await query<Pick<Selectable<Tables['workspaces']>, 'id'>>(
      `select w.id from workspaces w
       cross join lateral (
         select m.id from social_messages m where m.workspace_id = w.id and not m.indexed
         order by m.workspace_id, m.id limit 1) next
       where w.paused_at is null order by next.id limit $1`,
      [limit],
    )
  ).map((row) => row.id)

type UnindexedMessage = Pick<MessageRow, 'id' | 'content'>

/** Locks and lists unindexed messages, the earliest first, without those that another process works on. */
export const claimUnindexed = ({ tx, workspace }: Context, limit: number): Promise<UnindexedMessage[]> =>
  tx.sql(
    `select id, content from social_messages where workspace_id = $1 and not indexed
     order by workspace_id, id limit $2 for update skip locked`,
    [workspace.id, limit],
  )

/** Writes the words of locked messages, separated by spaces, over those that they have. */
export const putMessageWords = async (
  { tx, workspace }: Context,
  rows: { id: string; words: string }[],
): Promise<void> => {
  const ids = uuids(rows.map((row) => row.id))
  await tx.sql(
    `insert into social_message_words (workspace_id, id, words)
     select $1, u.id, array_to_tsvector(string_to_array(u.words, ' ')) from unnest($2::uuid[], $3::text[]) as u (id, words)
     order by u.id
     on conflict (workspace_id, id) do update set words = excluded.words`,
    [workspace.id, ids, rows.map((row) => row.words)],
  )
  await tx.sql('update social_messages set indexed = true where workspace_id = $1 and id = any($2::uuid[])', [
    workspace.id,
    ids,
  ])
}

/** Returns whether the workspace has too many direct messages for a fast walk. */
export const hasManyDirectWords = async ({ tx, workspace }: Context): Promise<boolean> =>
  (
    await tx.sql('select 1 from social_message_words where workspace_id = $1 order by id offset $2 limit 1', [
      workspace.id,
      MANY_ROWS,
    ])
  ).length > 0

type FoundRow = Pick<MessageRow, 'id' | 'conversationId' | 'content' | 'createdAt'> &
  Pick<Selectable<Tables['socialConversations']>, 'contactId'>

/** Returns the newest direct messages that contain all the words; without those whose text has changed since. */
export const searchDirectRows = (
  { tx, workspace }: Context,
  tsquery: string,
  limit: number,
): Promise<FoundRow[]> =>
  tx.sql(
    `select m.id, m.conversation_id, m.content, m.created_at, c.contact_id
     from (select search_social_message_words($1, $2, $3) as id) found
     cross join lateral (
       select * from social_messages
       where social_messages.workspace_id = $1 and social_messages.id = found.id and social_messages.indexed
         and social_messages.deleted_at is null limit 1
     ) m
     cross join lateral (
       select contact_id from social_conversations
       where social_conversations.workspace_id = $1 and social_conversations.id = m.conversation_id limit 1
     ) c
     order by m.id desc`,
    [workspace.id, tsquery, limit],
  )
