/** SQL for messages that no person wrote. */

import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import { instants, uuids } from '../../../../database/sql/binary-arrays.ts'
import { plainList } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

export type ChatKey = { workspaceId: string; conversationId: string }
type ClaimedChat = Pick<Selectable<Tables['automaticMessages']>, 'conversationId'>
export type AutomaticTake = ChatKey & { messages: number; at: Date }

/**
 * The times of the row `m` that still count for messages at `n.at`: in the last minutes, and after the last
 * message of a person.
 */
const COUNTED = `array(
  select t from unnest(m.sent_at) t
  where t > after_ms(n.at, -$5::float8)
    and t > coalesce((
      select a.person_answered_at from conversation_activity a
      where a.workspace_id = m.workspace_id and a.conversation_id = m.conversation_id), '-infinity'))`

/**
 * Counts messages in chats, each chat once in the list, if the total stays within `max`. Returns the chats
 * that had room.
 */
export async function claimAutomatic(
  tx: Tx,
  takes: AutomaticTake[],
  { max, withinMs }: { max: number; withinMs: number },
): Promise<ClaimedChat[]> {
  const columns = [
    uuids(takes.map((take) => take.workspaceId)),
    uuids(takes.map((take) => take.conversationId)),
    plainList(takes.map((take) => take.messages)),
    instants(takes.map((take) => take.at)),
  ]
  const rows = `(
    select * from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::timestamptz[]) as n (workspace_id, conversation_id, messages, at)
    order by workspace_id, conversation_id) n`
  const [, claimed] = await Promise.all([
    tx.sql(
      `insert into automatic_messages (workspace_id, conversation_id, sent_at)
       select workspace_id, conversation_id, '{}'
       from unnest($1::uuid[], $2::uuid[]) as n (workspace_id, conversation_id) order by workspace_id, conversation_id
       on conflict (workspace_id, conversation_id) do nothing`,
      columns.slice(0, 2),
    ),
    tx.sql<ClaimedChat>(
      `update automatic_messages m set sent_at = ${COUNTED} || array_fill(n.at, array[n.messages])
       from ${rows}
       where m.workspace_id = n.workspace_id and m.conversation_id = n.conversation_id
         and (m.sent_at = '{}' or cardinality(${COUNTED}) + n.messages <= $6::int4)
       returning m.conversation_id`,
      [...columns, withinMs, max],
    ),
  ])
  return claimed
}

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
