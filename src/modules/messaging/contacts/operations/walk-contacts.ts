/** Limits how many reads walk through all contacts of a workspace (docs/decisions/rate-limits.md). */
import type { Context, Tx } from '../../../../core/context.ts'
import { requireCostlyRead, takeCostlyRead } from '../../../../database/sql/costly-reads.ts'
import { hasManyContacts } from '../queries/contacts.ts'

/** Returns false while the maximum number of other walks runs. Workspaces with few contacts have no limit. */
export const mayWalkContacts = async (tx: Tx, workspaceId: string): Promise<boolean> =>
  !(await hasManyContacts(tx, workspaceId)) || takeCostlyRead(tx, workspaceId)

/** Refuses with `rate_limited` if a walk can't start. */
export async function requireContactWalk(ctx: Context): Promise<void> {
  if (await hasManyContacts(ctx.tx, ctx.workspace.id)) await requireCostlyRead(ctx)
}
