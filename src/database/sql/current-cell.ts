import type { Tx } from '../../core/context.ts'

/** Returns the cell whose tables the transaction uses. */
export const currentCell = async (tx: Tx): Promise<string> =>
  (await tx.sql<{ cell: string }>('select current_schema() as cell'))[0]!.cell
