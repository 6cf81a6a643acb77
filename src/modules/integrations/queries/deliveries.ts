/** Every statement on what shops report: stored as it came, applied later, known again for a week. */
import type { Query, Tx } from '../../../core/context.ts'
import { alignRows, type DueMoment, isDue } from '../../../core/due.ts'
import { isOfWorkspace, uuids } from '../../../core/sql.ts'
import type { WorkSource } from '../../../core/work.ts'
import type { Provider } from '../schema.ts'

export type NewDelivery = {
  workspaceId: string
  id: string
  integration: string
  provider: Provider
  shopId: string
  deliveryId: string
  topic: string
  raw: Buffer
  runAt: Date
  receivedAt: Date
}
export type DueDelivery = Omit<NewDelivery, 'deliveryId' | 'runAt' | 'receivedAt'> & { attempts: number }

/** Stores a delivery; false when it came before. */
export const insertDelivery = async (tx: Tx, delivery: NewDelivery): Promise<boolean> =>
  (
    await tx.sql(
      `insert into shop_deliveries
         (workspace_id, id, integration, provider, shop_id, delivery_id, topic, raw, run_at, received_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict (workspace_id, integration, delivery_id) do nothing returning id`,
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
      ],
    )
  ).length > 0

const WAITING = 'raw is not null and failed_at is null'

/** Workspaces of which deliveries are due. */
export const listDeliveryWorkspaces = async (query: Query, now: Date, limit: number): Promise<string[]> =>
  (
    await query<{ workspaceId: string }>(
      `select distinct workspace_id from (
         select workspace_id from shop_deliveries d where ${WAITING} and run_at <= $1 and ${isOfWorkspace('d')}
         order by run_at limit $2) waiting`,
      [now, limit],
    )
  ).map((row) => row.workspaceId)

/** Due deliveries of a workspace in the order in which they came. */
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

/** They are applied: their bytes go, and their names stay. */
export const markDeliveriesApplied = (tx: Tx, workspaceId: string, ids: string[]): Promise<unknown> =>
  tx.sql(
    'update shop_deliveries set raw = null, run_offset_ms = null where workspace_id = $1 and id = any($2::uuid[])',
    [workspaceId, uuids(ids)],
  )

/** Puts a delivery back for its next try, or aside with its error. */
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
    await query<{ runAt: Date }>(
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

/** Forgets deliveries that came before `before`, at most `limit`; how many it were. */
export const deleteOldDeliveries = async (query: Query, before: Date, limit: number): Promise<number> =>
  (
    await query(
      `delete from shop_deliveries where ctid = any (array(
         select ctid from shop_deliveries where received_at < $1 order by received_at limit $2)) returning 1 as gone`,
      [before, limit],
    )
  ).length
