/** What the background work and the sandbox's clock ask about a workspace's deliveries: when the next falls due, and how many are under way. */
import type { Query } from '../../../core/context.ts'
import { alignRows } from '../../../core/due.ts'
import type { WorkSource } from '../../../core/work.ts'
import { keyWorksSql } from '../../workspaces/operations/access-rules.ts'

// A row that no claim would take must not be counted: time would stand still at it. Of each endpoint the first decides: whoever's
// key has expired by then may have none of the later ones.
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

/** When the workspace's next delivery falls due, in real time. */
export async function findNextDue(query: Query, workspaceId: string, now: Date): Promise<Date | undefined> {
  const [row] = await query<{ runAt: Date | null }>(NEXT_DUE, [workspaceId, now])
  return row?.runAt ?? undefined
}

/** How many of the workspace's deliveries are under way in any process. */
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
