/**
 * SQL of endpoints and of the log of their deliveries; the engine's statements are in delivery-claims,
 * settle-attempts and health-queries.
 */
import { type Selectable, sql } from 'kysely'
import { later, realTime } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import { MANY_ROWS } from '../../../../database/sql/costly-reads.ts'
import { db, json } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { keyWorksSql } from '../../workspaces/operations/access-rules.ts'
import { UNSETTLED_MS } from '../event-log/log-partitions.ts'

type StoredWebhook = Selectable<Tables['webhookEndpoints']>
type StoredDelivery = Selectable<Tables['deliveries']>
type StoredEvent = Selectable<Tables['events']>

export type WebhookRow = Pick<
  StoredWebhook,
  | 'id'
  | 'url'
  | 'events'
  | 'active'
  | 'disabledAt'
  | 'disabledReason'
  | 'keyId'
  | 'oldSecretExpiresAt'
  | 'headersSealed'
  | 'createdAt'
  | 'updatedAt'
> & {
  /** True if the key that registered the endpoint was revoked or has expired. */
  keyStopped: boolean
}

const webhooks = (ctx: Context) =>
  db
    .selectFrom('webhookEndpoints as p')
    .leftJoin('apiKeys as k', (join) =>
      join.onRef('k.workspaceId', '=', 'p.workspaceId').onRef('k.id', '=', 'p.keyId'),
    )
    .select([
      'p.id',
      'p.url',
      'p.events',
      'p.active',
      'p.disabledAt',
      'p.disabledReason',
      'p.keyId',
      'p.oldSecretExpiresAt',
      'p.headersSealed',
      'p.createdAt',
      'p.updatedAt',
      sql<boolean>`p.key_id is not null and not (
        select ${sql.raw(keyWorksSql('k', 'moment.at'))} from (select ${ctx.now}::timestamptz as at) moment)`.as(
        'keyStopped',
      ),
    ])
    .where('p.workspaceId', '=', ctx.workspace.id)

/** Lists all endpoints, newest first. */
export const listWebhooks = (ctx: Context): Promise<WebhookRow[]> =>
  ctx.tx.all(webhooks(ctx).orderBy('p.id', 'desc'))

export const findWebhook = (ctx: Context, id: string): Promise<WebhookRow | undefined> =>
  ctx.tx.first(webhooks(ctx).where('p.id', '=', id))

export const findWebhookForUpdate = (ctx: Context, id: string): Promise<WebhookRow | undefined> =>
  ctx.tx.first(webhooks(ctx).where('p.id', '=', id).forUpdate('p'))

export const findWebhookByUrl = (ctx: Context, url: string): Promise<{ id: string } | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('webhookEndpoints')
      .select('id')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('url', '=', url),
  )

export async function countWebhooks(ctx: Context): Promise<number> {
  const row = await ctx.tx.first(
    db
      .selectFrom('webhookEndpoints')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('workspaceId', '=', ctx.workspace.id),
  )
  return row?.count ?? 0
}

/** Blocks other registrations and moves in the workspace until the transaction ends. */
export const lockWebhooks = (ctx: Context): Promise<unknown> =>
  lockInWorkspace(ctx.tx, ctx.workspace.id, 'webhooks')

export type NewWebhookRow = Pick<
  StoredWebhook,
  'id' | 'url' | 'events' | 'keyId' | 'secretSealed' | 'headersSealed'
>

export const insertWebhook = (ctx: Context, row: NewWebhookRow): Promise<number> =>
  ctx.tx.run(
    db
      .insertInto('webhookEndpoints')
      .values({ ...row, workspaceId: ctx.workspace.id, createdAt: ctx.now, updatedAt: ctx.now }),
  )

export type WebhookChange = {
  url?: string
  events?: string[] | null
  headersSealed?: Buffer | null
  active?: boolean
  disabledAt?: null
  disabledReason?: null
  failingSince?: null
  failures?: number
  probeAt?: null
}

export const updateWebhook = (ctx: Context, id: string, change: WebhookChange): Promise<number> =>
  ctx.tx.run(
    db
      .updateTable('webhookEndpoints')
      .set({ ...change, updatedAt: ctx.now })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id),
  )

/** Makes the current secret the old one, which also signs until `oldExpiresAt`. */
export const updateWebhookSecret = (
  ctx: Context,
  id: string,
  secretSealed: Buffer,
  oldExpiresAt: Date,
): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('webhookEndpoints')
      .set((column) => ({
        oldSecretSealed: column.ref('secretSealed'),
        secretSealed,
        oldSecretExpiresAt: oldExpiresAt,
        updatedAt: ctx.now,
      }))
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id),
  )

/**
 * Deletes the endpoint and remembers that it existed. Its pending deliveries are deleted in the background
 * (delete-pending.ts).
 */
export async function deleteWebhook(ctx: Context, row: Pick<WebhookRow, 'id' | 'keyId'>): Promise<void> {
  await Promise.all([
    ctx.tx.sql('delete from webhook_endpoints where workspace_id = $1 and id = $2', [
      ctx.workspace.id,
      row.id,
    ]),
    ctx.tx.sql(
      `insert into deleted_webhook_endpoints (workspace_id, id, key_id, removed_at, pending_until) values ($1, $2, $3, $4, $5)`,
      [ctx.workspace.id, row.id, row.keyId, ctx.now, later(realTime(ctx.now, ctx.workspace), UNSETTLED_MS)],
    ),
  ])
}

export const findDeletedWebhook = (ctx: Context, id: string): Promise<{ keyId: string | null } | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('deletedWebhookEndpoints')
      .select('keyId')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id),
  )

export type DeliveryRow = Pick<
  StoredDelivery,
  | 'id'
  | 'endpointId'
  | 'eventId'
  | 'event'
  | 'attempt'
  | 'manual'
  | 'replayed'
  | 'status'
  | 'createdAt'
  | 'attemptedAt'
  | 'dueAt'
  | 'nextAt'
  | 'httpStatus'
  | 'latencyMs'
  | 'error'
  | 'request'
  | 'response'
> &
  Pick<StoredEvent, 'data'> & {
    request: { url: string; headers: Record<string, string> } | null
    response: { headers: Record<string, string>; body: string } | null
    /** Null when the event has left the log. */
    data: Record<string, unknown> | null
    happenedAt: StoredEvent['createdAt'] | null
  }

const deliveries = (ctx: Context) =>
  db
    .selectFrom('deliveries as d')
    .leftJoin('events as e', (join) =>
      join.onRef('e.workspaceId', '=', 'd.workspaceId').onRef('e.id', '=', 'd.eventId'),
    )
    .select([
      'd.id',
      'd.endpointId',
      'd.eventId',
      'd.event',
      'd.attempt',
      'd.manual',
      'd.replayed',
      'd.status',
      'd.createdAt',
      'd.attemptedAt',
      'd.dueAt',
      'd.nextAt',
      'd.httpStatus',
      'd.latencyMs',
      'd.error',
      'd.request',
      'd.response',
      'e.data',
      'e.createdAt as happenedAt',
    ])
    .$narrowType<Pick<DeliveryRow, 'request' | 'response' | 'data'>>()
    .where('d.workspaceId', '=', ctx.workspace.id)

/** Which attempts of an endpoint to list: those of one event, or those in one state. */
export type DeliveryListing = CursorQuery & {
  event?: string | undefined
  status?: 'pending' | 'succeeded' | 'failed' | undefined
  eventId?: string | undefined
}

/**
 * Selects the attempts of an event: the first one's id begins like the event's (record-events.ts); the index
 * deliveries_again finds all others.
 */
const ofEvent = (eventId: string) => {
  const start = eventId.slice(0, -10)
  return sql<boolean>`(
    d.event_id = ${eventId} and d.id between ${`${start}0000000000`} and ${`${start}ffffffffff`}
    or d.event_id = ${eventId} and (d.attempt > 1 or d.manual or d.replayed)
  )`
}

/**
 * Lists the endpoint's attempts since `since`, newest first, with one more than `limit`, which shows whether
 * more follow.
 */
export const listDeliveries = (
  ctx: Context,
  endpointId: string,
  page: DeliveryListing,
  since: Date,
): Promise<DeliveryRow[]> => {
  let query = deliveries(ctx).where('d.endpointId', '=', endpointId).where('d.createdAt', '>', since)
  if (page.event) query = query.where('d.event', '=', page.event)
  // Failed attempts have an index of their own, which the planner uses only with a constant.
  if (page.status === 'failed') query = query.where(sql<boolean>`d.status = 'failed'`)
  else if (page.status) query = query.where('d.status', '=', page.status)
  if (page.eventId) query = query.where(ofEvent(page.eventId))
  if (page.cursor) query = query.where('d.id', '<', page.cursor)
  return ctx.tx.all(query.orderBy('d.id', 'desc').limit(page.limit + 1))
}

/** Returns whether queries over the endpoint's many attempts need a limit. */
export const hasManyDeliveries = async (ctx: Context, endpointId: string): Promise<boolean> =>
  (
    await ctx.tx.sql(
      'select 1 as one from deliveries where workspace_id = $1 and endpoint_id = $2 offset $3 limit 1',
      [ctx.workspace.id, endpointId, MANY_ROWS],
    )
  ).length > 0

export const findDelivery = (ctx: Context, id: string): Promise<DeliveryRow | undefined> =>
  ctx.tx.first(deliveries(ctx).where('d.id', '=', id))

/** An attempt with all data from which its signatures were made. */
export type SignedDelivery = Pick<StoredDelivery, 'eventId' | 'event' | 'request'> &
  Pick<StoredWebhook, 'keyId' | 'secretSealed' | 'oldSecretSealed'> &
  Pick<StoredEvent, 'data'> & {
    request: DeliveryRow['request']
    /** The exact text that is sent; null when the event has left the log. */
    data: string | null
    createdAt: StoredEvent['createdAt'] | null
  }

export const findSignedDelivery = (ctx: Context, id: string): Promise<SignedDelivery | undefined> =>
  ctx.tx
    .sql<SignedDelivery>(
      `select d.event_id, d.event, p.key_id, d.request, p.secret_sealed, p.old_secret_sealed, e.data::text as data, e.created_at
       from deliveries d
       join webhook_endpoints p on p.workspace_id = d.workspace_id and p.id = d.endpoint_id
       left join events e on e.workspace_id = d.workspace_id and e.id = d.event_id
       where d.workspace_id = $1 and d.id = $2`,
      [ctx.workspace.id, id],
    )
    .then(([row]) => row)

/** Finds a waiting delivery of the endpoint with another event than these. */
export const findWaitingBesides = (
  ctx: Context,
  endpointId: string,
  events: string[],
): Promise<{ event: string } | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('deliveries')
      .select('event')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('endpointId', '=', endpointId)
      .where('runAt', 'is not', null)
      .where('event', 'not in', events)
      .limit(1),
  )

/** Inserts a manual delivery: due immediately, never retried. */
export async function insertManualDelivery(
  ctx: Context,
  delivery: { endpointId: string; eventId: string; event: string },
): Promise<string> {
  const id = newId()
  await ctx.tx.run(
    db.insertInto('deliveries').values({
      ...delivery,
      id,
      workspaceId: ctx.workspace.id,
      manual: true,
      createdAt: ctx.now,
      dueAt: ctx.now,
      runAt: realTime(ctx.now, ctx.workspace),
    }),
  )
  return id
}

/** Adds an event for a single endpoint to the log. */
export async function insertEvent(ctx: Context, name: string, data: unknown): Promise<string> {
  const id = newId()
  await ctx.tx.run(
    db
      .insertInto('events')
      .values({ id, workspaceId: ctx.workspace.id, name, data: json(data), createdAt: ctx.now }),
  )
  return id
}

type StoredMember = Selectable<Tables['members']>
export type Disabled = Pick<StoredWebhook, 'url' | 'disabledAt' | 'disabledReason'> &
  Pick<StoredMember, 'email'> & { disabledAt: Date; disabledReason: string }

/**
 * Returns the data for a member's notice about an endpoint that is disabled now; undefined if it is not, or
 * if the member has left.
 */
export const findDisabledFor = (
  ctx: Context,
  webhookId: string,
  memberId: string,
): Promise<Disabled | undefined> =>
  ctx.tx
    .sql<Disabled>(
      `select p.url, p.disabled_at, p.disabled_reason, m.email
       from webhook_endpoints p join members m on m.workspace_id = p.workspace_id and m.id = $3 and m.left_at is null
       where p.workspace_id = $1 and p.id = $2 and not p.active and p.disabled_at is not null`,
      [ctx.workspace.id, webhookId, memberId],
    )
    .then(([row]) => row)

/** Lists the workspace's owners and admins. */
export const listAdminIds = async (ctx: Context): Promise<string[]> =>
  (
    await ctx.tx.sql<Pick<StoredMember, 'id'>>(
      `select id from members where workspace_id = $1 and (owner or role = 'admin') and left_at is null order by id`,
      [ctx.workspace.id],
    )
  ).map(({ id }) => id)
