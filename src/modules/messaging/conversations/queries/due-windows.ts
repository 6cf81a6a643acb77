/** Statements of the 24-hour windows that end. */
import type { Query, Tx } from '../../../../core/context.ts'
import type { DueMoment } from '../../../../core/due.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { alignRows, isDue } from '../../../../database/sql/due-statements.ts'
import { isOfWorkspace, queryInOrder } from '../../../../database/sql/sql.ts'
import type { ConversationRow } from './conversations.ts'

export type DueWindow = Pick<ConversationRow, 'workspaceId' | 'id'>

/** Returns expired windows of one workspace or of all, longest due first. */
export const listDueWindows = (
  tx: Tx,
  due: DueMoment,
  max: number,
  workspaceId?: string,
): Promise<DueWindow[]> =>
  workspaceId === undefined
    ? queryInOrder(
        tx,
        `select workspace_id, id from conversations c where window_run_at <= $1 and ${isOfWorkspace('c')}
         order by window_run_at limit $2`,
        [due.now, max],
      )
    : queryInOrder(
        tx,
        `select workspace_id, id from conversations
         where workspace_id = $3 and ${isDue('window_run_at', 'run_offset_ms', { now: '$4', by: '$1', offsetMs: '$5' })}
         order by window_run_at limit $2`,
        [due.by, max, workspaceId, due.now, due.offsetMs],
      )

/** A window after its check. */
export type SeenWindow = Pick<
  ConversationRow,
  'workspaceId' | 'id' | 'contactId' | 'windowExpiresAt' | 'windowOpen'
>

/**
 * Closes the expired windows among `windows` that no other transaction has locked. Extended windows get a new
 * check at their expiry. Returns both kinds. A second closer finds none left. `aheadMs`: how far the
 * workspace's clock is ahead of real time.
 */
export const closeDueWindows = (
  tx: Tx,
  windows: (DueWindow & { aheadMs: number })[],
  due: DueMoment,
): Promise<SeenWindow[]> =>
  tx.sql<SeenWindow>(
    `with locked as (
       select c.workspace_id, c.id, nullif(d.ahead_ms, 0)::bigint as ahead_ms, nullif(greatest(c.window_expires_at - d.ahead_ms * interval '1 millisecond', $4), $4) as again_at
       from unnest($1::uuid[], $2::uuid[], $3::float8[]) as d (workspace_id, id, ahead_ms)
       join conversations c on c.workspace_id = d.workspace_id and c.id = d.id
       where ${isDue('c.window_run_at', 'c.run_offset_ms', { now: '$4', by: '$5', offsetMs: '$6' })}
       order by c.workspace_id, c.id for no key update of c skip locked
     )
     update conversations c set window_open = locked.again_at is not null, window_run_at = locked.again_at,
            run_offset_ms = case when locked.again_at is not null then locked.ahead_ms end
     from locked where c.workspace_id = locked.workspace_id and c.id = locked.id
     returning c.workspace_id, c.id, c.contact_id, c.window_expires_at, c.window_open`,
    [
      windows.map((window) => window.workspaceId),
      windows.map((window) => window.id),
      windows.map((window) => window.aheadMs),
      due.now,
      due.by,
      due.offsetMs,
    ],
  )

/** Returns when the workspace's next window is due, in real time. */
export async function findNextDueWindow(query: Query, workspaceId: string): Promise<Date | undefined> {
  const [row] = await query<Pick<ConversationRow, 'windowRunAt'>>(
    `select window_run_at from conversations where workspace_id = $1 and window_run_at is not null
     order by window_run_at limit 1`,
    [workspaceId],
  )
  return row?.windowRunAt ?? undefined
}

export const alignWindows: NonNullable<WorkSource['align']> = (query, workspaceId, to) =>
  alignRows(
    query,
    { table: 'conversations', runAt: 'window_run_at', waiting: 't.window_run_at is not null' },
    workspaceId,
    to,
  )
