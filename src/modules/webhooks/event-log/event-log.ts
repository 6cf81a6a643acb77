/** The workspace's event log of the last 7 days, for consumers that read instead of being called (docs/running.md "Additions"). */
import type { Context } from '../../../core/context.ts'
import { type CursorQuery, cutPage } from '../../../core/paging.ts'
import { logStart } from '../delivery/delivery-log.ts'
import { rightsOf } from '../registration/rights.ts'
import { type EventCatalog, readableEvents, subscriptionOf } from '../registration/subscriptions.ts'
import {
  type EventRow,
  findPlace,
  findSettledPlace,
  listEvents,
  listEventsBetweenPlaces,
  listEventsOfNames,
} from './event-queries.ts'

/** The events to show: what the caller may read, or the named ones of those. */
function namesOf(ctx: Context, catalog: EventCatalog, named: string[] | undefined): string[] {
  const rights = rightsOf(ctx.actor)
  if (named !== undefined) return subscriptionOf(catalog, rights, { events: named }) ?? []
  return readableEvents(catalog, rights)
}

/**
 * A page of the events that the caller may read, or of the named ones: the newest first, or with `after` behind the event of
 * that id in the order in which they were written. `nextCursor` carries on in the same direction;
 * `resumeAfter` is the event behind which a consumer goes on and misses none (null: there is none yet).
 */
export async function readEventLog(
  ctx: Context,
  catalog: EventCatalog,
  page: CursorQuery & { after?: string | undefined; events?: string[] | undefined },
): Promise<{ rows: EventRow[]; nextCursor: string | null; resumeAfter: string | null }> {
  const names = namesOf(ctx, catalog, page.events)
  const from = logStart(ctx)
  // Before the rows: what is settled now is there to be read a moment later.
  const settled = await findSettledPlace(ctx)
  if (page.after === undefined) {
    const list = page.events === undefined ? listEvents : listEventsOfNames
    const rows = await list(ctx, names, from, page)
    return { ...cutPage(rows, page.limit, (row) => row.id), resumeAfter: settled?.id ?? null }
  }
  const after = page.cursor ?? page.after
  if (!settled) return { rows: [], nextCursor: null, resumeAfter: after }
  const behind = await findPlace(ctx, after)
  const found = await listEventsBetweenPlaces(ctx, names, from, {
    limit: page.limit,
    behind,
    upTo: settled,
    laterThan: behind.id === after ? null : after,
  })
  const { rows, nextCursor } = cutPage(found, page.limit, (row) => row.id)
  return { rows, nextCursor, resumeAfter: nextCursor ?? settled.id }
}
