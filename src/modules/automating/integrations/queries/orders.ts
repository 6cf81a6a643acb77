/** SQL for the orders of shops. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import { texts } from '../../../../database/sql/binary-arrays.ts'
import { type CountedRows, countedRows, rowCount } from '../../../../database/sql/counted-rows.ts'
import { json, recordTexts } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { CodState, Provider } from '../order-schema.ts'

export type OrderRow = Omit<Selectable<Tables['orders']>, 'workspaceId' | 'provider'> & { provider: Provider }
export type OrderKey = Pick<OrderRow, 'provider' | 'shopId' | 'reference'>

const COLUMNS = `o.id, o.integration, o.provider, o.shop_id, o.reference, o.external_id, o.contact_id, o.phone, o.customer_name,
  o.total, o.currency, o.url, o.item_count, o.cash_on_delivery, o.placed_at, o.paid_at, o.shipped_at, o.cancelled_at,
  o.open_at, o.reported_at, o.erased, o.created_at`

/** Returns the stored orders with these keys. */
export const listOrdersByKey = (ctx: Context, keys: OrderKey[]): Promise<OrderRow[]> =>
  ctx.tx.sql<OrderRow>(
    `select ${COLUMNS} from orders o
     join unnest($2::text[], $3::text[], $4::text[])
       as k (provider, shop_id, reference)
     on o.provider = k.provider and o.shop_id = k.shop_id and o.reference = k.reference
     where o.workspace_id = $1`,
    [
      ctx.workspace.id,
      texts(keys.map((key) => key.provider)),
      texts(keys.map((key) => key.shopId)),
      texts(keys.map((key) => key.reference)),
    ],
  )

const ROW = recordTexts(
  {
    id: 'uuid',
    integration: 'text',
    provider: 'text',
    shop_id: 'text',
    reference: 'text',
    external_id: 'text',
    contact_id: 'uuid',
    phone: 'text',
    customer_name: 'text',
    total: 'numeric',
    currency: 'text',
    url: 'text',
    item_count: 'integer',
    cash_on_delivery: 'boolean',
    placed_at: 'timestamptz',
    paid_at: 'timestamptz',
    shipped_at: 'timestamptz',
    cancelled_at: 'timestamptz',
    open_at: 'timestamptz',
    reported_at: 'timestamptz',
    created_at: 'timestamptz',
  },
  ['id', 'provider', 'shop_id', 'reference', 'created_at'],
)

/** Stores orders. */
export const upsertOrders = (ctx: Context, rows: OrderRow[]): Promise<unknown> =>
  ctx.tx.sql(
    `insert into orders (workspace_id, ${ROW.columns})
     select $1, ${ROW.columns} from jsonb_to_recordset($2::jsonb) as r (${ROW.record})
     on conflict (workspace_id, provider, shop_id, reference) do update set ${ROW.writtenBack}`,
    [
      ctx.workspace.id,
      json(
        rows.map((row) => ({
          id: row.id,
          integration: row.integration,
          provider: row.provider,
          shop_id: row.shopId,
          reference: row.reference,
          external_id: row.externalId,
          contact_id: row.contactId,
          phone: row.phone,
          customer_name: row.customerName,
          total: row.total,
          currency: row.currency,
          url: row.url,
          item_count: row.itemCount,
          cash_on_delivery: row.cashOnDelivery,
          placed_at: row.placedAt,
          paid_at: row.paidAt,
          shipped_at: row.shippedAt,
          cancelled_at: row.cancelledAt,
          open_at: row.openAt,
          reported_at: row.reportedAt,
          created_at: row.createdAt,
        })),
      ),
    ],
  )

/** An order with the state of its question. */
export type ShownOrder = OrderRow &
  Pick<Selectable<Tables['codQuestions']>, 'askedAt' | 'answeredAt' | 'failure'> & {
    codStatus: CodState | null
  }

/** Returns at most `limit` + 1 rows, newest first. */
export const listOrderRows = (
  ctx: Context,
  {
    limit,
    cursor,
    contactId,
    reference,
  }: CursorQuery & { contactId?: string | undefined; reference?: string | undefined },
): Promise<ShownOrder[]> =>
  ctx.tx.sql<ShownOrder>(
    `select ${COLUMNS}, q.status as cod_status, q.asked_at, q.answered_at, q.failure
     from orders o left join cod_questions q on q.workspace_id = o.workspace_id and q.order_id = o.id
     where o.workspace_id = $1 and ($2::uuid is null or o.id < $2) and ($4::uuid is null or o.contact_id = $4)
       and ($5::text is null or o.reference = $5)
     order by o.workspace_id desc, o.id desc limit $3`,
    [ctx.workspace.id, cursor ?? null, limit + 1, contactId ?? null, reference ?? null],
  )

/** Returns the newest orders of a contact. */
export const listOrderRowsOfContact = async (
  ctx: Context,
  contactId: string,
  limit: number,
): Promise<CountedRows<ShownOrder>> =>
  countedRows<ShownOrder>(
    await ctx.tx.sql(
      `select ${COLUMNS}, q.status as cod_status, q.asked_at, q.answered_at, q.failure,
              ${rowCount('orders where workspace_id = $1 and contact_id = $2')}
       from orders o left join cod_questions q on q.workspace_id = o.workspace_id and q.order_id = o.id
       where o.workspace_id = $1 and o.contact_id = $2
       order by o.id desc limit $3`,
      [ctx.workspace.id, contactId, limit],
    ),
  )
