/**
 * The log as the streams of the dashboard follow it (docs/decisions/live-stream.md): in the order of transactions, with what is
 * not settled yet ahead. It is read as the platform, for one workspace at a time, and gives ids alone.
 */
import { later, MINUTE_MS } from '../../../core/clock.ts'
import type { Query } from '../../../core/context.ts'
import { type EventKind, SCREEN_CHANGED, type Touched } from '../../../core/event.ts'
import { idAt, timeOfId } from '../../../core/ids.ts'

/** A place in the log: a transaction, and an event of it. */
export type LivePlace = { writtenIn: string; id: string }

/** An event as streams see it. `settled`: nothing can appear before it any more. */
export type LiveEvent = LivePlace & { settled: boolean; touched: Record<string, readonly string[] | 'many'> }

type Row = LivePlace & { name: string; data: Record<string, unknown>; settled: boolean }

// The text of a message is never looked at. Ids of what comes behind a place may be older by as long as a transaction takes.
const READ = `
select id, name, data::jsonb - 'content' as data, written_in, written_in < pg_snapshot_xmin(pg_current_snapshot()) as settled
from events
where workspace_id = $1 and (written_in, id) > ($2::xid8, $3::uuid) and id > $4
order by written_in, id limit $5`

const SETTLED = `
select written_in, id from events
where workspace_id = $1 and written_in < pg_snapshot_xmin(pg_current_snapshot())
order by written_in desc, id desc limit 1`

const PLACE = 'select written_in, id from events where workspace_id = $1 and id = $2'

/** Longer than a transaction may take, and the clocks of our processes differ. */
const MAX_TRANSACTION_MS = 10 * MINUTE_MS
const BEGINNING: LivePlace = { writtenIn: '0', id: idAt(new Date(0)) }

const listed = (touched: Touched): LiveEvent['touched'] =>
  Object.fromEntries(
    Object.entries(touched).flatMap(([kind, ids]) =>
      ids ? [[kind, typeof ids === 'string' ? [ids] : ids] as const] : [],
    ),
  )

/** Reads the log for streams; `kinds` say what their events touch. */
export function liveLog(query: Query, kinds: readonly EventKind[]) {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  const touchedBy = ({ name, data }: Row): LiveEvent['touched'] =>
    name === SCREEN_CHANGED
      ? (data.touched as LiveEvent['touched'])
      : listed(byName.get(name)?.touches(data as never) ?? {})
  return {
    /** Where the log ends for now. */
    end: async (workspaceId: string): Promise<LivePlace> =>
      (await query<LivePlace>(SETTLED, [workspaceId]))[0] ?? BEGINNING,
    /** Where an event stands; undefined when the log does not have it (any more). */
    placeOf: async (workspaceId: string, id: string): Promise<LivePlace | undefined> =>
      id === BEGINNING.id ? BEGINNING : (await query<LivePlace>(PLACE, [workspaceId, id]))[0],
    /** What came behind a place, at most `limit`. */
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
