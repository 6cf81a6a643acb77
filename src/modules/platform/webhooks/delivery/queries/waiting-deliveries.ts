/**
 * Queries on a workspace's deliveries for background work and the sandbox's clock: when the next is due, and
 * how many are under way.
 */
import type { Selectable } from 'kysely'
import type { Query } from '../../../../../core/context.ts'
import type { WorkSource } from '../../../../../core/work.ts'
import { alignRows } from '../../../../../database/sql/due-statements.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import { keyWorksSql } from '../../../workspaces/operations/access-rules.ts'

// Rows that no claim would take are not counted, because the sandbox's time would stop at them. Each
// endpoint's first row decides: if its key has expired by then, its later rows are not claimed either.
const NEXT_DUE = `
select min(first.run_at) as run_at
from webhook_endpoints p
join workspaces s on s.id = p.workspace_id
left join api_keys k on k.workspace_id = p.workspace_id and k.id = p.key_id
cross join lateral (
  select d.run_at, d.run_offset_ms from deliveries d
  where d.workspace_id = $1 and d.endpoint_id = p.id and d.run_at is not null and (d.leased_until is null or d.leased_until <= $2)
  order by d.workspace_id, d.endpoint_id, d.run_at, d.id limit 1
) first
where p.workspace_id = $1 and p.active and (p.key_id is null or ${keyWorksSql(
  'k',
  `greatest(first.run_at + coalesce(first.run_offset_ms, 0) * interval '1 millisecond',
            $2::timestamptz + s.clock_offset_ms * interval '1 millisecond')`,
)})`

/** Returns when the workspace's next delivery is due, in real time. */
export async function findNextDue(query: Query, workspaceId: string, now: Date): Promise<Date | undefined> {
  const [row] = await query<Pick<Selectable<Tables['deliveries']>, 'runAt'>>(NEXT_DUE, [workspaceId, now])
  return row?.runAt ?? undefined
}

/** Returns how many of the workspace's deliveries are under way in all processes. */
export async function countLeased(
  query: Query,
  workspaceId: string,
  { now, by }: { now: Date; by: Date },
): Promise<number> {
  const [row] = await query<{ leased: number }>(
    'select count(*) as leased from deliveries where workspace_id = $1 and run_at <= $3 and leased_until > $2',
    [workspaceId, now, by],
  )
  return row?.leased ?? 0
}

export const alignDeliveries: NonNullable<WorkSource['align']> = (query, workspaceId, to) =>
  alignRows(query, { table: 'deliveries', waiting: 't.run_at is not null' }, workspaceId, to)
