/** Statements on messages of the phone app's history whose files are reported separately. */
import type { Tx } from '../../../../../core/context.ts'
import { jsonTexts, texts, uuids } from '../../../../../database/sql/binary-arrays.ts'
import { PAST_FILE_TYPE } from '../../../../../operator/media-types.ts'
import type { MessageRow } from '../../message-rows.ts'
import type { ChanmidKey } from './reported-messages.ts'

export type Placeholder = Pick<
  MessageRow,
  'workspaceId' | 'id' | 'conversationId' | 'contactId' | 'chanmid' | 'type' | 'content'
> & { chanmid: string }

/** Locks those of the messages that wait for their files, in a fixed order. */
export const lockPlaceholders = (tx: Tx, keys: ChanmidKey[]): Promise<Placeholder[]> =>
  tx.sql<Placeholder>(
    `select m.workspace_id, m.id, m.conversation_id, m.contact_id, m.chanmid, m.type, m.content from messages m
     where (m.workspace_id, m.id) in (
       select found.workspace_id, found.id from unnest($1::uuid[], $2::text[]) as k (workspace_id, chanmid)
       join messages found on found.workspace_id = k.workspace_id and found.chanmid = k.chanmid)
       and m.type = '${PAST_FILE_TYPE}' and m.deleted_at is null
     order by m.workspace_id, m.id for no key update`,
    [keys.map((key) => key.workspaceId), keys.map((key) => key.chanmid)],
  )

export const fillPlaceholders = (
  tx: Tx,
  rows: Pick<Placeholder, 'workspaceId' | 'id' | 'type' | 'content'>[],
): Promise<unknown> =>
  tx.sql(
    `update messages m set type = u.type, content = u.content
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::json[]) as u (workspace_id, id, type, content)
     where m.workspace_id = u.workspace_id and m.id = u.id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      texts(rows.map((row) => row.type)),
      jsonTexts(rows.map((row) => JSON.stringify(row.content))),
    ],
  )
