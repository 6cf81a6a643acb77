/**
 * Partitions the logs of events and deliveries by day (UTC): created ahead, dropped whole
 * (docs/decisions/log-by-day.md).
 */
import type { Selectable } from 'kysely'
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Database, Tx } from '../../../../core/context.ts'
import { idAt, newId } from '../../../../core/ids.ts'
import { cellTextLock } from '../../../../database/sql/cell-lock.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { LOG_MS } from '../delivery/queries/delivery-log.ts'
import { logDayOf, partitionSuffix } from './log-partitions.ts'

const LOGS = ['deliveries', 'events'] as const
/** Partitions exist for today and this many following days. */
const DAYS_AHEAD = 3
/**
 * A statement that waits for a table lock blocks all writers behind it, so it gives up soon
 * (decisions/database.md).
 */
const PATIENCE = "set local lock_timeout = '200ms'"
const LOCK_NOT_AVAILABLE = '55P03'

export type LogDatabase = Pick<Database, 'query' | 'define'>
type Partition = { log: (typeof LOGS)[number]; name: string }

/** Runs `work` unless another transaction locks the tables: then it is left for the next run. */
async function runUnlessLocked(database: LogDatabase, work: (tx: Tx) => Promise<unknown>): Promise<boolean> {
  try {
    await database.define(async (tx) => {
      await tx.sql(PATIENCE)
      await work(tx)
    })
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error
    return false
  }
}

const MISSING = `
select log, day::text from unnest($1::text[]) as log cross join unnest($2::date[]) as day
where to_regclass(log || '_' || to_char(day, 'YYYYMMDD')) is null`

/** Creates the missing partitions of today and the following days. */
export async function makeLogDays(database: LogDatabase, now: Date): Promise<void> {
  const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, i) => logDayOf(later(now, i * DAY_MS)))
  const missingDays = await database.query<{ log: string; day: string }>(MISSING, [[...LOGS], days])
  for (const { log, day } of missingDays)
    if (
      !(await runUnlessLocked(database, (tx) =>
        tx.sql('select make_log_day($1::text, $2::date)', [log, day]),
      ))
    )
      return
}

// Deliveries first: their events must exist as long as they do.
const OLD = `
select parent.relname::text as log, part.relname::text as name
from pg_inherits i join pg_class part on part.oid = i.inhrelid join pg_class parent on parent.oid = i.inhparent
where parent.relnamespace = current_schema()::regnamespace and parent.relname = any ($1::text[])
  and part.relname ~ '_[0-9]{8}$' and right(part.relname, 8) <= $2
order by 1, 2`

// One process at a time: a concurrent duplicate finds nothing to report.
const STILL_THERE = `
select pg_try_advisory_xact_lock(${cellTextLock("'log days'")}) as mine, to_regclass($1) is not null as exists`

// Ignores the deliveries of deleted endpoints.
const waitingIn = (partition: string) => `
select workspace_id, endpoint_id, count(*) as count, min(created_at) as oldest, max(created_at) as newest,
  coalesce(bool_or(leased_until > $1), false) as under_way
from ${partition} d
where run_at is not null
  and exists (select from webhook_endpoints p where p.workspace_id = d.workspace_id and p.id = d.endpoint_id)
group by 1, 2`

const REPORT = `
insert into activity_log (workspace_id, id, kind, actor_kind, data, created_at)
select t.workspace_id, t.id, 'webhook.backlog_dropped', 'platform', t.data,
  after_ms($4, w.clock_offset_ms)
from unnest($1::uuid[], $2::uuid[], $3::jsonb[]) as t(workspace_id, id, data) join workspaces w on w.id = t.workspace_id`

type WaitingDeliveries = Pick<Selectable<Tables['deliveries']>, 'workspaceId' | 'endpointId'> & {
  count: number
  oldest: Date
  newest: Date
  underWay: boolean
}

/**
 * Drops a partition. Deliveries that still wait in it (for a paused endpoint, for example) are dropped too,
 * and the activity log reports them to the owners.
 */
async function dropPartition(tx: Tx, { log, name }: Partition, now: Date): Promise<void> {
  const [state] = await tx.sql<{ mine: boolean; exists: boolean }>(STILL_THERE, [name])
  if (!state?.mine || !state.exists) return
  if (log === 'deliveries') {
    const waitingDeliveries = await tx.sql<WaitingDeliveries>(waitingIn(name), [now])
    if (waitingDeliveries.some((day) => day.underWay)) return
    if (waitingDeliveries.length > 0)
      await tx.sql(REPORT, [
        waitingDeliveries.map((day) => day.workspaceId),
        waitingDeliveries.map(() => newId()),
        waitingDeliveries.map(({ endpointId, count, oldest, newest }) =>
          JSON.stringify({ webhookId: endpointId, deliveries: count, oldest, newest }),
        ),
        now,
      ])
  }
  await tx.sql(`drop table ${name}`)
}

/** Drops the partitions of days that ended before the log begins. */
export async function dropOldDays(database: LogDatabase, now: Date): Promise<void> {
  const lastDay = partitionSuffix(later(now, -LOG_MS - DAY_MS))
  const old = await database.query<Partition>(OLD, [[...LOGS], lastDay])
  for (const partition of old)
    if (!(await runUnlessLocked(database, (tx) => dropPartition(tx, partition, now)))) return
}

/** Empty unless partitions were missing; settled rows in it are deleted like others. */
export async function emptyDefaultPartitions(database: LogDatabase, now: Date): Promise<void> {
  const before = idAt(later(now, -LOG_MS))
  await database.query('delete from deliveries_other where id < $1 and run_at is null', [before])
  await database.query('delete from events_other where id < $1', [before])
}
