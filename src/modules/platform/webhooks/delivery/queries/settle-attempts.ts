/** SQL that settles attempts and creates the next ones, as next-attempt.ts decided. */

import type { Selectable } from 'kysely'
import { later } from '../../../../../core/clock.ts'
import type { Tx } from '../../../../../core/context.ts'
import { runOffsetOf } from '../../../../../core/due.ts'
import { newId } from '../../../../../core/ids.ts'
import { instants, jsonTexts, texts, uuids } from '../../../../../database/sql/binary-arrays.ts'
import { plainList, READS_FIRST } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import type { LogPartition } from '../../event-log/log-partitions.ts'
import type { Outcome, Result } from '../attempt.ts'
import type { Ended } from '../endpoint-health.ts'

/** A result, and the real time at which its next attempt is due. */
export type Judged = Result & { nextRun: Date | null }

/** An endpoint whose health may change by the attempts, locked. */
export type TouchedEndpoint = Pick<
  Selectable<Tables['webhookEndpoints']>,
  'workspaceId' | 'id' | 'active' | 'failures' | 'failingSince'
> &
  Ended

// Only pending rows are settled: if a lease expired and the event was sent twice, the first result wins and
// counts. Results count for the address to which they were sent, so a moved endpoint is not matched. Endpoints that stay healthy are not read.
const settleText = (partition: LogPartition) => `
with result as materialized (
  select * from unnest($1::uuid[], $2::uuid[], $3::bool[], $4::bool[], $5::timestamptz[], $6::int[], $7::int[],
    $8::text[], $9::json[], $10::json[], $11::timestamptz[])
    as r(workspace_id, id, ok, gone, attempted_at, http_status, latency_ms, error, request, response, next_at)
), settled as (
  update ${partition} d
  set status = case when r.ok then 'succeeded' else 'failed' end, attempted_at = r.attempted_at,
    run_at = null, leased_until = null, next_at = r.next_at, http_status = r.http_status,
    latency_ms = r.latency_ms, error = r.error, request = r.request,
    response = case when not d.retracted then r.response end
  from result r
  where d.workspace_id = r.workspace_id and d.id = r.id and d.status = 'pending'
  returning d.workspace_id, d.endpoint_id, r.ok, r.gone, r.attempted_at, r.request->>'url' as url
), ended as (
  select workspace_id, endpoint_id, url, (count(*) filter (where not ok))::int as failed, bool_or(ok) as ok, bool_or(gone) as gone,
    min(attempted_at) as first, max(attempted_at) as last
  from settled group by 1, 2, 3
)
select p.workspace_id, p.id, p.active, p.failures, p.failing_since, e.failed, e.ok, e.gone, e.first, e.last
from ended e join webhook_endpoints p on p.workspace_id = e.workspace_id and p.id = e.endpoint_id and p.url = e.url
where e.failed > 0 or p.failures > 0
order by p.id for no key update of p`

// Only after attempts that this transaction has settled: after others, another process has created the next one. A deleted
// endpoint gets none.
const againText = (partition: LogPartition) => `
insert into deliveries (workspace_id, id, endpoint_id, event_id, event, attempt, replayed, created_at, due_at, run_at, run_offset_ms)
select d.workspace_id, r.next_id, d.endpoint_id, d.event_id, d.event, d.attempt + 1, d.replayed, d.attempted_at, r.next_at,
  r.next_run_at, r.next_offset_ms
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::int8[])
  as r(workspace_id, id, next_id, next_at, next_run_at, next_offset_ms)
join ${partition} d on d.workspace_id = r.workspace_id and d.id = r.id
where d.xmin = pg_current_xact_id()::xid and d.status <> 'pending' and ${READS_FIRST}
  and exists (select from webhook_endpoints p where p.workspace_id = d.workspace_id and p.id = d.endpoint_id)`

// Values are passed as one array per column: PostgreSQL reads them several times faster than JSON records.
function columnsOf(results: readonly Judged[]): unknown[] {
  const column = <T>(pick: (outcome: Outcome) => T): T[] => results.map(({ outcome }) => pick(outcome))
  return [
    ...keysOf(results),
    plainList(column((outcome) => outcome.ok)),
    plainList(column((outcome) => outcome.gone)),
    instants(
      column((outcome) => outcome.startedAt).map((startedAt, i) => later(startedAt, aheadOf(results[i]!))),
    ),
    plainList(column((outcome) => outcome.httpStatus)),
    plainList(column((outcome) => outcome.latencyMs)),
    texts(column((outcome) => outcome.error)),
    jsonTexts(column((outcome) => outcome.request && JSON.stringify(outcome.request))),
    jsonTexts(column((outcome) => outcome.response && JSON.stringify(outcome.response))),
    nextTimes(results),
  ]
}

const keysOf = (results: readonly Judged[]): unknown[] => [
  uuids(results.map(({ delivery }) => delivery.workspaceId)),
  uuids(results.map(({ delivery }) => delivery.id)),
]

const aheadOf = ({ delivery }: Judged): number => delivery.clockOffsetMs

/** The times of the next attempts, as the workspaces' clocks show them. */
const nextTimes = (results: readonly Judged[]) =>
  instants(results.map((result) => result.nextRun && later(result.nextRun, aheadOf(result))))

/** Settles attempts with rows in the partition; returns the endpoints whose health may change. */
export async function settleAttempts(
  tx: Tx,
  partition: LogPartition,
  results: readonly Judged[],
): Promise<TouchedEndpoint[]> {
  const repeated = results.filter(({ nextRun }) => nextRun !== null)
  const [touched] = await Promise.all([
    tx.sql<TouchedEndpoint>(settleText(partition), columnsOf(results)),
    repeated.length > 0 &&
      tx.sql(againText(partition), [
        ...keysOf(repeated),
        uuids(repeated.map(() => newId())),
        nextTimes(repeated),
        instants(repeated.map(({ nextRun }) => nextRun)),
        plainList(repeated.map(({ delivery }) => runOffsetOf(delivery))),
      ]),
  ])
  return touched
}
