import type { Clock } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'

/** Aligns all waiting rows of a sandbox with one offset of its clock. */
export async function alignAll(
  { database, clock, sources }: { database: Database; clock: Clock; sources: WorkSource[] },
  workspaceId: string,
  offsetMs: number,
): Promise<void> {
  for (const source of sources)
    await source.align?.(database.query, workspaceId, { offsetMs, unlessDueAt: clock.now() })
}
