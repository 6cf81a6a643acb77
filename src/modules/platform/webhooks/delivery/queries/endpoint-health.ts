/** SQL that writes the health of endpoints, as endpoint-health.ts decided it. */

import type { Selectable } from 'kysely'
import type { Tx } from '../../../../../core/context.ts'
import { newId } from '../../../../../core/ids.ts'
import { instants, texts, uuids } from '../../../../../database/sql/binary-arrays.ts'
import { plainList } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import { notifyAdmins, notifyOwner } from '../../jobs.ts'
import type { HealthAfter } from '../endpoint-health.ts'

/** The new health of an endpoint; `offAt` is the workspace's time. */
export type HealthChange = { workspaceId: string; id: string; offAt: Date | null } & HealthAfter

/**
 * Returns and locks the addresses of these endpoints by id, so that none moves before the outcomes are
 * written.
 */
export async function lockUrls(
  tx: Tx,
  endpoints: { workspaceId: string; endpointId: string }[],
): Promise<Map<string, string>> {
  const rows = await tx.sql<Pick<Selectable<Tables['webhookEndpoints']>, 'id' | 'url'>>(
    `select p.id, p.url from webhook_endpoints p
     where (p.workspace_id, p.id) in (select * from unnest($1::uuid[], $2::uuid[]))
     order by p.id for no key update`,
    [
      uuids(endpoints.map((endpoint) => endpoint.workspaceId)),
      uuids(endpoints.map((endpoint) => endpoint.endpointId)),
    ],
  )
  return new Map(rows.map(({ id, url }) => [id, url]))
}

const UPDATE = `
with health as materialized (
  select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[],
    $7::text[], $8::uuid[])
    as h(workspace_id, id, failures, failing_since, probe_at, off_at, off_reason, log_id)
), updated as (
  update webhook_endpoints p
  set failures = h.failures, failing_since = h.failing_since, probe_at = h.probe_at, active = p.active and h.off_at is null,
    disabled_at = coalesce(h.off_at, p.disabled_at), disabled_reason = coalesce(h.off_reason, p.disabled_reason),
    updated_at = coalesce(h.off_at, p.updated_at)
  from health h where p.workspace_id = h.workspace_id and p.id = h.id
), notified as (
  insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
  select h.workspace_id, gen_random_uuid(), '${notifyOwner.name}', jsonb_build_object('webhookId', h.id, 'memberId', m.id),
    $9::timestamptz, h.off_at, true
  from health h
  join members m on m.workspace_id = h.workspace_id and (m.owner or m.role = 'admin') and m.left_at is null
  where h.off_at is not null
), shown as (
  insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
  select workspace_id, gen_random_uuid(), '${notifyAdmins.name}', jsonb_build_object('webhookId', id), $9::timestamptz, off_at, false
  from health where off_at is not null
)
insert into activity_log (workspace_id, id, kind, actor_kind, data, created_at)
select workspace_id, log_id, 'webhook.disabled', 'platform', jsonb_build_object('webhookId', id, 'reason', off_reason), off_at
from health where off_at is not null`

/** Writes the health of endpoints; notifies owners and admins of disabled ones, from `now` (real time) on. */
export const updateHealth = (tx: Tx, changes: readonly HealthChange[], now: Date): Promise<unknown> =>
  tx.sql(UPDATE, [
    uuids(changes.map((change) => change.workspaceId)),
    uuids(changes.map((change) => change.id)),
    plainList(changes.map((change) => change.failures)),
    instants(changes.map((change) => change.failingSince)),
    instants(changes.map((change) => change.probeAt)),
    instants(changes.map((change) => change.offAt)),
    texts(changes.map((change) => change.offReason)),
    uuids(changes.map((change) => change.offAt && newId())),
    now,
  ])
