/** Statements on the results of bots' requests. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

export type RequestRow = Selectable<Tables['botRequests']>

/** The number of latest requests that each bot keeps. */
const KEPT = 200

/** Inserts the result of a request of a bot that exists, and deletes results beyond the latest ones. */
export async function insertRequest(
  { tx, workspace, now }: Context,
  row: Omit<RequestRow, 'workspaceId' | 'id' | 'createdAt'>,
): Promise<void> {
  await tx.sql(
    `insert into bot_requests (workspace_id, id, bot_id, version, node, conversation_id, method, origin, attempts, status,
       duration_ms, error, created_at)
     select b.workspace_id, $2::uuid, b.id, $4::int4, $5::text, $6::uuid, $7::text, $8::text, $9::int4, $10::int4, $11::int4,
       $12::text, $13::timestamptz
     from bots b where b.workspace_id = $1 and b.id = $3`,
    [
      workspace.id,
      newId(),
      row.botId,
      row.version,
      row.node,
      row.conversationId,
      row.method,
      row.origin,
      row.attempts,
      row.status,
      row.durationMs,
      row.error,
      now,
    ],
  )
  await tx.sql(
    `delete from bot_requests where workspace_id = $1 and bot_id = $2 and id <= (
       select id from bot_requests where workspace_id = $1 and bot_id = $2 order by id desc offset $3 limit 1)`,
    [workspace.id, row.botId, KEPT],
  )
}

/** Lists a bot's requests, newest first: one row more than the limit, to show whether there is a next page. */
export const listRequestRows = (
  { tx, workspace }: Context,
  botId: string,
  { cursor, limit }: CursorQuery,
): Promise<RequestRow[]> =>
  tx.all(
    db
      .selectFrom('botRequests')
      .selectAll()
      .where('workspaceId', '=', workspace.id)
      .where('botId', '=', botId)
      .$if(cursor !== undefined, (query) => query.where('id', '<', cursor!))
      .orderBy('id', 'desc')
      .limit(limit + 1),
  )
