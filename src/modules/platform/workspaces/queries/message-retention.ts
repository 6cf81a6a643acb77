import type { Context } from '../../../../core/context.ts'
import type { WorkspaceRow } from './workspaces.ts'

type MessageRetention = Pick<WorkspaceRow, 'messageDays' | 'messagesSince'>

/** Returns the days for which the workspace keeps messages, and the earliest year with imported messages. */
export const findMessageRetention = async ({ tx, workspace }: Context): Promise<MessageRetention> =>
  (
    await tx.sql<MessageRetention>('select message_days, messages_since from workspaces where id = $1', [
      workspace.id,
    ])
  )[0]!

/** Lowers the time since which the workspace has messages. */
export const lowerMessagesSince = ({ tx, workspace }: Context, since: Date): Promise<unknown> =>
  tx.sql(
    'update workspaces set messages_since = $2 where id = $1 and (messages_since is null or messages_since > $2)',
    [workspace.id, since],
  )
