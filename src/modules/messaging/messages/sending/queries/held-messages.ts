/** Statements on held messages: queued, but not handed over yet. */
import type { Tx } from '../../../../../core/context.ts'
import { json } from '../../../../../database/sql/sql.ts'
import { isWindowOpenSql } from '../../../conversations/schema.ts'
import type { MessageRow } from '../../message-rows.ts'
import type { SkipReason } from '../../schema.ts'
import { appendedSql, lineOf, storedLine } from '../../trace-lines.ts'

type SkippedHeld = Pick<MessageRow, 'phoneNumberId' | 'conversationId' | 'type' | 'createdAt'>
type Key = Pick<MessageRow, 'workspaceId' | 'id'>

const HELD = `workspace_id = $1 and id = $2 and status = 'queued' and run_at is null and chanmid is null`

/**
 * Releases it with `content`, from `runAt` (real time) on; returns false if it is no longer held, or no
 * window is open `now`.
 */
export const releaseHeldMessage = async (
  tx: Tx,
  { workspaceId, id }: Key,
  { content, now, runAt }: { content: Record<string, unknown>; now: Date; runAt: Date },
): Promise<boolean> =>
  (
    await tx.sql(
      `update messages m set content = $3, run_at = $4
       where ${HELD} and exists (select from conversations v
         where v.workspace_id = m.workspace_id and v.id = m.conversation_id and ${isWindowOpenSql('v', '$5')})
       returning id`,
      [workspaceId, id, json(content), runAt, now],
    )
  ).length > 0

/** Marks it as deliberately not sent; returns its previous values, or undefined if it is no longer held. */
export const skipHeldMessage = async (
  tx: Tx,
  { workspaceId, id }: Key,
  { reason, at }: { reason: SkipReason; at: Date },
): Promise<SkippedHeld | undefined> =>
  (
    await tx.sql<SkippedHeld>(
      `update messages set status = 'skipped', skip_reason = $3, trace = ${appendedSql('messages', '$4::text')} where ${HELD}
       returning phone_number_id, conversation_id, type, created_at`,
      [workspaceId, id, reason, storedLine(lineOf({ skipped: reason, at: at.getTime() }))],
    )
  )[0]

/** Returns whether it was sent or will be: neither held nor ended while held. */
export const isMessageReleased = async (tx: Tx, { workspaceId, id }: Key): Promise<boolean> =>
  (
    await tx.sql(
      `select id from messages
       where workspace_id = $1 and id = $2 and status not in ('skipped', 'failed') and not (${HELD})`,
      [workspaceId, id],
    )
  ).length > 0

/** Locks the message; returns whether it is held. */
export const lockHeldMessage = async (tx: Tx, { workspaceId, id }: Key): Promise<boolean> =>
  (await tx.sql(`select id from messages where ${HELD} for update`, [workspaceId, id])).length > 0
