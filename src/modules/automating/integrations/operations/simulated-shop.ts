/** Decides where simulated shops exist (DECISIONS.md). */
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { listNumbersWithOperatorIds } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { findIntegrationRow } from '../queries/integrations.ts'
import type { Name } from '../schema.ts'

/**
 * Returns whether the workspace has simulated shops. They require the simulated number, like simulated
 * customers.
 */
export const hasSimulatedShops = async (ctx: Context): Promise<boolean> =>
  ctx.workspace.sandbox || (await listNumbersWithOperatorIds(ctx, 'simulator')).length > 0

/**
 * Refuses if there is no simulated shop, or a real shop of its kind is connected, so that no simulated order
 * is mistaken for a real one.
 */
export async function requireSimulatedShop(ctx: Context, store: Name): Promise<void> {
  if (!(await hasSimulatedShops(ctx)))
    refuse('not_found', 'This workspace has no simulated number. Connect one in Settings → Numbers.')
  if (await findIntegrationRow(ctx.tx.sql, ctx.workspace.id, store))
    refuse(
      'conflict',
      `A real shop is connected (${store}). Use another workspace, so that test orders don't mix with real ones.`,
    )
}
