/** SQL of a replay: the events in the range, those that the endpoint lacks, and their new deliveries. */
import type { Selectable } from 'kysely'
import { HOUR_MS, later, MINUTE_MS, realTime } from '../../../../../core/clock.ts'
import type { Context } from '../../../../../core/context.ts'
import { idAt, newId } from '../../../../../core/ids.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'

export type LoggedName = Pick<Selectable<Tables['events']>, 'id' | 'name'>

export type ReplayPage = { names: string[]; from: Date; to: Date; after: string | undefined; limit: number }

// One walk of events_name for each name, so that a rare event among millions is found immediately.
const PAGE = `
select e.id, e.name
from unnest($2::text[]) as listened(name)
cross join lateral (
  select id, name from events
  where workspace_id = $1 and events.name = listened.name and id > $3 and id < $4
    and created_at >= $5 and created_at < $6
  order by id limit $7
) e
order by e.id limit $7`

/**
 * Lists events of these names from `from` until before `to`, oldest first, with one row more than `limit`.
 */
export function listEventsBetween(ctx: Context, page: ReplayPage): Promise<LoggedName[]> {
  // An id contains the real time of its creation: at the earliest, the event's time minus the total clock
  // offset.
  const earliest = idAt(later(realTime(page.from, ctx.workspace), -MINUTE_MS))
  const start = page.after !== undefined && page.after > earliest ? page.after : earliest
  return ctx.tx.sql<LoggedName>(PAGE, [
    ctx.workspace.id,
    page.names,
    start,
    idAt(later(page.to, HOUR_MS)),
    page.from,
    page.to,
    page.limit + 1,
  ])
}

// A first delivery's id begins like its event's (record-events.ts); the index deliveries_again finds all
// others.
const LACKING = `
select e.id from unnest($3::uuid[]) as e(id)
where not exists (
  select from deliveries d
  where d.workspace_id = $1 and d.endpoint_id = $2 and d.event_id = e.id
    and d.id >= (left(e.id::text, 26) || '0000000000')::uuid and d.id <= (left(e.id::text, 26) || 'ffffffffff')::uuid
    and d.status in ('succeeded', 'pending')
) and not exists (
  select from deliveries d
  where d.workspace_id = $1 and d.endpoint_id = $2 and d.event_id = e.id
    and (d.attempt > 1 or d.manual or d.replayed) and d.status in ('succeeded', 'pending')
)`

/** Returns those of the events that the endpoint did not receive and for which no delivery waits. */
export async function listLacking(
  ctx: Context,
  endpointId: string,
  eventIds: string[],
): Promise<Set<string>> {
  const rows = await ctx.tx.sql<Pick<LoggedName, 'id'>>(LACKING, [ctx.workspace.id, endpointId, eventIds])
  return new Set(rows.map((row) => row.id))
}

/** Inserts a delivery for each event, due immediately, in order. */
export async function insertReplays(ctx: Context, endpointId: string, events: LoggedName[]): Promise<void> {
  await ctx.tx.sql(
    `insert into deliveries (workspace_id, id, endpoint_id, event_id, event, replayed, created_at, due_at, run_at)
     select $1, e.id, $2, e.event_id, e.event, true, $6, $6, $7
     from unnest($3::uuid[], $4::uuid[], $5::text[]) as e(id, event_id, event)`,
    [
      ctx.workspace.id,
      endpointId,
      events.map(() => newId()),
      events.map((event) => event.id),
      events.map((event) => event.name),
      ctx.now,
      realTime(ctx.now, ctx.workspace),
    ],
  )
}
