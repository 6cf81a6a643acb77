/** SQL for shops' reports: stored as they arrive, applied later, recognized as repeats for a week. */
import type { Selectable } from 'kysely'
import type { Context, Query, Tx } from '../../../../core/context.ts'
import type { DueMoment } from '../../../../core/due.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { texts, uuids } from '../../../../database/sql/binary-arrays.ts'
import { deletingOlder } from '../../../../database/sql/delete-older.ts'
import { alignRows, isDue } from '../../../../database/sql/due-statements.ts'
import { isOfWorkspace } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { OrderType, Outcome, Provider } from '../order-schema.ts'

type DeliveryRow = Omit<Selectable<Tables['shopDeliveries']>, 'provider' | 'types' | 'outcome'> & {
  provider: Provider
  types: OrderType[]
  /** Null: the report is to be applied, and `raw` has its content. */
  outcome: Outcome | null
}
/** `reference` null: the report is ignored. `receivedAt` is in the workspace's time. */
export type NewDelivery = Omit<DeliveryRow, 'repeats' | 'attempts' | 'runOffsetMs' | 'failedAt' | 'lastError'>
export type DueDelivery = Pick<
  DeliveryRow,
  'workspaceId' | 'id' | 'integration' | 'provider' | 'shopId' | 'topic' | 'attempts'
> & { raw: NonNullable<DeliveryRow['raw']> }

/** Stores a delivery, or counts a repeat. Returns false for a repeat. */
export const insertDelivery = async (tx: Tx, delivery: NewDelivery): Promise<boolean> =>
  (
    await tx.sql<Pick<DeliveryRow, 'repeats'>>(
      `insert into shop_deliveries as d (workspace_id, id, integration, provider, shop_id, delivery_id, topic, raw, run_at,
         received_at, reference, types, outcome)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       on conflict (workspace_id, integration, delivery_id) do update set repeats = d.repeats + 1 returning repeats`,
      [
        delivery.workspaceId,
        delivery.id,
        delivery.integration,
        delivery.provider,
        delivery.shopId,
        delivery.deliveryId,
        delivery.topic,
        delivery.raw,
        delivery.runAt,
        delivery.receivedAt,
        delivery.reference,
        delivery.types,
        delivery.outcome,
      ],
    )
  )[0]!.repeats === 0

const WAITING = 'raw is not null and failed_at is null'

/** Returns workspaces with due deliveries. */
export const listDeliveryWorkspaces = async (query: Query, now: Date, limit: number): Promise<string[]> =>
  (
    await query<Pick<DeliveryRow, 'workspaceId'>>(
      `select distinct workspace_id from (
         select workspace_id from shop_deliveries d where ${WAITING} and run_at <= $1 and ${isOfWorkspace('d')}
         order by run_at limit $2) waiting`,
      [now, limit],
    )
  ).map((row) => row.workspaceId)

/** Returns due deliveries of a workspace in order of arrival. */
export const listDueDeliveries = (
  tx: Tx,
  { due, workspaceId, limit }: { due: DueMoment; workspaceId: string; limit: number },
): Promise<DueDelivery[]> =>
  tx.sql<DueDelivery>(
    `select workspace_id, id, integration, provider, shop_id, topic, raw, attempts from shop_deliveries
     where workspace_id = $2 and ${WAITING} and ${isDue('run_at', 'run_offset_ms', { now: '$4', by: '$1', offsetMs: '$5' })}
     order by run_at, id limit $3`,
    [due.by, workspaceId, limit, due.now, due.offsetMs],
  )

/** Stores the result. Deletes the content, and keeps the ids. */
export const markDeliveriesDone = (
  tx: Tx,
  workspaceId: string,
  rows: { id: string; outcome: Outcome }[],
): Promise<unknown> =>
  tx.sql(
    `update shop_deliveries d set outcome = done.outcome, raw = null, run_offset_ms = null
     from unnest($2::uuid[], $3::text[]) as done (id, outcome)
     where d.workspace_id = $1 and d.id = done.id`,
    [workspaceId, uuids(rows.map(({ id }) => id)), texts(rows.map(({ outcome }) => outcome))],
  )

/** A delivery in lists, without its content. */
export type ShownDelivery = Pick<
  DeliveryRow,
  | 'id'
  | 'deliveryId'
  | 'provider'
  | 'shopId'
  | 'topic'
  | 'reference'
  | 'types'
  | 'outcome'
  | 'receivedAt'
  | 'repeats'
  | 'attempts'
  | 'failedAt'
> & {
  /** In the workspace's time. */
  dueAt: Date
}

/** Returns at most `limit` + 1 rows, newest first. */
export const listShownDeliveries = (
  ctx: Context,
  { name, limit, cursor }: CursorQuery & { name: string },
): Promise<ShownDelivery[]> =>
  ctx.tx.sql<ShownDelivery>(
    `select id, delivery_id, provider, shop_id, topic, reference, types, outcome, received_at, repeats, attempts, failed_at,
       run_at + coalesce(run_offset_ms, 0) * interval '1 millisecond' as due_at
     from shop_deliveries where workspace_id = $1 and integration = $2 and ($3::uuid is null or id < $3)
     order by workspace_id desc, integration desc, id desc limit $4`,
    [ctx.workspace.id, name, cursor ?? null, limit + 1],
  )

/** Schedules the next attempt of a delivery, or marks it failed with its error. */
export const setBackDelivery = (
  query: Query,
  { workspaceId, id, attempts }: DueDelivery,
  next: { error: string; runAt: Date; runOffsetMs: number | null; failedAt: Date | null },
): Promise<unknown> =>
  query(
    `update shop_deliveries set attempts = attempts + 1, last_error = $3, run_at = $4, run_offset_ms = $7, failed_at = $5
     where workspace_id = $1 and id = $2 and attempts = $6 and raw is not null`,
    [workspaceId, id, next.error, next.runAt, next.failedAt, attempts, next.runOffsetMs],
  )

export const findNextDelivery: NonNullable<WorkSource['nextDue']> = async (query, workspaceId) =>
  (
    await query<Pick<DeliveryRow, 'runAt'>>(
      `select run_at from shop_deliveries where workspace_id = $1 and ${WAITING} order by run_at limit 1`,
      [workspaceId],
    )
  )[0]?.runAt

export const alignShopDeliveries: NonNullable<WorkSource['align']> = (query, workspaceId, to) =>
  alignRows(
    query,
    { table: 'shop_deliveries', waiting: 't.raw is not null and t.failed_at is null' },
    workspaceId,
    to,
  )

/** Deletes old deliveries by time of arrival. */
export const deleteOldDeliveries = deletingOlder('shop_deliveries', 'received_at')
