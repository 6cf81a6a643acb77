/** Whether a read may walk along all contacts of a workspace now (docs/decisions/rate-limits.md). */
import type { Context, Tx } from '../../../core/context.ts'
import { requireCostlyRead, takeCostlyRead } from '../../../core/costly-reads.ts'
import { hasManyContacts } from '../queries/contacts.ts'

/** False while as many others as there may be do it; where contacts are few everybody may. */
export const mayWalkContacts = async (tx: Tx, workspaceId: string): Promise<boolean> =>
  !(await hasManyContacts(tx, workspaceId)) || takeCostlyRead(tx, workspaceId)

/** The same; refuses with `rate_limited`. */
export async function requireContactWalk(ctx: Context): Promise<void> {
  if (await hasManyContacts(ctx.tx, ctx.workspace.id)) await requireCostlyRead(ctx)
}
