/** Statements on the campaigns of a period, and what their recipients paid and ordered afterwards. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

/**
 * Returns the newest `max` campaigns that started from `start` to `end`. `templateId`: only campaigns that sent this template to
 * all recipients.
 */
export const listStartedIds = async (
  ctx: Context,
  { start, end, max, templateId }: { start: Date; end: Date; max: number; templateId?: string | undefined },
): Promise<string[]> =>
  (
    await ctx.tx.sql<Pick<Selectable<Tables['broadcasts']>, 'id'>>(
      `select id from broadcasts where workspace_id = $1 and started_at >= $2 and started_at < $3
         and ($5::uuid is null or (template_id = $5 and sample_percent is null))
       order by workspace_id desc, started_at desc limit $4`,
      [ctx.workspace.id, start, end, max, templateId ?? null],
    )
  ).map(({ id }) => id)

type OfCampaign = Pick<Selectable<Tables['broadcastCounts']>, 'broadcastId'>
type Following = { ids: string[]; firstId: string; endId: string; withinMs: number }

/** Messages of campaigns that a row of a recipient follows within the given time. */
const follows = (contactId: string, at: string): string =>
  `m.workspace_id = $1 and m.broadcast_id = any($2::uuid[]) and m.status in ('sent', 'delivered', 'read')
   and m.contact_id = ${contactId} and ${at} >= m.sent_at
   and ${at} <= m.sent_at + $5::float8 * interval '1 millisecond'`

export type CampaignPayments = Pick<Selectable<Tables['receivedMoney']>, 'currency' | 'amountMinor'> &
  OfCampaign & { payments: number }

/** Adds up the payments of recipients within the given time after their message, by campaign and currency. */
export const sumPayments = (
  ctx: Context,
  { ids, firstId, endId, withinMs }: Following,
): Promise<CampaignPayments[]> =>
  ctx.tx.sql(
    `select m.broadcast_id, r.currency, count(*) as payments, sum(r.amount_minor)::int8 as amount_minor
     from (select contact_id, currency, amount_minor, received_at from received_money
           where workspace_id = $1 and id >= $3 and id < $4 and contact_id is not null and voided_at is null) r
     join messages m on ${follows('r.contact_id', 'r.received_at')}
     group by m.broadcast_id, r.currency order by m.broadcast_id, r.currency`,
    [ctx.workspace.id, uuids(ids), firstId, endId, withinMs],
  )

export type CampaignOrders = OfCampaign & { orders: number }

/** Counts the orders that recipients placed within the given time after their message, by campaign. */
export const countOrders = (
  ctx: Context,
  { ids, firstId, endId, withinMs }: Following,
): Promise<CampaignOrders[]> =>
  ctx.tx.sql(
    `select m.broadcast_id, count(*) as orders
     from (select contact_id, coalesce(placed_at, created_at) as at from orders
           where workspace_id = $1 and id >= $3 and id < $4 and contact_id is not null and cancelled_at is null) o
     join messages m on ${follows('o.contact_id', 'o.at')}
     group by m.broadcast_id`,
    [ctx.workspace.id, uuids(ids), firstId, endId, withinMs],
  )
