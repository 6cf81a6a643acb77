/** Statements on the search words of messages (src/modules/reporting/search/DECISIONS.md). */

import type { Selectable } from 'kysely'
import type { Context, Query, Tx } from '../../../../../core/context.ts'
import { uuids } from '../../../../../database/sql/binary-arrays.ts'
import { MANY_ROWS } from '../../../../../database/sql/costly-reads.ts'
import { db } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import type { MessageRow } from '../../message-rows.ts'

type WordWalk = Selectable<Tables['messageWordWalks']>

/** Smaller than all ids: the start of a walk. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Lists workspaces with unindexed messages, the longest wait first; `settled`: no message with an earlier id
 * can appear any more.
 */
export const listDueWordWalks = (
  query: Query,
  settled: string,
  limit: number,
): Promise<(Pick<WordWalk, 'workspaceId'> & Pick<Selectable<Tables['workspaces']>, 'messageDays'>)[]> =>
  query(
    `select w.id as workspace_id, w.message_days
     from workspaces w left join message_word_walks k on k.workspace_id = w.id
     cross join lateral (select (
       select m.id from messages m where m.workspace_id = w.id and m.id > coalesce(k.read_to, $3::uuid)
       order by m.id limit 1) as id) next
     where w.paused_at is null and (next.id is not null or k.checked_to < least(k.read_to, $1::uuid))
     order by k.walked_at nulls first, w.id limit $2`,
    [settled, limit, FIRST_ID],
  )

/** Locks and returns the walk of a workspace, unless another process works on it. */
export const claimWordWalk = async ({
  tx,
  workspace,
  now,
}: Context): Promise<Pick<WordWalk, 'readTo' | 'checkedTo'> | undefined> => {
  await tx.run(
    db
      .insertInto('messageWordWalks')
      .values({ workspaceId: workspace.id, readTo: FIRST_ID, checkedTo: FIRST_ID, walkedAt: now })
      .onConflict((conflict) => conflict.doNothing()),
  )
  return tx.first(
    db
      .selectFrom('messageWordWalks')
      .select(['readTo', 'checkedTo'])
      .where('workspaceId', '=', workspace.id)
      .forUpdate()
      .skipLocked(),
  )
}

export const updateWordWalk = (
  { tx, workspace }: Context,
  { readTo, checkedTo, walkedAt }: Omit<WordWalk, 'workspaceId'>,
): Promise<unknown> =>
  tx.run(
    db
      .updateTable('messageWordWalks')
      .set({ readTo, checkedTo, walkedAt })
      .where('workspaceId', '=', workspace.id),
  )

export type WordedMessage = Pick<MessageRow, 'id' | 'type' | 'content' | 'templateText' | 'createdAt'>

/** Lists messages with ids after `after`, the earliest first. */
export const listMessagesToRead = (
  { tx, workspace }: Context,
  after: string,
  limit: number,
): Promise<WordedMessage[]> =>
  tx.sql(
    `select id, type, content, template_text, created_at from messages
     where workspace_id = $1 and id > $2 order by workspace_id, id limit $3`,
    [workspace.id, after, limit],
  )

/** Lists the next `limit` messages between two ids; those without words are read again. */
export const listMessagesToCheck = (
  { tx, workspace }: Context,
  { after, upTo }: { after: string; upTo: string },
  limit: number,
): Promise<(WordedMessage & { known: boolean })[]> =>
  tx.sql(
    `select m.id, m.type, case when k.id is null then m.content else '{}' end as content, m.template_text, m.created_at,
            k.id is not null as known
     from (select * from messages where workspace_id = $1 and id > $2 and id <= $3 order by workspace_id, id limit $4) m
     left join message_words k on k.workspace_id = $1 and k.id = m.id
     order by m.id`,
    [workspace.id, after, upTo, limit],
  )

/** Adds the words of messages; `words` are separated by spaces. */
export const insertMessageWords = (
  { tx, workspace }: Context,
  rows: { id: string; words: string }[],
): Promise<unknown> =>
  tx.sql(
    `insert into message_words (workspace_id, id, words)
     select $1, u.id, array_to_tsvector(string_to_array(u.words, ' ')) from unnest($2::uuid[], $3::text[]) as u (id, words)
     order by u.id
     on conflict do nothing`,
    [workspace.id, uuids(rows.map((row) => row.id)), rows.map((row) => row.words)],
  )

/**
 * Writes the words of edited or revoked messages, indexed before or not. A revoked message keeps a row
 * without words, so that a concurrent reader of its old text adds nothing.
 */
export const updateMessageWords = (
  tx: Tx,
  rows: { workspaceId: string; id: string; words: string }[],
): Promise<unknown> =>
  tx.sql(
    `insert into message_words (workspace_id, id, words)
     select u.workspace_id, u.id, array_to_tsvector(string_to_array(u.words, ' '))
     from unnest($1::uuid[], $2::uuid[], $3::text[]) as u (workspace_id, id, words)
     order by u.workspace_id, u.id
     on conflict (workspace_id, id) do update set words = excluded.words`,
    [rows.map((row) => row.workspaceId), rows.map((row) => row.id), rows.map((row) => row.words)],
  )

/** Returns whether the workspace has too many messages for a fast walk. */
export const hasManyWords = async ({ tx, workspace }: Context): Promise<boolean> =>
  (
    await tx.sql('select 1 from message_words where workspace_id = $1 order by id offset $2 limit 1', [
      workspace.id,
      MANY_ROWS,
    ])
  ).length > 0

/** Returns the newest messages that contain all the words. */
export const searchMessageRows = (
  { tx, workspace }: Context,
  tsquery: string,
  limit: number,
): Promise<(WordedMessage & Pick<MessageRow, 'conversationId' | 'contactId'>)[]> =>
  tx.sql(
    `select m.id, m.conversation_id, m.contact_id, m.type, m.content, m.template_text, m.created_at
     from (select search_message_words($1, $2, $3) as id) found cross join lateral (
       select * from messages where messages.workspace_id = $1 and messages.id = found.id limit 1) m
     order by m.id desc`,
    [workspace.id, tsquery, limit],
  )
