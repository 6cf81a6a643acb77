/** The workspace's event log of the last 7 days, for consumers that read instead of being called (docs/running.md "Additions"). */
import type { Context } from '../../../core/context.ts'
import { type CursorQuery, cutPage } from '../../../core/paging.ts'
import { logStart } from '../delivery/delivery-log.ts'
import { rightsOf } from '../registration/rights.ts'
import { type EventCatalog, readableEvents, subscriptionOf } from '../registration/subscriptions.ts'
import {
  type EventPlace,
  type EventRow,
  findEndOfStretch,
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

type Page = { rows: EventRow[]; nextCursor: string | null; resumeAfter: string | null }

/**
 * A page of the events that the caller may read, or of the named ones: the newest first, or with `after` behind the event of
 * that id in the order in which they were written. `nextCursor` carries on in the same direction;
 * `resumeAfter` is the event behind which a consumer goes on and misses none (null: there is none yet).
 */
export async function readEventLog(
  ctx: Context,
  catalog: EventCatalog,
  page: CursorQuery & { after?: string | undefined; events?: string[] | undefined },
): Promise<Page> {
  const names = namesOf(ctx, catalog, page.events)
  // Before the rows: what is settled now is there to be read a moment later.
  const settled = await findSettledPlace(ctx)
  if (page.after !== undefined)
    return settled
      ? readBehind(ctx, names, settled, { ...page, after: page.after })
      : { rows: [], nextCursor: null, resumeAfter: page.cursor ?? page.after }
  // What is rare among the others is found name by name; who reads every event meets them all in one walk.
  const list = names.length === catalog.size ? listEvents : listEventsOfNames
  const rows = await list(ctx, names, logStart(ctx), page)
  return { ...cutPage(rows, page.limit, (row) => row.id), resumeAfter: settled?.id ?? null }
}

/** A page looks at a bounded stretch of the log: where that ended the next one begins, though this one may be short or empty. */
async function readBehind(
  ctx: Context,
  names: string[],
  settled: EventPlace,
  page: CursorQuery & { after: string },
): Promise<Page> {
  const after = await findPlace(ctx, page.after)
  const behind = page.cursor === undefined ? after : await findPlace(ctx, page.cursor)
  const laterThan = after.id === page.after ? null : page.after
  const stretch = { limit: page.limit, behind, upTo: settled, laterThan }
  const found = await listEventsBetweenPlaces(ctx, names, logStart(ctx), stretch)
  const { rows, nextCursor } = cutPage(found, page.limit, (row) => row.id)
  const next = nextCursor ?? (await findEndOfStretch(ctx, stretch))?.id ?? null
  return { rows, nextCursor: next, resumeAfter: next ?? settled.id }
}
