/** Results of attempts, written in batches: the attempt, the next one when it failed, the health of the endpoint, and who is notified. */

import { DAY_MS, later } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { instants, isFound, plainList, textList } from '../../../core/sql.ts'
import { inEachPartition, type LogPartition } from '../event-log/log-partitions.ts'
import { notifyOwner } from '../jobs.ts'
import type { DueDelivery, Outcome } from './attempt.ts'
import { BREAK_AFTER } from './delivery-lanes.ts'
import { waitAfter } from './retry-schedule.ts'

/** An endpoint whose deliveries all failed this long, and at least this many of them, is switched off. */
export const FAILING_DAYS = 3
export const FAILING_DELIVERIES = 20

/** Probes of an endpoint that keeps failing come after 1, 2, 4 … seconds, at last so many apart. */
const MAX_PROBE_SECONDS = 60

const GONE = 'The receiver answered 410: it wants no more deliveries.'
const FAILING = `Every delivery of the last ${FAILING_DAYS} days failed.`

/** An attempt that ended at `endedAt` (real time). */
export type Result = { delivery: DueDelivery; outcome: Outcome; endedAt: Date }

// Whether the endpoint is switched off by what came of its attempts; `s` sums them up.
const OFF = `p.active and (s.gone or (
  p.failures + s.failed >= $1::int
  and coalesce(p.failing_since, s.since) <= s.last - $2::bigint * interval '1 millisecond'))`

// What came of an attempt speaks for the address it went to; an endpoint that has moved since is none the wiser. Read for
// a 410 alone, which is rare.
const REFUSED_ONCE = `case when r.gone then ${isFound(
  "from webhook_endpoints p where p.workspace_id = d.workspace_id and p.id = d.endpoint_id and p.url = r.request->>'url'",
)} else false end`

// The row is settled only while it is pending: when a lease ran out and the event went out twice,
// the first result stands and makes the one next attempt.
const settleText = (partition: LogPartition) => `
with result as materialized (
  select r.*, request_text::jsonb as request, response_text::jsonb as response
  from unnest($6::uuid[], $7::uuid[], $8::bool[], $9::bool[], $10::timestamptz[], $11::int[], $12::int[],
    string_to_array($13, e'\\x1e', ''), string_to_array($14, e'\\x1e', ''), string_to_array($15, e'\\x1e', ''),
    $16::uuid[], $17::timestamptz[], $18::timestamptz[], $19::uuid[])
    as r(workspace_id, id, ok, gone, attempted_at, http_status, latency_ms, error, request_text, response_text,
      next_id, next_at, next_run_at, log_id)
), settled as (
  update ${partition} d
  set status = case when r.ok then 'succeeded' else 'failed' end, attempted_at = r.attempted_at,
    run_at = null, leased_until = null, next_at = case when ${REFUSED_ONCE} then null else r.next_at end, http_status = r.http_status,
    latency_ms = r.latency_ms, error = r.error, request = r.request,
    response = case when not d.retracted then r.response end
  from result r
  where d.workspace_id = r.workspace_id and d.id = r.id and d.status = 'pending'
  returning d.workspace_id, d.endpoint_id, d.event_id, d.event, d.attempt, d.replayed, r.ok, ${REFUSED_ONCE} as gone, r.attempted_at,
    r.request->>'url' as url, r.next_id, r.next_at, r.next_run_at, r.log_id
), again as (
  insert into deliveries (workspace_id, id, endpoint_id, event_id, event, attempt, replayed, created_at, due_at, run_at)
  select workspace_id, next_id, endpoint_id, event_id, event, attempt + 1, replayed, attempted_at, next_at, next_run_at
  from settled s where next_id is not null and not gone
    and exists (select from webhook_endpoints p where p.workspace_id = s.workspace_id and p.id = s.endpoint_id)
), summed as (
  select workspace_id, endpoint_id, url, min(attempted_at) as since, max(attempted_at) as last,
    (count(*) filter (where not ok))::int as failed, bool_or(gone) as gone, bool_or(ok) and not bool_or(gone) as healthy,
    (array_agg(log_id) filter (where log_id is not null))[1] as log_id
  from settled group by 1, 2, 3
), healed as (
  update webhook_endpoints p set failing_since = null, failures = 0, probe_at = null
  from summed s
  where p.workspace_id = s.workspace_id and p.id = s.endpoint_id and p.url = s.url and s.healthy and p.failures > 0
), failing as (
  update webhook_endpoints p
  set failing_since = coalesce(p.failing_since, s.since), failures = p.failures + s.failed,
    probe_at = case when p.failures + s.failed >= ${BREAK_AFTER} then $5::timestamptz + interval '1 second'
      * least(${MAX_PROBE_SECONDS}, power(2, least(p.failures + s.failed - ${BREAK_AFTER}, 10))) * (0.9 + 0.2 * random()) end,
    active = case when ${OFF} then false else p.active end,
    disabled_at = case when ${OFF} then s.last else p.disabled_at end,
    disabled_reason = case when ${OFF} then case when s.gone then $3 else $4 end else p.disabled_reason end,
    updated_at = case when ${OFF} then s.last else p.updated_at end
  from summed s
  where p.workspace_id = s.workspace_id and p.id = s.endpoint_id and p.url = s.url and not s.healthy
  returning p.workspace_id, p.id, p.disabled_reason, s.last, s.log_id, not p.active and p.disabled_at = s.last as off
), reported as (
  insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
  select f.workspace_id, gen_random_uuid(), '${notifyOwner.name}', jsonb_build_object('webhookId', f.id, 'memberId', m.id),
    $5::timestamptz, f.last, true
  from failing f join members m on m.workspace_id = f.workspace_id and (m.owner or m.role = 'admin') and m.left_at is null
  where f.off
)
insert into activity_log (workspace_id, id, kind, actor_kind, data, created_at)
select workspace_id, log_id, 'webhook.disabled', 'platform', jsonb_build_object('webhookId', id, 'reason', disabled_reason), last
from failing where off`

/** When the next attempt of a failed one falls due, in real time; null: there is none. */
function nextRunOf({ delivery, outcome, endedAt }: Result): Date | null {
  // Sent by hand, or nothing left to send: not retried. Whether a 410 is the last word is seen where the endpoint's address is.
  const final = outcome.ok || delivery.manual || delivery.data === null
  const waitMs = final ? undefined : waitAfter(delivery.attempt)
  return waitMs === undefined ? null : later(endedAt, waitMs)
}

// Values go in lists by column: PostgreSQL reads them several times faster than records of JSON.
function columnsOf(results: readonly Result[]): string[] {
  const nextRuns = results.map(nextRunOf)
  const of = <T>(pick: (outcome: Outcome) => T): T[] => results.map(({ outcome }) => pick(outcome))
  const ahead = (index: number): number => results[index]!.delivery.clockOffsetMs
  return [
    plainList(results.map(({ delivery }) => delivery.workspaceId)),
    plainList(results.map(({ delivery }) => delivery.id)),
    plainList(of((outcome) => outcome.ok)),
    plainList(of((outcome) => outcome.gone)),
    instants(of((outcome) => outcome.startedAt).map((at, i) => later(at, ahead(i)))),
    plainList(of((outcome) => outcome.httpStatus)),
    plainList(of((outcome) => outcome.latencyMs)),
    textList(of((outcome) => outcome.error)),
    textList(of((outcome) => outcome.request && JSON.stringify(outcome.request))),
    textList(of((outcome) => outcome.response && JSON.stringify(outcome.response))),
    plainList(nextRuns.map((at) => at && newId())),
    instants(nextRuns.map((at, i) => at && later(at, ahead(i)))),
    instants(nextRuns),
    plainList(of((outcome) => (outcome.ok ? null : newId()))),
  ]
}

/**
 * Writes a batch of results, in one statement for each partition of the log that they lie in: it settles the attempts, adds the next ones, keeps the
 * count of failures, and switches off an endpoint that answered 410 or has failed for too long.
 */
export async function writeResults(database: Pick<Database, 'query'>, results: Result[]): Promise<void> {
  const now = results.at(-1)?.endedAt
  await inEachPartition(
    results,
    (result) => result.delivery.partition,
    (partition, some) =>
      database.query(settleText(partition), [
        FAILING_DELIVERIES,
        FAILING_DAYS * DAY_MS,
        GONE,
        FAILING,
        now,
        ...columnsOf(some),
      ]),
  )
}
