/**
 * SQL that reads the event log: by name, newest first, and in the order of transactions
 * (docs/decisions/event-log.md).
 */
import type { Selectable } from 'kysely'
import { later, MINUTE_MS } from '../../../../../core/clock.ts'
import type { Context } from '../../../../../core/context.ts'
import { idAt, timeOfId } from '../../../../../core/ids.ts'
import type { CursorQuery } from '../../../../../core/paging.ts'
import { db } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'

type StoredEvent = Selectable<Tables['events']>

export type EventRow = Pick<StoredEvent, 'id' | 'name' | 'data' | 'createdAt'> & {
  data: Record<string, unknown>
}

/** Lists the newest events of a name. */
export const listEventsNamed = (
  ctx: Context,
  name: string,
  limit: number,
  since: Date,
): Promise<EventRow[]> =>
  ctx.tx.all(
    db
      .selectFrom('events')
      .select(['id', 'name', 'data', 'createdAt'])
      .$narrowType<Pick<EventRow, 'data'>>()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('name', '=', name)
      .where('createdAt', '>', since)
      .orderBy('id', 'desc')
      .limit(limit),
  )

const LOGGED = `select id, name, data, created_at from events
  where workspace_id = $1 and name = any ($2::text[]) and created_at > $3`

/** Lists events of these names since `from`, newest first, with one row more than `limit`. */
export const listEvents = (
  ctx: Context,
  names: string[],
  from: Date,
  page: CursorQuery,
): Promise<EventRow[]> =>
  ctx.tx.sql<EventRow>(
    `${LOGGED} ${page.cursor === undefined ? '' : 'and id < $5'} order by id desc limit $4`,
    [ctx.workspace.id, names, from, page.limit + 1, ...(page.cursor === undefined ? [] : [page.cursor])],
  )

// One walk of events_name for each name, so that a rare event among millions is found immediately.
const NAMED = `
select e.id, e.name, e.data, e.created_at
from unnest($2::text[]) as wanted(name)
cross join lateral (
  select id, name, data, created_at from events
  where workspace_id = $1 and events.name = wanted.name and created_at > $3 and id < $5
  order by id desc limit $4
) e
order by e.id desc limit $4`
const BEHIND_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Does the same for a few names. */
export const listEventsOfNames: typeof listEvents = (ctx, names, from, page) =>
  ctx.tx.sql<EventRow>(NAMED, [ctx.workspace.id, names, from, page.limit + 1, page.cursor ?? BEHIND_ALL])

/** A place in the order of writing: the transaction, then the id of the event. */
export type EventPlace = Pick<StoredEvent, 'writtenIn' | 'id'>

// A transaction gets its number at its first write, so no event can appear any more before those of the
// oldest open transaction.
const SETTLED = `
select written_in, id from events
where workspace_id = $1 and written_in < transaction_horizon()
order by written_in desc, id desc limit 1`

/** Returns the last place before which no event can appear any more; undefined if there is none. */
export const findSettledPlace = async (ctx: Context): Promise<EventPlace | undefined> =>
  (await ctx.tx.sql<EventPlace>(SETTLED, [ctx.workspace.id]))[0]

const PLACE = `
select written_in, id from (
  (select 1 as rank, written_in, id from events where workspace_id = $1 and id = $2)
  union all
  (select 2, written_in, id from events where workspace_id = $1 and id < $3 order by id desc limit 1)
) near order by rank limit 1`
/** Longer than any transaction plus the clock difference between processes. */
const MAX_TRANSACTION_MS = 10 * MINUTE_MS
const BEGINNING: EventPlace = { writtenIn: '0', id: idAt(new Date(0)) }

/** Returns the place of an event; for an unknown id, a place before all events with later ids. */
export async function findPlace(ctx: Context, id: string): Promise<EventPlace> {
  const wellBefore = idAt(later(timeOfId(id), -MAX_TRANSACTION_MS))
  const [place] = await ctx.tx.sql<EventPlace>(PLACE, [ctx.workspace.id, id, wellBefore])
  return place ?? BEGINNING
}

/**
 * The maximum of events that one call reads, so that a page takes a bounded time even if readable events are
 * rare.
 */
export const MAX_EVENTS_READ = 10_000

const BETWEEN = `workspace_id = $1 and (written_in, id) > ($2::xid8, $3::uuid) and (written_in, id) <= ($4::xid8, $5::uuid)`
const stretchText = (condition: string) => `
select id, name, data, created_at from (
  select id, name, data, created_at, written_in from events
  where ${BETWEEN} order by written_in, id limit ${MAX_EVENTS_READ}
) e
where name = any ($6::text[]) and created_at > $7 ${condition}
order by written_in, id limit $8`
const STRETCH = stretchText('')
const STRETCH_LATER = stretchText('and id > $9')
const END_OF_STRETCH = `
select written_in, id from events where ${BETWEEN} order by written_in, id offset ${MAX_EVENTS_READ - 1} limit 1`

type Stretch = { limit: number; behind: EventPlace; upTo: EventPlace; laterThan: string | null }

const placesBetween = (ctx: Context, { behind, upTo }: Pick<Stretch, 'behind' | 'upTo'>) => [
  ctx.workspace.id,
  behind.writtenIn,
  behind.id,
  upTo.writtenIn,
  upTo.id,
]

/**
 * Lists events of these names among the first MAX_EVENTS_READ between two places, in order, with one row more
 * than `limit`.
 */
export function listEventsBetweenPlaces(
  ctx: Context,
  names: string[],
  from: Date,
  stretch: Stretch,
): Promise<EventRow[]> {
  const { limit, laterThan } = stretch
  const parameters = [...placesBetween(ctx, stretch), names, from, limit + 1]
  return laterThan === null
    ? ctx.tx.sql<EventRow>(STRETCH, parameters)
    : ctx.tx.sql<EventRow>(STRETCH_LATER, [...parameters, laterThan])
}

/**
 * Returns the place of the last of the first MAX_EVENTS_READ events after a place; undefined if there are
 * fewer.
 */
export const findEndOfStretch = async (
  ctx: Context,
  stretch: Pick<Stretch, 'behind' | 'upTo'>,
): Promise<EventPlace | undefined> =>
  (await ctx.tx.sql<EventPlace>(END_OF_STRETCH, placesBetween(ctx, stretch)))[0]
