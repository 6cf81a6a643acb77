import type { Unit } from '../../../core/context.ts'
import { followMessageRows } from '../queries/requests.ts'

/** Payment requests learn that their messages went out, or failed, in the transaction that writes it. One statement, or none. */
export async function followMessages(unit: Unit): Promise<void> {
  const followed = unit.counts.flatMap(({ workspaceId, messageId, type, counted }) =>
    messageId !== null && type === 'interactive' && (counted === 'sent' || counted === 'failed')
      ? [{ workspaceId, messageId }]
      : [],
  )
  if (followed.length > 0) await followMessageRows(unit, followed)
}
