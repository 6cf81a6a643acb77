/** Statements on payment links of other modules. */
import type { Selectable } from 'kysely'
import type { Context, Unit } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { db, json } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

type Shaped = {
  status: 'open' | 'paid' | 'expired' | 'cancelled' | 'failed'
  furtherPayments: { paymentId: string; paidPaise: number }[]
}
export type LinkRow = Omit<Selectable<Tables['paymentLinks']>, keyof Shaped> & Shaped

export const insertLinkRow = (ctx: Context, row: LinkRow): Promise<unknown> =>
  ctx.tx.run(db.insertInto('paymentLinks').values({ ...row, furtherPayments: json(row.furtherPayments) }))

const own = (ctx: Context) =>
  db.selectFrom('paymentLinks').selectAll().where('workspaceId', '=', ctx.workspace.id)

export const findLinkRow = (ctx: Context, id: string): Promise<LinkRow | undefined> =>
  ctx.tx.first(own(ctx).where('id', '=', id)) as Promise<LinkRow | undefined>

export const findLinkForUpdate = (ctx: Context, id: string): Promise<LinkRow | undefined> =>
  ctx.tx.first(own(ctx).where('id', '=', id).forUpdate()) as Promise<LinkRow | undefined>

/** Returns the link that this payment paid first. */
export const findLinkOfPayment = (ctx: Context, paymentId: string): Promise<LinkRow | undefined> =>
  ctx.tx.first(own(ctx).where('paymentId', '=', paymentId)) as Promise<LinkRow | undefined>

/** Returns the link with this further payment. Not indexed: few links have any, and the search is rare. */
export const findLinkOfFurtherPayment = async (
  ctx: Context,
  paymentId: string,
): Promise<LinkRow | undefined> =>
  (
    await ctx.tx.sql<LinkRow>(
      `select * from payment_links where workspace_id = $1 and status = 'paid'
         and further_payments @> jsonb_build_array(jsonb_build_object('paymentId', $2::text)) limit 1`,
      [ctx.workspace.id, paymentId],
    )
  )[0]

/** Returns the latest link of a subject. */
export const findLinkOfSubject = (ctx: Context, subjectId: string): Promise<LinkRow | undefined> =>
  ctx.tx.first(own(ctx).where('subjectId', '=', subjectId).orderBy('id', 'desc').limit(1)) as Promise<
    LinkRow | undefined
  >

/** Lists those of the ids that are links of their workspaces, locked in the order of ids. */
export const listLinksForUpdate = (
  unit: Pick<Unit, 'tx'>,
  keys: { workspaceId: string; id: string }[],
): Promise<LinkRow[]> =>
  unit.tx.sql<LinkRow>(
    `select l.* from unnest($1::uuid[], $2::uuid[]) as k (workspace_id, id)
       join payment_links l on l.workspace_id = k.workspace_id and l.id = k.id
     order by l.workspace_id, l.id for update of l`,
    [uuids(keys.map((key) => key.workspaceId)), uuids(keys.map((key) => key.id))],
  )

export const updateLinkRow = (
  unit: Pick<Unit, 'tx'>,
  { workspaceId, id }: LinkRow,
  change: Partial<LinkRow>,
): Promise<unknown> =>
  unit.tx.run(
    db
      .updateTable('paymentLinks')
      .set({
        ...change,
        furtherPayments: change.furtherPayments && json(change.furtherPayments),
      })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id),
  )
