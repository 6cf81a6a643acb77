import type { Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import * as queries from '../queries/workspaces.ts'

/** Returns a workspace with its settings. Refuses with `not_found`. */
export const getWorkspace = async (tx: Tx, id: string): Promise<queries.WorkspaceRow> =>
  (await queries.findWorkspaceRow(tx, id)) ??
  refuse('not_found', `Workspace ${id} not found. See "parley workspace list".`)
