/** Every statement on the operator's rates. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

type RateRow = Selectable<Tables['rates']>
/** A price in millionths of a unit of the currency, for each message from a day on. */
export type Rate = Pick<RateRow, 'market' | 'category' | 'validFrom' | 'millionths'>

/**
 * Writes rates and replaces those with the same market, category and day. The list must not contain a rate
 * twice.
 */
export const upsertRates = (
  tx: Tx,
  workspaceId: string,
  rates: Rate[],
  { currency, at }: { currency: string; at: Date },
): Promise<unknown> =>
  tx.sql(
    `insert into rates (workspace_id, market, category, valid_from, millionths, currency, imported_at)
     select $1, market, category, valid_from, millionths, $6, $7
     from unnest($2::text[], $3::text[], $4::text[], $5::int8[]) as r (market, category, valid_from, millionths)
     on conflict (workspace_id, market, category, valid_from) do update
     set millionths = excluded.millionths, currency = excluded.currency, imported_at = excluded.imported_at`,
    [
      workspaceId,
      rates.map((rate) => rate.market),
      rates.map((rate) => rate.category),
      rates.map((rate) => rate.validFrom),
      rates.map((rate) => rate.millionths),
      currency,
      at,
    ],
  )

export const findRatesCurrency = async (tx: Tx, workspaceId: string): Promise<string | undefined> =>
  (await tx.first(db.selectFrom('rates').select('currency').where('workspaceId', '=', workspaceId).limit(1)))
    ?.currency

/** Returns the rates that start on or before `to`, latest first. */
export const listRates = (ctx: Context, to: string): Promise<(Rate & Pick<RateRow, 'importedAt'>)[]> =>
  ctx.tx.all(
    db
      .selectFrom('rates')
      .select(['market', 'category', 'validFrom', 'millionths', 'importedAt'])
      .where('workspaceId', '=', ctx.workspace.id)
      .where('validFrom', '<=', to)
      .orderBy('validFrom', 'desc'),
  )

export type ListedRate = Rate & { isUpcoming: boolean }

/** Lists the rates that apply on `today` or start later, by market and category, at most `limit`. */
export const listCurrentRates = (ctx: Context, today: string, limit: number): Promise<ListedRate[]> =>
  ctx.tx.sql(
    `select market, category, valid_from, millionths, is_upcoming from (
       (select distinct on (market, category) market, category, valid_from, millionths, false as is_upcoming
        from rates where workspace_id = $1 and valid_from <= $2 order by market, category, valid_from desc)
       union all
       select market, category, valid_from, millionths, true from rates where workspace_id = $1 and valid_from > $2
     ) applying order by market, category, valid_from limit $3`,
    [ctx.workspace.id, today, limit],
  )

/** Returns when rates were last imported; null without rates. */
export const findLastImport = async (ctx: Context): Promise<Date | null> =>
  (
    await ctx.tx.first(
      db
        .selectFrom('rates')
        .select((eb) => eb.fn.max('importedAt').as('importedAt'))
        .where('workspaceId', '=', ctx.workspace.id),
    )
  )?.importedAt ?? null
