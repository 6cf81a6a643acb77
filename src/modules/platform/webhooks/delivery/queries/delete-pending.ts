/**
 * SQL that deletes the pending deliveries of deleted endpoints, in bounded batches, so that a long backlog
 * blocks no other work.
 */
import type { Selectable } from 'kysely'
import type { Database } from '../../../../../core/context.ts'
import { isOfWorkspace } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import type { LogPartition } from '../../event-log/log-partitions.ts'

/** The source of background work that does this. */
export const DELETED_WEBHOOKS = 'deleted-webhooks'

export type DeletedEndpoint = Pick<Selectable<Tables['deletedWebhookEndpoints']>, 'workspaceId' | 'id'>
type Queries = Pick<Database, 'query'>

const columnsOf = (endpoints: DeletedEndpoint[]) => [
  endpoints.map((endpoint) => endpoint.workspaceId),
  endpoints.map((endpoint) => endpoint.id),
]

/** Lists deleted endpoints that may have pending deliveries, the first deleted first. */
export const listDeletedWithPending = (database: Queries, limit: number): Promise<DeletedEndpoint[]> =>
  database.query<DeletedEndpoint>(
    `select workspace_id, id from deleted_webhook_endpoints e where pending_until is not null and ${isOfWorkspace('e')}
     order by pending_until limit $1`,
    [limit],
  )

// Skips rows that another transaction is just settling.
const deleteText = (partition: LogPartition) => `
delete from ${partition} where ctid = any (array(
  select pending.row_at
  from unnest($1::uuid[], $2::uuid[]) as deleted(workspace_id, id)
  cross join lateral (
    select d.ctid as row_at from ${partition} d
    where d.workspace_id = deleted.workspace_id and d.endpoint_id = deleted.id and d.run_at is not null
    order by d.run_at, d.id limit $3::int for update skip locked
  ) pending
  limit $3::int))
returning 1`

/** Deletes at most `limit` pending deliveries of these endpoints from one partition; returns how many. */
export async function deletePending(
  database: Queries,
  partition: LogPartition,
  endpoints: DeletedEndpoint[],
  limit: number,
): Promise<number> {
  const rows = await database.query(deleteText(partition), [...columnsOf(endpoints), limit])
  return rows.length
}

const SETTLE = `
update deleted_webhook_endpoints e set pending_until = null
from unnest($1::uuid[], $2::uuid[]) as deleted(workspace_id, id)
where e.workspace_id = deleted.workspace_id and e.id = deleted.id and e.pending_until <= $3
  and not exists (
    select from deliveries d
    where d.workspace_id = e.workspace_id and d.endpoint_id = e.id and d.run_at is not null)`

/** Forgets endpoints without pending deliveries for which none can be added any more. */
export const settleDeleted = (
  database: Queries,
  endpoints: DeletedEndpoint[],
  now: Date,
): Promise<unknown[]> => database.query(SETTLE, [...columnsOf(endpoints), now])
