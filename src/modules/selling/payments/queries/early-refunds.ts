/** Statements on refunds that were reported before their payments. */
import type { Selectable } from 'kysely'
import type { Context, Unit } from '../../../../core/context.ts'
import { texts, uuids } from '../../../../database/sql/binary-arrays.ts'
import { deletingOlder } from '../../../../database/sql/delete-older.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

/** Stores the id of the payment; returns false if it is already stored. */
export const insertEarlyRefund = async (ctx: Context, paymentId: string): Promise<boolean> =>
  (await ctx.tx.run(
    db
      .insertInto('earlyRefunds')
      .values({ workspaceId: ctx.workspace.id, paymentId, reportedAt: ctx.now })
      .onConflict((conflict) => conflict.columns(['workspaceId', 'paymentId']).doNothing()),
  )) > 0

export type PaymentKey = Pick<Selectable<Tables['earlyRefunds']>, 'workspaceId' | 'paymentId'>

/** Deletes those of the payments that are stored, and returns them. */
export const takeEarlyRefunds = ({ tx }: Pick<Unit, 'tx'>, keys: PaymentKey[]): Promise<PaymentKey[]> =>
  tx.sql<PaymentKey>(
    `delete from early_refunds e using unnest($1::uuid[], $2::text[]) as k (workspace_id, payment_id)
     where e.workspace_id = k.workspace_id and e.payment_id = k.payment_id
     returning e.workspace_id, e.payment_id`,
    [uuids(keys.map((key) => key.workspaceId)), texts(keys.map((key) => key.paymentId))],
  )

/** Deletes rows by the time of the report. */
export const deleteOldEarlyRefunds = deletingOlder('early_refunds', 'reported_at')
