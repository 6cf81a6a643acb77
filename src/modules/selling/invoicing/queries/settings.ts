/** SQL for the sales settings, the number series, and the monthly count of documents. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import { settingsRow } from '../../../../database/sql/settings-row.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'

/** Locks the settings: shared while documents are issued, exclusive for a change of the settings. */
export const lockSettings = (ctx: Context, { shared }: { shared: boolean }): Promise<unknown> =>
  lockInWorkspace(ctx.tx, ctx.workspace.id, 'sales settings', { shared })

export const salesSettings = settingsRow('sales_settings')

/** Returns whether any document was ever numbered. */
export const hasNumbered = async (ctx: Context): Promise<boolean> =>
  (await ctx.tx.sql('select 1 from number_series where workspace_id = $1 limit 1', [ctx.workspace.id]))
    .length > 0

type SeriesRow = Selectable<Tables['numberSeries']>
export type SeriesPlace = Pick<SeriesRow, 'series' | 'financialYear'> & { day: string; isEarlier: boolean }

/**
 * Returns the next number of a series; undefined if its latest number has a later day. Locks the row until
 * the transaction ends, so that a failed transaction returns its number. If a year's first day moves, the
 * series continues, because both years have the same name.
 */
export const takeNumber = async (
  ctx: Context,
  { series, financialYear, day, isEarlier }: SeriesPlace,
): Promise<number | undefined> =>
  (
    await ctx.tx.sql<Pick<SeriesRow, 'lastNumber'>>(
      `select last_number from take_series_number($1, $2, $3, $4, $5) as last_number where last_number is not null`,
      [ctx.workspace.id, series, financialYear, day, isEarlier],
    )
  )[0]?.lastNumber

/** Counts a document of the month. Returns false if the limit is reached. */
export async function countDocument(ctx: Context, month: string, allowance: number): Promise<boolean> {
  const key = [ctx.workspace.id, month]
  const [, counted] = await Promise.all([
    ctx.tx.sql(
      `insert into sales_document_months (workspace_id, month, documents) values ($1, $2, 0)
       on conflict (workspace_id, month) do nothing`,
      key,
    ),
    ctx.tx.sql(
      `update sales_document_months set documents = documents + 1
       where workspace_id = $1 and month = $2 and documents < $3 returning 1`,
      [...key, allowance],
    ),
  ])
  return counted.length > 0
}
