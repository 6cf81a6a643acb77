/** Events and deliveries are kept 7 days of the workspace's time, then deleted in bounded lists (spec 6.1, 8.2). */
import { type Clock, HOUR_MS, later, MINUTE_MS } from '../../core/clock.ts'
import type { Database } from '../../core/context.ts'
import type { WorkSource } from '../../core/work.ts'
import { LOG_MS } from './delivery-log.ts'

const MOST_AT_ONCE = 5_000

const old = (table: string) => `
  delete from ${table} where ctid = any (array(
    select ctid from ${table} where created_at <= $1 limit ${MOST_AT_ONCE}))`

// Ids are in the order of creation, so a workspace's old rows are its first.
const oldIn = (table: string) => `
  delete from ${table} t using workspaces w
  where w.id = $2 and t.workspace_id = w.id
    and t.created_at <= $1::timestamptz + w.clock_offset_ms * interval '1 millisecond'
    and t.id in (select id from ${table} where workspace_id = $2 order by id limit ${MOST_AT_ONCE})`

const TABLES = ['deliveries', 'events'] as const

const OLDEST = `
select min(first.created_at) - w.clock_offset_ms * interval '1 millisecond' as created_at
from workspaces w cross join lateral (
  (select created_at from events where workspace_id = w.id order by id limit 1)
  union all
  (select created_at from deliveries where workspace_id = w.id order by id limit 1)
) first
where w.id = $1
group by w.clock_offset_ms`

/** Deletes what is older than the log. Whatever is not deleted yet is already hidden from the API. */
export function retentionSource(deps: { database: Pick<Database, 'query'>; clock: Clock }): WorkSource {
  const { database, clock } = deps

  const sweep = async (workspaceId: string | undefined): Promise<number> => {
    const before = later(clock.now(), -LOG_MS)
    let most = 0
    for (const table of TABLES) {
      const text = `with gone as (${workspaceId ? oldIn(table) : old(table)} returning 1) select count(*) as count from gone`
      const [row] = await database.query<{ count: number }>(
        text,
        workspaceId ? [before, workspaceId] : [before],
      )
      most = Math.max(most, row?.count ?? 0)
    }
    return most
  }

  const sandboxesAhead = () =>
    database.query<{ id: string }>('select id from workspaces where clock_offset_ms > 0')

  return {
    name: 'retention',
    pollMs: MINUTE_MS,
    async runDue({ workspaceId }) {
      let most = await sweep(workspaceId)
      if (!workspaceId) for (const { id } of await sandboxesAhead()) most = Math.max(most, await sweep(id))
      return most < MOST_AT_ONCE ? 0 : most
    },
    // By the hour, so that a sandbox's clock does not stop at every event on its way.
    async nextDue(query, workspaceId) {
      const [oldest] = await query<{ createdAt: Date }>(OLDEST, [workspaceId])
      if (!oldest) return undefined
      const due = oldest.createdAt.getTime() + LOG_MS
      return new Date(Math.ceil(due / HOUR_MS) * HOUR_MS)
    },
  }
}
