import { createSealer } from '../../src/core/sealing.ts'
import { newWebhookSecret } from '../../src/core/values/webhook-secret.ts'
import type { BenchDatabase } from '../ground/arena.ts'
import { EVENT_DATA, EVENT_NAME } from '../ground/events.ts'
import { SECRET_KEY } from '../ground/service.ts'

/**
 * Registers `perWorkspace` endpoints in each of the workspaces; the n-th of them at the n-th of `urls`, with a
 * number appended.
 */
export async function addEndpoints(
  database: BenchDatabase,
  workspaceIds: string[],
  perWorkspace: number,
  urls: string[],
): Promise<void> {
  const sealed = createSealer(SECRET_KEY).seal(newWebhookSecret())
  await database.sql(
    `insert into webhook_endpoints (workspace_id, id, url, secret_sealed, created_at, updated_at)
     select w, uuidv7(), ($2::text[])[1 + (row_number() over (order by w, n)) % cardinality($2::text[])] || '/' || n, $4, now(), now()
     from unnest($1::uuid[]) w cross join generate_series(1, $3::int) n`,
    [workspaceIds, urls, perWorkspace, sealed],
  )
}

/**
 * Stores events of a workspace with a pending delivery to each of its endpoints, `deliveries` in total (or a
 * few more).
 */
export async function addPendingDeliveries(
  database: BenchDatabase,
  workspaceId: string,
  deliveries: number,
): Promise<number> {
  const [row] = await database.sql<{ made: string }>(
    `with listening as (
       select id, count(*) over () as many from webhook_endpoints where workspace_id = $1
     ), happened as (
       insert into events (workspace_id, id, name, data, created_at)
       select $1, uuidv7(), $3, $4, now()
       from generate_series(1, ceil($2::numeric / (select max(many) from listening))::int)
       returning id
     ), made as (
       insert into deliveries (workspace_id, id, endpoint_id, event_id, event, created_at, due_at, run_at)
       select $1, uuidv7(), l.id, h.id, $3, now(), now(), now() from happened h cross join listening l
       returning 1
     )
     select count(*) as made from made`,
    [workspaceId, deliveries, EVENT_NAME, EVENT_DATA],
  )
  return Number(row!.made)
}

/**
 * Stores second attempts that become due over the next hours, `retries` in total over the workspaces'
 * endpoints.
 */
export async function addWaitingRetries(
  database: BenchDatabase,
  workspaceIds: string[],
  retries: number,
): Promise<void> {
  await database.sql(
    `with listening as (
       select workspace_id, id, row_number() over () - 1 as place, count(*) over () as many
       from webhook_endpoints where workspace_id = any($1::uuid[])
     ), happened as (
       insert into events (workspace_id, id, name, data, created_at)
       select distinct on (workspace_id) workspace_id, uuidv7(), $3, $4::jsonb, now() from listening
       returning workspace_id, id
     )
     insert into deliveries (workspace_id, id, endpoint_id, event_id, event, attempt, created_at, due_at, run_at)
     select l.workspace_id, uuidv7(), l.id, h.id, $3, 2, now(), now(), now() + interval '1 hour' + n * interval '50 ms'
     from generate_series(1, $2::int) n
     join listening l on l.place = n % l.many
     join happened h on h.workspace_id = l.workspace_id`,
    [workspaceIds, retries, EVENT_NAME, EVENT_DATA],
  )
}
