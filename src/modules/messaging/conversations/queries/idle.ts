/** SQL for chats in which one side has been silent since the other wrote. */
import type { Context, Query } from '../../../../core/context.ts'
import { idAt } from '../../../../core/ids.ts'
import type { ConversationRow } from './conversations.ts'

export type Side = 'team' | 'customer'
export type IdleChat = Pick<ConversationRow, 'id' | 'contactId'> & { since: Date }

// Chats where the team is silent wait for an answer and are sorted by the start of the wait. Chats where the
// customer is silent are read by their last activity.
const CHATS: Record<Side, string> = {
  team: `from conversation_activity a join conversations c on c.workspace_id = a.workspace_id and c.id = a.conversation_id
    where a.workspace_id = $1 and a.waiting_id is not null and c.state <> 'resolved' and a.waiting_since`,
  customer: `from conversation_activity a join conversations c on c.workspace_id = a.workspace_id and c.id = a.conversation_id
    where a.workspace_id = $1 and a.activity_id >= $2::uuid and a.waiting_since is null and c.state <> 'resolved' and a.last_message_at`,
}
const SINCE: Record<Side, string> = { team: 'a.waiting_since', customer: 'a.last_message_at' }
const parametersOf = (workspaceId: string, side: Side, from: Date | null): unknown[] =>
  side === 'team' ? [workspaceId] : [workspaceId, idAt(from ?? new Date(0))]

/**
 * Returns `limit` chats that became silent after `after` and not later than `until`, longest silence first,
 * plus the chats that became silent at the same time as the last. `activeFrom`: no chat was active before, in
 * real time; null if unknown.
 */
export const listIdleChats = (
  ctx: Context,
  side: Side,
  { after, until, activeFrom, limit }: { after: Date; until: Date; activeFrom: Date | null; limit: number },
): Promise<IdleChat[]> => {
  const values = parametersOf(ctx.workspace.id, side, activeFrom)
  const [a, b, c] = [1, 2, 3].map((n) => `$${values.length + n}`)
  return ctx.tx.sql<IdleChat>(
    `select c.id, c.contact_id, ${SINCE[side]} as since ${CHATS[side]} > ${a} and ${SINCE[side]} <= ${b} order by ${SINCE[side]}
     fetch first (${c}) rows with ties`,
    [...values, after, until, limit],
  )
}

/** Returns when the first chat became silent among those silent since after `after`. */
export const findNextIdle = async (
  query: Query,
  workspaceId: string,
  side: Side,
  after: Date,
): Promise<Date | undefined> => {
  const values = parametersOf(workspaceId, side, null)
  const [row] = await query<{ since: Date | null }>(
    `select min(${SINCE[side]}) as since ${CHATS[side]} > $${values.length + 1}`,
    [...values, after],
  )
  return row?.since ?? undefined
}
