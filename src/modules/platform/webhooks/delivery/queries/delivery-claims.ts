/**
 * Claims due deliveries. The scan goes from endpoint to endpoint through the index of pending rows and takes
 * a bounded number of each, oldest first, so that the backlog of an endpoint, or the waiting rows of a paused
 * one, never hide another's.
 */
import type { Selectable } from 'kysely'
import { later } from '../../../../../core/clock.ts'
import type { Database } from '../../../../../core/context.ts'
import type { DueMoment } from '../../../../../core/due.ts'
import { isDue } from '../../../../../database/sql/due-statements.ts'
import { isFound } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import { hasApiSql, keyWorksSql } from '../../../workspaces/operations/access-rules.ts'
import { inEachPartition, type LogPartition } from '../../event-log/log-partitions.ts'
import type { DueDelivery } from '../attempt.ts'
import type { Allowance } from '../delivery-lanes.ts'
import { FIRST_UUID, type Gap, gapsBetween } from '../endpoint-gaps.ts'

/** The endpoint after which a scan starts; null: at the first. */
export type ScanStart = { workspaceId: string; endpointId: string } | null

export type ClaimOptions = {
  due: DueMoment
  leaseMs: number
  /** The maximum of rows in total. */
  max: number
  /** The maximum of rows for an endpoint without an entry in `allowances`. */
  maxOfEach: number
  allowances: Allowance[]
  start: ScanStart
  /**
   * Reads the endpoints in the allowances only from their claimed times on, because dead row versions that an
   * old snapshot keeps are before those times, and a walk from the first row would pass all of them. `start`
   * is ignored.
   */
  pastClaimed?: boolean
  /** The partition of the log to claim from. */
  partition: LogPartition
}

const MOMENT = { now: '$1', by: '$10', offsetMs: '$11' }

type Where = 'everywhere' | 'in one workspace' | 'past what was claimed'

/** Selects the waiting endpoints, each with the due time of its first row. */
function waitingText(partition: LogPartition, where: Where): string {
  if (where === 'past what was claimed') return waitingPastClaimed(partition)
  // For one workspace only endpoints are compared: with an equality on the first column, a row comparison
  // would start at the workspace's first row each time.
  const follows = (workspace: string, endpoint: string) =>
    where === 'in one workspace'
      ? `d.workspace_id = $7::uuid and d.endpoint_id > ${endpoint}`
      : `(d.workspace_id, d.endpoint_id) > (${workspace}, ${endpoint})`
  // Ordered exactly like the index of pending rows: any other order would read all settled rows.
  const next = (workspace: string, endpoint: string) =>
    `select d.workspace_id, d.endpoint_id, d.run_at from ${partition} d
     where d.run_at is not null and ${follows(workspace, endpoint)}
     order by d.workspace_id, d.endpoint_id, d.run_at, d.id limit 1`
  return `(${next('$7::uuid', '$8::uuid')})
  union all
  select step.* from waiting w
  cross join lateral (${next('w.workspace_id', 'w.endpoint_id')}) step`
}

/**
 * Selects the known endpoints with their times, and, range by range, the endpoints between them; these come
 * first because they have waited longer.
 */
function waitingPastClaimed(partition: LogPartition): string {
  const next = (within: string) =>
    `(select d.workspace_id, d.endpoint_id, d.run_at, w.within, w.before from ${partition} d
      where d.run_at is not null and ${within}
      order by d.workspace_id, d.endpoint_id, d.run_at, d.id limit 1)`
  const step = `cross join lateral (
    ${next('w.within and d.workspace_id = w.workspace_id and d.endpoint_id > w.endpoint_id and d.endpoint_id < w.before')}
    union all
    ${next('not w.within and (d.workspace_id, d.endpoint_id) > (w.workspace_id, w.endpoint_id) and d.workspace_id < w.before')}
  ) step`
  return `(
    select step.* from unnest($12::uuid[], $13::uuid[], $14::uuid[], $15::boolean[]) as w(workspace_id, endpoint_id, before, within)
    ${step}
    union all
    select k.*, null, null from unnest($7::uuid[], $5::uuid[], $8::timestamptz[]) as k(workspace_id, endpoint_id, run_at)
  )
  union all
  select step.* from waiting w ${step}`
}

const dueText = (partition: LogPartition): string =>
  `select d.ctid as row_at from ${partition} d
      where d.workspace_id = w.workspace_id and d.endpoint_id = w.endpoint_id
        and d.run_at is not null and ${isDue('d.run_at', 'd.run_offset_ms', MOMENT)} and d.run_at >= w.run_at
        and (d.leased_until is null or d.leased_until <= $1::timestamptz)`

// $1 now, $2 lease, $3 rows in total, $4 rows of each endpoint, $5/$6/$9 other allowances, $7/$8 start ($7:
// the one workspace), $10/$11 due (core/due.ts), $12-$15 gaps past claimed rows (endpoint-gaps.ts). One named
// partition at a time: a walk through all steps into each for every endpoint.
const claimText = (partition: LogPartition, where: Where) => `
with recursive waiting as (
  ${waitingText(partition, where)}
), picked as materialized (
  select one.row_at
  -- The first row of an endpoint is the one that falls due first: where it is not due, nothing is.
  from (select * from waiting where run_at <= $10::timestamptz offset 0) w
  cross join lateral (
    select p.id, p.probe_at is not null and not s.sandbox as probing from webhook_endpoints p join workspaces s on s.id = p.workspace_id
    where p.workspace_id = w.workspace_id and p.id = w.endpoint_id and p.active
      and s.paused_at is null and ${hasApiSql('s')} and (s.sandbox or p.probe_at is null or p.probe_at <= $1::timestamptz)
      and (p.key_id is null or ${isFound(`
        from api_keys k
        where k.workspace_id = p.workspace_id and k.id = p.key_id
          and ${keyWorksSql('k', "$1::timestamptz + s.clock_offset_ms * interval '1 millisecond'")}`)})
    offset 0
  ) p
  cross join lateral (
    select array_position($5::uuid[], w.endpoint_id) as place offset 0
  ) known
  cross join lateral (
    select oldest.row_at from (
      ${dueText(partition)}
      order by d.run_at, d.id
      limit case when p.probing then least(coalesce(($6::int[])[known.place], 1), 1)
        else coalesce(($6::int[])[known.place], $4::int) end
      for update skip locked
    ) oldest
    union all
    select newest.row_at from (
      ${dueText(partition)}
      order by d.run_at desc, d.id desc
      limit case when p.probing then 0 else coalesce(($9::int[])[known.place], 0) end
      for update skip locked
    ) newest
  ) one
  limit $3::int
), claimed as (
  update ${partition} d set leased_until = $2::timestamptz
  where d.ctid = any (array(select row_at from picked))
  returning d.workspace_id, d.id, d.endpoint_id, d.event_id, d.event, d.attempt, d.manual, d.run_at
)
select c.workspace_id, c.id, c.endpoint_id, c.event_id, c.event, c.attempt, c.manual,
  c.run_at < $1::timestamptz - interval '10 seconds' as late, c.run_at, place.*, shown.*
from (
  select *, row_number() over (partition by event_id) = 1 as is_first_of_event,
    row_number() over (partition by endpoint_id) = 1 as is_first_of_endpoint
  from claimed
) c
-- The endpoint with one of its rows, and what happened with one of the rows about it, however many there are of either.
-- (Behind an offset, so that nothing is looked up for the others.)
left join lateral (
  select p.url, p.secret_sealed, p.headers_sealed, p.old_secret_sealed, p.old_secret_expires_at, s.clock_offset_ms,
    p.probe_at is not null and not s.sandbox as probing
  from webhook_endpoints p join workspaces s on s.id = p.workspace_id
  where c.is_first_of_endpoint and p.workspace_id = c.workspace_id and p.id = c.endpoint_id
  offset 0
) place on true
left join lateral (
  select e.data::text as data, e.created_at from events e
  where c.is_first_of_event and e.workspace_id = c.workspace_id and e.id = c.event_id
  offset 0
) shown on true
order by c.run_at, c.id`

const beginningOf = (start: ScanStart, workspaceId: string | undefined): [string, string] =>
  workspaceId
    ? [workspaceId, FIRST_UUID]
    : [start?.workspaceId ?? FIRST_UUID, start?.endpointId ?? FIRST_UUID]

const gapColumns = (gaps: readonly Gap[]): unknown[] => [
  gaps.map((gap) => gap.workspaceId),
  gaps.map((gap) => gap.endpointId),
  gaps.map((gap) => gap.before),
  gaps.map((gap) => gap.within),
]

/** Claims due rows of one partition under a lease, of all workspaces (or of one); oldest first. */
export async function claimDeliveries(
  database: Pick<Database, 'query'>,
  options: ClaimOptions,
  workspaceId?: string,
): Promise<DueDelivery[]> {
  const { due, allowances, pastClaimed } = options
  const where = pastClaimed ? 'past what was claimed' : workspaceId ? 'in one workspace' : 'everywhere'
  const claimedRows = await database.query<ClaimedRow>(claimText(options.partition, where), [
    due.now,
    later(due.now, options.leaseMs),
    options.max,
    options.maxOfEach,
    allowances.map((allowance) => allowance.endpointId),
    allowances.map((allowance) => allowance.rows),
    ...(pastClaimed
      ? [allowances.map((allowance) => allowance.workspaceId), allowances.map((allowance) => allowance.from)]
      : beginningOf(options.start, workspaceId)),
    allowances.map((allowance) => allowance.newest),
    due.by,
    due.offsetMs,
    ...(pastClaimed ? gapColumns(gapsBetween(allowances)) : []),
  ])
  return completed(claimedRows, options.partition)
}

type StoredEvent = Selectable<Tables['events']>
/** `data` is the exact text. */
type EventData = Pick<StoredEvent, 'data'> & {
  data: string | null
  createdAt: StoredEvent['createdAt'] | null
}
type Place = Pick<
  Selectable<Tables['webhookEndpoints']>,
  'url' | 'secretSealed' | 'headersSealed' | 'oldSecretSealed' | 'oldSecretExpiresAt'
> &
  Pick<Selectable<Tables['workspaces']>, 'clockOffsetMs'> & { probing: boolean }
/** Each endpoint's first row has its place, and each event's first row has the event's data. */
type ClaimedRow = Pick<
  Selectable<Tables['deliveries']>,
  'workspaceId' | 'id' | 'endpointId' | 'eventId' | 'event' | 'attempt' | 'manual' | 'runAt'
> & { runAt: Date; late: boolean } & EventData & { [Key in keyof Place]: Place[Key] | null }

function completed(claimedRows: readonly ClaimedRow[], partition: LogPartition): DueDelivery[] {
  const places = new Map<string, Place>()
  const rowsByEvent = new Map<string, EventData>()
  for (const row of claimedRows) {
    if (row.url !== null) places.set(row.endpointId, row as Place)
    if (row.data !== null) rowsByEvent.set(row.eventId, row)
  }
  return claimedRows.map((row) => {
    const place = places.get(row.endpointId)!
    const { data, createdAt } = rowsByEvent.get(row.eventId) ?? row
    return {
      partition,
      workspaceId: row.workspaceId,
      id: row.id,
      endpointId: row.endpointId,
      eventId: row.eventId,
      event: row.event,
      attempt: row.attempt,
      manual: row.manual,
      data,
      createdAt,
      url: place.url,
      secretSealed: place.secretSealed,
      headersSealed: place.headersSealed,
      oldSecretSealed: place.oldSecretSealed,
      oldSecretExpiresAt: place.oldSecretExpiresAt,
      clockOffsetMs: place.clockOffsetMs,
      runAt: row.runAt,
      late: row.late,
      probing: place.probing,
    }
  })
}

/** Returns the current data of these events by id; events that left the log are missing. */
export async function readEvents(
  database: Pick<Database, 'query'>,
  workspaceId: string,
  eventIds: string[],
): Promise<Map<string, EventData>> {
  const rows = await database.query<EventData & Pick<StoredEvent, 'id'>>(
    'select id, data::text as data, created_at from events where workspace_id = $1 and id = any ($2::uuid[])',
    [workspaceId, eventIds],
  )
  return new Map(rows.map(({ id, ...event }) => [id, event]))
}

type RowName = { partition: LogPartition; workspaceId: string; id: string }

const leaseText = (partition: LogPartition) => `
update ${partition} d set leased_until = $3::timestamptz
from unnest($1::uuid[], $2::uuid[]) as held(workspace_id, id)
where d.workspace_id = held.workspace_id and d.id = held.id and d.run_at is not null`

/** Changes the end of a lease; null gives the rows back. */
export async function leaseDeliveries(
  database: Pick<Database, 'query'>,
  rows: RowName[],
  until: Date | null,
): Promise<void> {
  await inEachPartition(
    rows,
    (row) => row.partition,
    (partition, rowsOfPartition) =>
      database.query(leaseText(partition), [
        rowsOfPartition.map((row) => row.workspaceId),
        rowsOfPartition.map((row) => row.id),
        until,
      ]),
  )
}
