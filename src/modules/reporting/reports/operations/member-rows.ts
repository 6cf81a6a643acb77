/** Figures by member. */
import type { Context } from '../../../../core/context.ts'
import { listMembers } from '../../../platform/workspaces/operations/workspace-members.ts'

/** Returns a function that adds the member's name to their figures; null for members who left. */
export async function nameMembers(ctx: Context) {
  const names = new Map((await listMembers(ctx.tx, ctx.workspace.id)).map(({ id, name }) => [id, name]))
  return (memberId: string | null) => ({
    memberId,
    name: memberId === null ? null : (names.get(memberId) ?? null),
  })
}

/** Returns the member of a source; null for a key, the phone app, and Parley itself. */
export const memberOf = ({
  sourceKind,
  sourceId,
}: {
  sourceKind: string | null
  sourceId: string | null
}): string | null => (sourceKind === 'member' ? sourceId : null)
