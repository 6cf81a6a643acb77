import type { Context } from '../../../../core/context.ts'
import { findMessageRetention, lowerMessagesSince } from '../queries/message-retention.ts'

/**
 * Returns the days for which the workspace keeps messages (0: until they are erased), and prepares it for imported messages since
 * `earliest`: retention skips workspaces whose messages cannot be old. Rounds to years, so that an import changes the workspace
 * a few times at most.
 */
export async function admitMessagesSince(ctx: Context, earliest: Date): Promise<{ messageDays: number }> {
  const since = new Date(Date.UTC(earliest.getUTCFullYear(), 0, 1))
  const { messageDays, messagesSince } = await findMessageRetention(ctx)
  if (messagesSince === null || messagesSince > since) await lowerMessagesSince(ctx, since)
  return { messageDays }
}
