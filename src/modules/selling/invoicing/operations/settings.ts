/** A workspace's sales settings, with defaults until an admin changes them. */
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { requireFresh } from '../../../../core/require-fresh.ts'
import type { StoredBasis } from '../queries/documents.ts'
import { hasNumbered, lockSettings, salesSettings } from '../queries/settings.ts'
import { SalesSettings } from '../settings-schema.ts'

export const readSettings = async (ctx: Context): Promise<SalesSettings> =>
  SalesSettings.parse((await salesSettings.find(ctx)) ?? {})

/** Returns the settings, locked until the transaction ends. */
export async function holdSettings(ctx: Context): Promise<SalesSettings> {
  await lockSettings(ctx, { shared: true })
  return readSettings(ctx)
}

/** Returns the settings that a document stores with its totals. */
export const basisOf = ({
  seller,
  taxScheme,
  pricesIncludeTax,
  roundToUnit,
}: SalesSettings): StoredBasis => ({ seller, taxScheme, pricesIncludeTax, roundToUnit })

/**
 * Returns the rules for a document made from another: today's seller and tax scheme, but the other document's
 * meaning of prices, so that the total stays as the customer saw it.
 */
export const withDocumentRules = (basis: StoredBasis | null, settings: SalesSettings): SalesSettings =>
  basis === null
    ? settings
    : { ...settings, pricesIncludeTax: basis.pricesIncludeTax, roundToUnit: basis.roundToUnit }

/** Returns the rules of an advance: the payment includes its tax, and is not rounded. */
export const rulesOfAdvance = (settings: SalesSettings): SalesSettings => ({
  ...settings,
  pricesIncludeTax: true,
  roundToUnit: false,
})

/** Replaces the settings. Issued documents keep their settings. */
export async function replaceSettings(ctx: Context, settings: SalesSettings): Promise<SalesSettings> {
  await lockSettings(ctx, { shared: false })
  const before = await readSettings(ctx)
  if (before.currency !== settings.currency && (await hasNumbered(ctx)))
    refuse('conflict', `Documents were already issued in ${before.currency}. Leave the currency unchanged.`)
  // A change of the address that customers pay to requires a recent sign-in.
  for (const field of ['upiId', 'bank'] as const)
    if ((before.seller?.[field] ?? null) !== (settings.seller?.[field] ?? null)) requireFresh(ctx)
  await salesSettings.upsert(ctx, settings)
  return settings
}
