/** Statements on messages that all parts of the module use. */
import type { Tx } from '../../../core/context.ts'
import type { MessageRow } from './message-rows.ts'

type KnownMessage = Pick<MessageRow, 'workspaceId' | 'chanmid' | 'conversationId'> & { chanmid: string }

/** Returns those of the channel message ids that the workspaces have. */
export const listKnownChanmids = (tx: Tx, keys: { workspaceId: string; chanmid: string }[]) =>
  tx.sql<KnownMessage>(
    `select m.workspace_id, m.chanmid, m.conversation_id
     from unnest($1::uuid[], $2::text[]) as k(workspace_id, chanmid)
     join messages m on m.workspace_id = k.workspace_id and m.chanmid = k.chanmid`,
    [keys.map((key) => key.workspaceId), keys.map((key) => key.chanmid)],
  )
