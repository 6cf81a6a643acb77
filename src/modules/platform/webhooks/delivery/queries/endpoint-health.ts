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
update webhook_endpoints p
set failures = h.failures, failing_since = h.failing_since, probe_at = h.probe_at, active = p.active and h.off_at is null,
  disabled_at = coalesce(h.off_at, p.disabled_at), disabled_reason = coalesce(h.off_reason, p.disabled_reason),
  updated_at = coalesce(h.off_at, p.updated_at)
from unnest($1::uuid[], $2::uuid[], $3::int[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::text[])
  as h(workspace_id, id, failures, failing_since, probe_at, off_at, off_reason)
where p.workspace_id = h.workspace_id and p.id = h.id`

const DISABLED = `unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as h(workspace_id, id, off_at)`
const NOTIFY_OWNERS = `
insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
select h.workspace_id, gen_random_uuid(), '${notifyOwner.name}', jsonb_build_object('webhookId', h.id, 'memberId', m.id),
  $4::timestamptz, h.off_at, true
from ${DISABLED}
join members m on m.workspace_id = h.workspace_id and (m.owner or m.role = 'admin') and m.left_at is null`
const NOTIFY_ADMINS = `
insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
select workspace_id, gen_random_uuid(), '${notifyAdmins.name}', jsonb_build_object('webhookId', id), $4::timestamptz, off_at, false
from ${DISABLED}`
const REPORT = `
insert into activity_log (workspace_id, id, kind, actor_kind, data, created_at)
select workspace_id, log_id, 'webhook.disabled', 'platform', jsonb_build_object('webhookId', id, 'reason', off_reason), off_at
from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::uuid[]) as h(workspace_id, id, off_at, off_reason, log_id)`

/** Writes the health of endpoints; notifies owners and admins of disabled ones, from `now` (real time) on. */
export async function updateHealth(tx: Tx, changes: readonly HealthChange[], now: Date): Promise<void> {
  const keysOf = (of: readonly HealthChange[]) => [
    uuids(of.map((change) => change.workspaceId)),
    uuids(of.map((change) => change.id)),
  ]
  const update = tx.sql(UPDATE, [
    ...keysOf(changes),
    plainList(changes.map((change) => change.failures)),
    instants(changes.map((change) => change.failingSince)),
    instants(changes.map((change) => change.probeAt)),
    instants(changes.map((change) => change.offAt)),
    texts(changes.map((change) => change.offReason)),
  ])
  const disabled = changes.filter((change) => change.offAt !== null)
  if (disabled.length === 0) return void (await update)
  const columns = [...keysOf(disabled), instants(disabled.map((change) => change.offAt))]
  await Promise.all([
    update,
    tx.sql(NOTIFY_OWNERS, [...columns, now]),
    tx.sql(NOTIFY_ADMINS, [...columns, now]),
    tx.sql(REPORT, [
      ...columns,
      texts(disabled.map((change) => change.offReason)),
      uuids(disabled.map(() => newId())),
    ]),
  ])
}
