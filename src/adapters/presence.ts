/**
 * Sends presence to other processes by NOTIFY in a separate statement: in a writing transaction it would
 * serialize commits.
 */
import type { Query } from '../core/context.ts'
import { PRESENCE_CHANNEL } from '../database/changes.ts'
import type { PresenceReport } from '../http/live/presence.ts'

export const announcePresence = async (query: Query, report: PresenceReport): Promise<void> => {
  await query('select pg_notify($1, $2)', [PRESENCE_CHANNEL, JSON.stringify(report)])
}
