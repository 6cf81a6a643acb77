/** Statements on messages that are held back: queued, with nobody to hand them over yet. */
import type { Tx } from '../../../../core/context.ts'
import { json } from '../../../../core/sql.ts'

type Key = { workspaceId: string; id: string }

const HELD = `workspace_id = $1 and id = $2 and status = 'queued' and run_at is null and chanmid is null`

/** Lets it go out as `content`, from `runAt` (real time) on; false when it is held no more. */
export const releaseHeldMessage = async (
  tx: Tx,
  { workspaceId, id }: Key,
  { content, runAt }: { content: Record<string, unknown>; runAt: Date },
): Promise<boolean> =>
  (
    await tx.sql(`update messages set content = $3, run_at = $4 where ${HELD} returning id`, [
      workspaceId,
      id,
      json(content),
      runAt,
    ])
  ).length > 0

/** Marks it as deliberately not sent; what it was, or undefined when it is held no more. */
export const skipHeldMessage = async (
  tx: Tx,
  { workspaceId, id }: Key,
  reason: string,
): Promise<{ phoneNumberId: string; type: string; createdAt: Date } | undefined> =>
  (
    await tx.sql<{ phoneNumberId: string; type: string; createdAt: Date }>(
      `update messages set status = 'skipped', skip_reason = $3 where ${HELD}
       returning phone_number_id, type, created_at`,
      [workspaceId, id, reason],
    )
  )[0]

/** Whether it has gone out or is going to: neither held nor ended without. */
export const isMessageReleased = async (tx: Tx, { workspaceId, id }: Key): Promise<boolean> =>
  (
    await tx.sql(
      `select id from messages
       where workspace_id = $1 and id = $2 and status not in ('skipped', 'failed') and not (${HELD})`,
      [workspaceId, id],
    )
  ).length > 0

/** Locks the message; whether it is held. */
export const lockHeldMessage = async (tx: Tx, { workspaceId, id }: Key): Promise<boolean> =>
  (await tx.sql(`select id from messages where ${HELD} for update`, [workspaceId, id])).length > 0
