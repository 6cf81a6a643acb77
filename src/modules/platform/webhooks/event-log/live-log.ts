/**
 * The log for the dashboard's streams (docs/decisions/dashboard-pages.md): in the order of transactions, with
 * unsettled events early. Read with the platform's rights, for one workspace at a time; returns only ids.
 */
import type { Selectable } from 'kysely'
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Query } from '../../../../core/context.ts'
import { type EventKind, SCREEN_CHANGED, type Touched } from '../../../../core/event.ts'
import { idAt, timeOfId } from '../../../../core/ids.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

type StoredEvent = Selectable<Tables['events']>

/** A place in the log: a transaction, and one of its events. */
export type LivePlace = Pick<StoredEvent, 'writtenIn' | 'id'>

/** An event in the streams. `settled`: no event can appear before it any more. */
export type LiveEvent = LivePlace & { settled: boolean; touched: Record<string, readonly string[] | 'many'> }

type Row = LivePlace &
  Pick<StoredEvent, 'name' | 'data'> & { data: Record<string, unknown>; settled: boolean }

// Never reads the text of messages. Ids of events after a place may be older by up to the duration of a
// transaction.
const READ = `
select id, name, data::jsonb - 'content' as data, written_in, written_in < transaction_horizon() as settled
from events
where workspace_id = $1 and (written_in, id) > ($2::xid8, $3::uuid) and id > $4
order by written_in, id limit $5`

const SETTLED = `
select written_in, id from events
where workspace_id = $1 and written_in < transaction_horizon()
order by written_in desc, id desc limit 1`

const PLACE = 'select written_in, id from events where workspace_id = $1 and id = $2'

/** Longer than any transaction plus the clock difference between processes. */
const MAX_TRANSACTION_MS = 10 * MINUTE_MS
const BEGINNING: LivePlace = { writtenIn: '0', id: idAt(new Date(0)) }

const touchedIdsOf = (touchedIds: Touched): LiveEvent['touched'] =>
  Object.fromEntries(
    Object.entries(touchedIds).flatMap(([kind, ids]) =>
      ids ? [[kind, typeof ids === 'string' ? [ids] : ids] as const] : [],
    ),
  )

/** Reads the log for streams; `kinds` declare which ids their events touch. */
export function liveLog(query: Query, kinds: readonly EventKind[]) {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  const touchedBy = ({ name, data }: Row): LiveEvent['touched'] =>
    name === SCREEN_CHANGED
      ? (data.touched as LiveEvent['touched'])
      : touchedIdsOf(byName.get(name)?.touches(data as never) ?? {})
  return {
    /** Returns the current end of the log. */
    end: async (workspaceId: string): Promise<LivePlace> =>
      (await query<LivePlace>(SETTLED, [workspaceId]))[0] ?? BEGINNING,
    /** Returns the place of an event; undefined if the log does not have it (any more). */
    placeOf: async (workspaceId: string, id: string): Promise<LivePlace | undefined> =>
      id === BEGINNING.id ? BEGINNING : (await query<LivePlace>(PLACE, [workspaceId, id]))[0],
    /** Returns at most `limit` events after a place. */
    read: async (workspaceId: string, behind: LivePlace, limit: number): Promise<LiveEvent[]> => {
      const earliest = idAt(later(timeOfId(behind.id), -MAX_TRANSACTION_MS))
      const rows = await query<Row>(READ, [workspaceId, behind.writtenIn, behind.id, earliest, limit])
      return rows.map((row) => ({
        id: row.id,
        writtenIn: row.writtenIn,
        settled: row.settled,
        touched: touchedBy(row),
      }))
    },
  }
}
