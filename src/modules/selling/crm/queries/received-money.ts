/** SQL for the ledger of received money. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import { instants, uuids } from '../../../../database/sql/binary-arrays.ts'
import { db, plainList } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

export type MoneyRow = Omit<Selectable<Tables['receivedMoney']>, 'source' | 'voidedAt'> & {
  source: 'payment_request' | 'document_payment' | 'booking_advance'
}

/** Stores money, once per source. */
export const insertMoneyRows = (tx: Tx, rows: MoneyRow[]): Promise<unknown> =>
  tx.sql(
    `insert into received_money (workspace_id, id, source, source_id, contact_id, lead_id, amount_minor, currency, received_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::int8[], $8::text[], $9::timestamptz[])
     on conflict (workspace_id, source, source_id) do nothing`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      plainList(rows.map((row) => row.source)),
      uuids(rows.map((row) => row.sourceId)),
      uuids(rows.map((row) => row.contactId)),
      uuids(rows.map((row) => row.leadId)),
      plainList(rows.map((row) => row.amountMinor)),
      plainList(rows.map((row) => row.currency)),
      instants(rows.map((row) => row.receivedAt)),
    ],
  )

/** Voids money, once. Returns undefined if it doesn't exist or was voided before. */
export const voidMoneyRow = (
  ctx: Context,
  source: MoneyRow['source'],
  sourceId: string,
): Promise<Pick<MoneyRow, 'leadId' | 'amountMinor' | 'currency'> | undefined> =>
  ctx.tx.first(
    db
      .updateTable('receivedMoney')
      .set({ voidedAt: ctx.now })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('source', '=', source)
      .where('sourceId', '=', sourceId)
      .where('voidedAt', 'is', null)
      .returning(['leadId', 'amountMinor', 'currency']),
  )

type Lowered = Pick<MoneyRow, 'workspaceId' | 'sourceId'> & { byMinor: number; at: Date }

/**
 * Subtracts refunds from money. Fully refunded money is voided. Returns the leads that the money counted for.
 */
export const lowerMoneyRows = (
  tx: Tx,
  source: MoneyRow['source'],
  rows: Lowered[],
): Promise<(Lowered & Pick<MoneyRow, 'leadId'>)[]> =>
  tx.sql(
    `update received_money m
     set amount_minor = case when m.amount_minor > u.by_minor then m.amount_minor - u.by_minor else m.amount_minor end,
         voided_at = case when m.amount_minor > u.by_minor then null else u.at end
     from unnest($2::uuid[], $3::uuid[], $4::int8[], $5::timestamptz[]) as u (workspace_id, source_id, by_minor, at)
     where m.workspace_id = u.workspace_id and m.source = $1 and m.source_id = u.source_id and m.voided_at is null
     returning m.workspace_id, m.source_id, m.lead_id, u.by_minor, u.at`,
    [
      source,
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.sourceId)),
      plainList(rows.map((row) => row.byMinor)),
      instants(rows.map((row) => row.at)),
    ],
  )
