import type { Query } from '../../../../core/context.ts'

/** Returns whether the cell has a workspace. A start reads this before it loads the service. */
export const hasAnyWorkspace = async (query: Query): Promise<boolean> =>
  (await query('select 1 from workspaces limit 1')).length > 0
