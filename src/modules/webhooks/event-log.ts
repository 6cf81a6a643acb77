/** The workspace's event log of the last 7 days, for consumers that read instead of being called (RUNNING "Additions"). */
import type { Context } from '../../core/context.ts'
import { type CursorQuery, cutPage } from '../../core/paging.ts'
import { logStart } from './delivery-log.ts'
import { type EventRow, listEvents, listEventsAfter } from './queries.ts'
import { mayRead, rightsOf } from './rights.ts'
import type { EventCatalog } from './subscriptions.ts'

/**
 * A page of the events that the caller may read: the newest first, or with `after` the oldest first
 * from the event of that id on. `nextCursor` carries on in the same direction.
 */
export async function readEventLog(
  ctx: Context,
  catalog: EventCatalog,
  page: CursorQuery & { after?: string | undefined },
): Promise<{ rows: EventRow[]; nextCursor: string | null }> {
  const rights = rightsOf(ctx.actor)
  const names = [...catalog.values()].filter((kind) => mayRead(rights, kind)).map((kind) => kind.name)
  const from = logStart(ctx)
  const rows =
    page.after === undefined
      ? await listEvents(ctx, names, from, page)
      : await listEventsAfter(ctx, names, from, { limit: page.limit, after: page.cursor ?? page.after })
  return cutPage(rows, page.limit, (row) => row.id)
}
