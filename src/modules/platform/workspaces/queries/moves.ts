import type { Query } from '../../../../core/context.ts'
import { isFound } from '../../../../database/sql/sql.ts'

/** The cell to which a workspace has moved, and whether it is only arriving from another one (docs/decisions/workspace-moves.md). */
export type MoveOf = { newCell: string | null; isArriving: boolean }

export const findMoveOf = async (query: Query, workspaceId: string): Promise<MoveOf | undefined> =>
  (
    await query<MoveOf>(
      `select w.moved_to ->> 'cell' as new_cell, ${isFound(
        `from workspace_moves m
         where m.moved_workspace_id = w.id and m.direction = 'in' and m.phase = 'loading'`,
      )} as is_arriving
       from workspaces w where w.id = $1 and w.fenced`,
      [workspaceId],
    )
  )[0]
