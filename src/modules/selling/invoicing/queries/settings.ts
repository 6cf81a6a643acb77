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
      `with moved as (
         select coalesce(max(last_number), 0) as last_number, max(last_date) as last_date from number_series
         where workspace_id = $1 and series = $2 and financial_year <> $3 and left(financial_year, 4) = left($3, 4)
       )
       insert into number_series as s (workspace_id, series, financial_year, last_number, last_date)
       select $1::uuid, $2::text, $3::text, moved.last_number + 1, greatest(moved.last_date, $4::text) from moved
       where not $5::boolean or moved.last_date is null or moved.last_date <= $4::text
       on conflict (workspace_id, series, financial_year) do update
       set last_number = greatest(s.last_number + 1, excluded.last_number),
           last_date = greatest(s.last_date, excluded.last_date)
       where not $5::boolean or s.last_date <= $4::text
       returning last_number`,
      [ctx.workspace.id, series, financialYear, day, isEarlier],
    )
  )[0]?.lastNumber

/** Counts a document of the month. Returns false if the limit is reached. */
export const countDocument = async (ctx: Context, month: string, allowance: number): Promise<boolean> =>
  (
    await ctx.tx.sql(
      `insert into sales_document_months as m (workspace_id, month, documents) select $1, $2, 1 where $3 > 0
       on conflict (workspace_id, month) do update set documents = m.documents + 1 where m.documents < $3
       returning 1`,
      [ctx.workspace.id, month, allowance],
    )
  ).length > 0
