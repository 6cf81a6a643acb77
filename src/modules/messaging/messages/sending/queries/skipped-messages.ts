import type { Tx } from '../../../../../core/context.ts'
import { texts, uuids } from '../../../../../database/sql/binary-arrays.ts'
import type { MessageRow } from '../../message-rows.ts'
import type { SkipReason } from '../../schema.ts'
import { appendedSql, lineOf, storedLine } from '../../trace-lines.ts'

export type SkippedRow = Pick<
  MessageRow,
  | 'workspaceId'
  | 'id'
  | 'conversationId'
  | 'contactId'
  | 'createdAt'
  | 'broadcastId'
  | 'phoneNumberId'
  | 'type'
>

/** Marks messages whose call has not begun as deliberately not sent. Returns the rows that it marked. */
export const skipMessages = (
  tx: Tx,
  rows: { workspaceId: string; id: string; reason: SkipReason; at: Date }[],
): Promise<SkippedRow[]> =>
  tx.sql<SkippedRow>(
    `with held as materialized (
       select m.workspace_id, m.id, u.reason, u.step
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as u (workspace_id, id, reason, step)
       join messages m on m.workspace_id = u.workspace_id and m.id = u.id
       where m.status = 'queued' and m.run_at is not null and m.leased_until is null
       order by m.workspace_id, m.id for update of m
     )
     update messages m set status = 'skipped', skip_reason = held.reason, run_at = null, trace = ${appendedSql('m', 'held.step')}
     from held where m.workspace_id = held.workspace_id and m.id = held.id
     returning m.workspace_id, m.id, m.conversation_id, m.contact_id, m.created_at, m.broadcast_id, m.phone_number_id,
               m.type`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      texts(rows.map((row) => row.reason)),
      texts(rows.map(({ reason, at }) => storedLine(lineOf({ skipped: reason, at: at.getTime() })))),
    ],
  )
