/** Costs of messages, and the rates they are computed with (DECISIONS.md). */
import type { z } from 'zod'
import type { Context, Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { dayOf, daysBefore } from '../../../../core/values/calendar.ts'
import { listPricedCounts } from '../../../messaging/messages/pricing/operations.ts'
import { getWorkspace } from '../../../platform/workspaces/operations/get-workspace.ts'
import {
  findLastImport,
  findRatesCurrency,
  listCurrentRates,
  listRates,
  type Rate,
  upsertRates,
} from '../queries/rates.ts'
import { findWalletCurrency } from '../queries/wallet.ts'
import { type Costs, MAX_RATES, type RateList } from '../schema.ts'
import { figuresOf, type RateCard, rateCardOf } from './cost-figures.ts'

/** Returns the rates that start on or before `day`. */
export async function readRateCard(ctx: Context, day: string): Promise<RateCard> {
  const [currency, rates] = await Promise.all([
    findRatesCurrency(ctx.tx, ctx.workspace.id),
    listRates(ctx, day),
  ])
  return rateCardOf(currency, rates)
}

/** Returns the costs of the last `days` days in the workspace's time zone, today included. */
export async function readCosts(ctx: Context, days: number): Promise<z.input<typeof Costs>> {
  const { timezone } = ctx.workspace
  const to = dayOf(ctx.now, timezone)
  const dates = Array.from({ length: days }, (_, i) => daysBefore(to, days - 1 - i))
  const from = dates[0]!
  const [currency, rates, counts] = await Promise.all([
    findRatesCurrency(ctx.tx, ctx.workspace.id),
    listRates(ctx, to),
    listPricedCounts(ctx, from, to),
  ])
  const card = rateCardOf(currency, rates)
  const [latest] = rates
  const byDate = Map.groupBy(counts, (count) => count.day)
  const byCategory = Map.groupBy(counts, (count) => count.category)
  return {
    currency: currency ?? null,
    rateCard: latest ? { validFrom: latest.validFrom, importedAt: latest.importedAt.toISOString() } : null,
    days,
    from,
    to,
    timezone,
    total: figuresOf(counts, card),
    byDay: dates.map((date) => ({ date, ...figuresOf(byDate.get(date) ?? [], card) })),
    byCategory: [...byCategory]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([category, categoryCounts]) => ({ category, ...figuresOf(categoryCounts, card) })),
  }
}

/** Returns the rates that apply today or start later. */
export async function readRates(ctx: Context): Promise<z.input<typeof RateList>> {
  const today = dayOf(ctx.now, ctx.workspace.timezone)
  const [currency, importedAt, rates] = await Promise.all([
    findRatesCurrency(ctx.tx, ctx.workspace.id),
    findLastImport(ctx),
    listCurrentRates(ctx, today, MAX_RATES + 1),
  ])
  return {
    currency: currency ?? null,
    importedAt: importedAt?.toISOString() ?? null,
    rates: rates.slice(0, MAX_RATES),
    isPartial: rates.length > MAX_RATES,
  }
}

/** Imports rates and replaces those of the same day. Earlier charges stay. */
export async function importRates(
  tx: Tx,
  workspaceId: string,
  rates: Rate[],
  { currency, at }: { currency: string; at: Date },
): Promise<void> {
  await getWorkspace(tx, workspaceId)
  const others = [await findRatesCurrency(tx, workspaceId), await findWalletCurrency(tx, workspaceId)]
  const other = others.find((candidate) => candidate !== undefined && candidate !== currency)
  if (other)
    refuse('conflict', `This workspace's rates and wallet are in ${other}. Import rates in ${other}.`)
  await upsertRates(tx, workspaceId, rates, { currency, at })
}
