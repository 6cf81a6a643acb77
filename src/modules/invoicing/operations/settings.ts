/** How a workspace sells: its settings, complete even before anybody has said anything. */
import type { Context } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { requireFresh } from '../../../core/require-fresh.ts'
import type { StoredBasis } from '../queries/documents.ts'
import { hasNumbered, lockSettings, salesSettings } from '../queries/settings.ts'
import { SalesSettings } from '../settings-schema.ts'

export const readSettings = async (ctx: Context): Promise<SalesSettings> =>
  SalesSettings.parse((await salesSettings.find(ctx)) ?? {})

/** The settings, held as they are until the transaction ends. */
export async function holdSettings(ctx: Context): Promise<SalesSettings> {
  await lockSettings(ctx, { shared: true })
  return readSettings(ctx)
}

/** What a document keeps of the settings that it is reckoned by. */
export const basisOf = ({
  seller,
  taxScheme,
  pricesIncludeTax,
  roundToUnit,
}: SalesSettings): StoredBasis => ({ seller, taxScheme, pricesIncludeTax, roundToUnit })

/**
 * The rules of what is made of another document: seller and tax scheme are those of today, and prices mean what they meant there, so that
 * the total stays that which the customer was shown.
 */
export const rulesKept = (basis: StoredBasis | null, settings: SalesSettings): SalesSettings =>
  basis === null
    ? settings
    : { ...settings, pricesIncludeTax: basis.pricesIncludeTax, roundToUnit: basis.roundToUnit }

/** The rules of an advance: what was paid holds its tax, and is not rounded. */
export const rulesOfAdvance = (settings: SalesSettings): SalesSettings => ({
  ...settings,
  pricesIncludeTax: true,
  roundToUnit: false,
})

/** Replaces the settings. Documents that were issued keep what they were issued by. */
export async function replaceSettings(ctx: Context, settings: SalesSettings): Promise<SalesSettings> {
  await lockSettings(ctx, { shared: false })
  const before = await readSettings(ctx)
  if (before.currency !== settings.currency && (await hasNumbered(ctx)))
    refuse('conflict', `Documents were already issued in ${before.currency}. Leave the currency unchanged.`)
  // Where customers pay to.
  for (const field of ['upiId', 'bank'] as const)
    if ((before.seller?.[field] ?? null) !== (settings.seller?.[field] ?? null)) requireFresh(ctx)
  await salesSettings.upsert(ctx, settings)
  return settings
}
