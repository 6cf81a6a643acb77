import type { Context } from '../../../../core/context.ts'
import { countContactRows, listUsage } from '../queries/counts.ts'

/** Returns the number of stored contacts: the kept count, or a new count if none is kept. */
export async function countStoredContacts(ctx: Context): Promise<number> {
  const [usage] = await listUsage(ctx.tx, [ctx.workspace.id])
  return usage?.contacts ?? countContactRows(ctx.tx, ctx.workspace.id)
}
