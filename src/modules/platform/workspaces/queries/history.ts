/** Statements on the history of numbers that stay in the phone app. */
import type { Tx } from '../../../../core/context.ts'
import { instants, texts, uuids } from '../../../../database/sql/binary-arrays.ts'
import type { NumberKey, StoredNumber } from './numbers.ts'

export type HistoryState = 'requested' | 'receiving' | 'complete' | 'declined'

/** The history of a number that has arrived. `at`: the workspace's time. */
export type HistoryArrival = NumberKey & {
  progress: number | null
  phase: number | null
  /** Messages arrived, or their progress. */
  hasArrived: boolean
  declined: string | null
  stored: number
  leftOut: number
  at: Date
}

/**
 * Adds arrivals to numbers. Their order does not matter: the largest progress counts, and messages outrank a
 * refusal.
 */
export const addHistoryArrivals = (tx: Tx, rows: HistoryArrival[]): Promise<unknown> =>
  tx.sql(
    `update phone_numbers n
     set history_state = case
           when u.progress >= 100 or n.history_state = 'complete' then 'complete'
           when u.has_arrived or n.history_state = 'receiving' then 'receiving'
           else 'declined' end,
         history_reason = case when u.has_arrived or n.history_state in ('receiving', 'complete') then null else u.declined end,
         history_progress = greatest(n.history_progress, u.progress),
         history_phase = greatest(n.history_phase, u.phase),
         history_stored = n.history_stored + u.stored, history_left_out = n.history_left_out + u.left_out,
         history_at = greatest(n.history_at, u.at)
     from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::int4[], $5::boolean[], $6::text[], $7::int4[], $8::int4[], $9::timestamptz[])
       as u (workspace_id, id, progress, phase, has_arrived, declined, stored, left_out, at)
     where n.workspace_id = u.workspace_id and n.id = u.id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.phoneNumberId)),
      rows.map((row) => row.progress),
      rows.map((row) => row.phase),
      rows.map((row) => row.hasArrived),
      texts(rows.map((row) => row.declined)),
      rows.map((row) => row.stored),
      rows.map((row) => row.leftOut),
      instants(rows.map((row) => row.at)),
    ],
  )

export type NumberHistory = Pick<
  StoredNumber,
  | 'id'
  | 'operator'
  | 'state'
  | 'historyState'
  | 'historyProgress'
  | 'historyPhase'
  | 'historyStored'
  | 'historyLeftOut'
  | 'historyReason'
  | 'historyRequestedAt'
  | 'historyAt'
> & { historyState: HistoryState | null }

/** Returns a number with its history, locked. */
export const findHistoryForUpdate = async (
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<NumberHistory | undefined> =>
  (
    await tx.sql<NumberHistory>(
      `select id, operator, state, history_state, history_progress, history_phase, history_stored, history_left_out,
              history_reason, history_requested_at, history_at
       from phone_numbers where workspace_id = $1 and id = $2 for no key update`,
      [workspaceId, id],
    )
  )[0]

/** Records that the history was requested, unless some of it has already arrived. */
export const markHistoryRequested = (tx: Tx, workspaceId: string, id: string, at: Date): Promise<unknown> =>
  tx.sql(
    `update phone_numbers set history_state = 'requested', history_reason = null, history_requested_at = $3, history_at = $3
     where workspace_id = $1 and id = $2 and (history_state is null or history_state in ('requested', 'declined'))`,
    [workspaceId, id, at],
  )

/** Records why the operator did not accept the request made at `requestedAt`. */
export const markHistoryRefused = (
  tx: Tx,
  { workspaceId, phoneNumberId }: NumberKey,
  { requestedAt, reason, state }: { requestedAt: Date; reason: string; state: HistoryState | null },
): Promise<unknown> =>
  tx.sql(
    `update phone_numbers set history_state = $4, history_reason = $5
     where workspace_id = $1 and id = $2 and history_state = 'requested' and history_requested_at = $3`,
    [workspaceId, phoneNumberId, requestedAt, state, reason],
  )
