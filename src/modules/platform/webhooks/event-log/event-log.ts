/**
 * The workspace's event log of the last 7 days, for consumers that read instead of receiving webhooks
 * (docs/running.md "Additions").
 */
import type { Context } from '../../../../core/context.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { logStart } from '../delivery/queries/delivery-log.ts'
import { rightsOf } from '../registration/rights.ts'
import { catalogOf, readableEvents, subscriptionOf } from '../registration/subscriptions.ts'
import {
  type EventPlace,
  type EventRow,
  findEndOfStretch,
  findPlace,
  findSettledPlace,
  listEvents,
  listEventsBetweenPlaces,
  listEventsOfNames,
} from './queries/events.ts'

/** Returns the names of the events to show: all that the caller may read, or the requested ones of them. */
function namesOf(ctx: Context, requestedNames: string[] | undefined): string[] {
  const catalog = catalogOf(ctx.eventKinds)
  const rights = rightsOf(ctx.actor)
  if (requestedNames !== undefined) return subscriptionOf(catalog, rights, { events: requestedNames }) ?? []
  return readableEvents(catalog, rights)
}

type Page = { rows: EventRow[]; nextCursor: string | null; resumeAfter: string | null }

/**
 * Returns a page of events that the caller may read: newest first, or with `after` the events after that id
 * in the order of writing. `nextCursor` continues in the same direction; with `resumeAfter` a consumer misses
 * no event (null: there is none yet).
 */
export async function readEventLog(
  ctx: Context,
  page: CursorQuery & { after?: string | undefined; events?: string[] | undefined },
): Promise<Page> {
  const names = namesOf(ctx, page.events)
  // Read before the rows: all events that are settled now are visible to the next query.
  const settledPlace = await findSettledPlace(ctx)
  if (page.after !== undefined)
    return settledPlace
      ? readBehind(ctx, names, settledPlace, { ...page, after: page.after })
      : { rows: [], nextCursor: null, resumeAfter: page.cursor ?? page.after }
  // Rare events are found name by name; a caller who reads all events needs only one walk.
  const list = names.length === ctx.eventKinds.length ? listEvents : listEventsOfNames
  const rows = await list(ctx, names, logStart(ctx), page)
  return { ...cutPage(rows, page.limit, (row) => row.id), resumeAfter: settledPlace?.id ?? null }
}

/** Reads a bounded range of the log. The next page starts at its end, even if this page is short or empty. */
async function readBehind(
  ctx: Context,
  names: string[],
  settledPlace: EventPlace,
  page: CursorQuery & { after: string },
): Promise<Page> {
  const after = await findPlace(ctx, page.after)
  const behind = page.cursor === undefined ? after : await findPlace(ctx, page.cursor)
  const laterThan = after.id === page.after ? null : page.after
  const stretch = { limit: page.limit, behind, upTo: settledPlace, laterThan }
  const found = await listEventsBetweenPlaces(ctx, names, logStart(ctx), stretch)
  const { rows, nextCursor } = cutPage(found, page.limit, (row) => row.id)
  const next = nextCursor ?? (await findEndOfStretch(ctx, stretch))?.id ?? null
  return { rows, nextCursor: next, resumeAfter: next ?? settledPlace.id }
}
