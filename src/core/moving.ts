/** Workspaces that move to another cell (docs/decisions/workspace-moves.md). */
import { Refusal } from './errors.ts'

/**
 * Where a workspace lives after a move. `address`: the base address of the cell's processes; null if the cell is in the same
 * database and none was given. `local`: the cell is in the same database.
 */
export type Destination = { cell: string; address: string | null; local: boolean }

/** Returns whether a request was refused because its workspace moves or has moved. */
export const isMovingRefusal = (error: unknown): error is Refusal =>
  error instanceof Refusal && (error.code === 'workspace_moving' || error.code === 'workspace_moved')
