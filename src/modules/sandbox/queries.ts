import type { Tx } from '../../core/context.ts'

/** Moves a sandbox's clock forward. */
export const moveClock = (tx: Tx, workspaceId: string, ms: number) =>
  tx.sql('update workspaces set clock_offset_ms = clock_offset_ms + $2 where id = $1 and sandbox', [
    workspaceId,
    ms,
  ])
