/** SQL for messages that no person wrote. */

import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import { instants, uuids } from '../../../../database/sql/binary-arrays.ts'
import { plainList } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

export type ChatKey = { workspaceId: string; conversationId: string }
export type AutomaticTake = ChatKey & { messages: number; at: Date }

/**
 * The times of the row `m` that still count for messages at `n.sent_at[1]`: in the last minutes, and after
 * the last message of a person.
 */
const COUNTED = `array(
  select t from unnest(m.sent_at) t
  where t > excluded.sent_at[1] - $5::float8 * interval '1 millisecond'
    and t > coalesce((
      select a.person_answered_at from conversation_activity a
      where a.workspace_id = m.workspace_id and a.conversation_id = m.conversation_id), '-infinity'))`

/**
 * Counts messages in chats, each chat once in the list, if the total stays within `max`. Returns the chats
 * that had room.
 */
export const claimAutomatic = (
  tx: Tx,
  takes: AutomaticTake[],
  { max, withinMs }: { max: number; withinMs: number },
): Promise<Pick<Selectable<Tables['automaticMessages']>, 'conversationId'>[]> =>
  tx.sql(
    `insert into automatic_messages as m (workspace_id, conversation_id, sent_at)
     select n.workspace_id, n.conversation_id, array_fill(n.at, array[n.messages])
     from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::timestamptz[]) as n (workspace_id, conversation_id, messages, at)
     order by n.workspace_id, n.conversation_id
     on conflict (workspace_id, conversation_id) do update set sent_at = ${COUNTED} || excluded.sent_at
     where cardinality(${COUNTED}) + cardinality(excluded.sent_at) <= $6::int4
     returning conversation_id`,
    [
      uuids(takes.map((take) => take.workspaceId)),
      uuids(takes.map((take) => take.conversationId)),
      plainList(takes.map((take) => take.messages)),
      instants(takes.map((take) => take.at)),
      withinMs,
      max,
    ],
  )

/** Returns when a person of ours last wrote in each chat. */
export const listPersonAnswers = (
  tx: Tx,
  keys: ChatKey[],
): Promise<Pick<Selectable<Tables['conversationActivity']>, 'conversationId' | 'personAnsweredAt'>[]> =>
  tx.sql(
    `select a.conversation_id, a.person_answered_at
     from unnest($1::uuid[], $2::uuid[]) as k (workspace_id, conversation_id)
     cross join lateral (
       select * from conversation_activity c
       where c.workspace_id = k.workspace_id and c.conversation_id = k.conversation_id limit 1
     ) a`,
    [uuids(keys.map((key) => key.workspaceId)), uuids(keys.map((key) => key.conversationId))],
  )

/** Records that people handle these chats from now on. */
export const touchPersonAnswer = (
  { tx, workspace, now }: Context,
  conversationIds: string[],
): Promise<unknown> =>
  tx.sql(
    `update conversation_activity set person_answered_at = greatest(person_answered_at, $3)
     where workspace_id = $1 and conversation_id = any($2::uuid[])`,
    [workspace.id, uuids(conversationIds), now],
  )
