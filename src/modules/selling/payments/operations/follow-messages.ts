import type { Unit } from '../../../../core/context.ts'
import type { Counted } from '../../../../core/count.ts'
import { followMessageRows } from '../queries/requests.ts'

const FOLLOWED: ReadonlySet<Counted> = new Set(['sent', 'failed', 'skipped'])

/**
 * Updates payment requests whose messages were sent, failed, or were skipped, in the same transaction, with
 * at most one statement.
 */
export async function followMessages(unit: Unit): Promise<void> {
  const messageChanges = unit.counts.flatMap(({ workspaceId, messageId, type, counted, at }) =>
    messageId !== null && type === 'interactive' && FOLLOWED.has(counted)
      ? [{ workspaceId, messageId, at }]
      : [],
  )
  if (messageChanges.length > 0) await followMessageRows(unit, messageChanges)
}
