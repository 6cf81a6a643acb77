/** Every statement on the counts by day. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../core/context.ts'
import { COUNTED, type Counted } from '../../../core/count.ts'
import { rowArrays } from '../../../database/sql/row-arrays.ts'
import { addingUp } from '../../../database/sql/summed-deltas.ts'
import type { Tables } from '../../../database/sql/tables.ts'

export type Counts = Record<Counted, number>
export type NewDelta = Selectable<Tables['activityDeltas']>

const NAMES = COUNTED.join(', ')
const SUMS = COUNTED.map((name) => `sum(${name}) as ${name}`).join(', ')

const DELTA = rowArrays<NewDelta>(
  {
    workspace_id: 'uuid',
    id: 'uuid',
    day: 'text',
    phone_number_id: 'uuid',
    type: 'text',
    ...Object.fromEntries(COUNTED.map((name) => [name, 'int4'])),
  },
  [],
)

/** Inserts deltas of the counts by day. */
export const insertDeltas = (tx: Tx, rows: NewDelta[]): Promise<unknown> =>
  tx.sql(
    `insert into activity_deltas (${DELTA.columns}) select ${DELTA.columns} from ${DELTA.rows}`,
    DELTA.arraysOf(rows),
  )

/** Adds deltas to the counts of their days. */
export const addUpDeltas = addingUp({
  deltas: 'activity_deltas',
  sums: 'activity_days',
  keys: ['day', 'phone_number_id', 'type'],
  counts: COUNTED,
})

/** Returns the counts from one day to another, both included, for each day and type with counts. */
export function listCounts(
  ctx: Context,
  { from, to, phoneNumberId }: { from: string; to: string; phoneNumberId: string | undefined },
): Promise<(Pick<NewDelta, 'day' | 'type'> & Counts)[]> {
  const numberCondition = phoneNumberId === undefined ? '' : 'and phone_number_id = $4'
  const selectCounts = (table: string) =>
    `select day, type, ${NAMES} from ${table}
     where workspace_id = $1 and day >= $2 and day <= $3 ${numberCondition}`
  return ctx.tx.sql(
    `select day, type, ${SUMS}
     from (${selectCounts('activity_days')} union all ${selectCounts('activity_deltas')}) counted
     group by day, type order by day, type`,
    [ctx.workspace.id, from, to, ...(phoneNumberId === undefined ? [] : [phoneNumberId])],
  )
}

export type FailureCount = { code: number | null; title: string | null; count: number }

/**
 * Counts messages that failed since `since` by the operator's cause: at most `max` of them, in the order of
 * `messages_status`. `from` is an id older than all of them.
 */
export const listFailureCounts = (
  ctx: Context,
  { from, since, max }: { from: string; since: Date; max: number },
): Promise<FailureCount[]> =>
  ctx.tx.sql(
    `select (failed.error ->> 'code')::int4 as code, max(failed.error ->> 'title') as title, count(*)::int4 as count
     from (select error from messages
           where workspace_id = $1 and status = 'failed' and id >= $2 and created_at >= $3
           order by workspace_id, status, type, phone_number_id, id limit $4) failed
     group by (failed.error ->> 'code')::int4 order by count(*) desc, 1 nulls last`,
    [ctx.workspace.id, from, since, max],
  )

type MessageRow = Selectable<Tables['messages']>
/**
 * A message of a chat, with the fields that show waiting times. Lists are grouped by chat, earliest first.
 */
export type ChatMessage = Pick<MessageRow, 'conversationId' | 'direction' | 'sentBy'> & {
  direction: 'inbound' | 'outbound'
  at: MessageRow['createdAt']
}

/** Returns the latest messages since `since` of the last active chats, without messages of campaigns. */
export const listChatMessages = (
  ctx: Context,
  { from, since, chats, messages }: { from: string; since: Date; chats: number; messages: number },
): Promise<ChatMessage[]> =>
  ctx.tx.sql(
    `select a.conversation_id, m.direction, m.created_at as at, m.sent_by
     from (select conversation_id, activity_id from conversation_activity
           where workspace_id = $1 and activity_id >= $2 order by workspace_id desc, activity_id desc limit $4) a
     cross join lateral (
       select id, direction, created_at, sent_by from messages m
       where m.workspace_id = $1 and m.conversation_id = a.conversation_id and m.id >= $2 and m.created_at >= $3
         and m.broadcast_id is null and m.imported_from is null and m.type <> 'reaction' and m.status not in ('failed', 'skipped')
       order by m.conversation_id desc, m.id desc limit $5) m
     order by a.conversation_id, m.id`,
    [ctx.workspace.id, from, since, chats, messages],
  )
