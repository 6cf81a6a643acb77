import type { Context } from '../../../core/context.ts'
import { countContactRows, listUsage } from '../queries/counts.ts'

/** How many contacts are stored: as they were counted, else counted now. */
export async function countStoredContacts(ctx: Context): Promise<number> {
  const [usage] = await listUsage(ctx.tx, [ctx.workspace.id])
  return usage?.contacts ?? countContactRows(ctx.tx, ctx.workspace.id)
}
