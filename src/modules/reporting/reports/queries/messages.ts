/** Statements on the messages of a period, over the primary key: ids contain the time. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { QUARTER_SECONDS } from '../period.ts'

type MessageRow = Selectable<Tables['messages']>

/** Messages of chats: no campaigns, no imports, no reactions, and nothing that was not sent. */
const OF_CHATS = `broadcast_id is null and imported_from is null and type <> 'reaction' and status not in ('failed', 'skipped')`

/** Messages that a person wrote. Messages without a source are older than sources. */
const BY_PERSON = `(source_kind in ('member', 'api_key', 'phone_app') or (source_kind is null and sent_by is not null))`

export type Bounds = { firstId: string; endId: string; start: Date; end: Date; max: number }

/** `quarter`: number of the quarter of an hour since the epoch. */
export type QuarterCount = { quarter: number; received: number; sent: number }

/** Counts the newest `max` messages of chats from `start` to `end`, by quarter of an hour. */
export const countByQuarter = (
  ctx: Context,
  { firstId, endId, start, end, max }: Bounds,
): Promise<QuarterCount[]> =>
  ctx.tx.sql(
    `select floor(extract(epoch from created_at) / ${QUARTER_SECONDS})::int4 as quarter,
            count(*) filter (where direction = 'inbound') as received,
            count(*) filter (where direction = 'outbound') as sent
     from (select created_at, direction from messages
           where workspace_id = $1 and id >= $2 and id < $3 and created_at >= $4 and created_at < $5 and ${OF_CHATS}
           order by workspace_id desc, id desc limit $6) counted
     group by 1 order by 1`,
    [ctx.workspace.id, firstId, endId, start, end, max],
  )

/**
 * A customer's wait: from their first unanswered message to the next message of a person. It ends without an answer if the chat
 * is resolved, and is not counted then. `teamId`: the team of the chat now.
 */
export type Wait = Pick<MessageRow, 'sentBy'> &
  Pick<Selectable<Tables['conversations']>, 'teamId'> & {
    since: MessageRow['createdAt']
    answeredAt: MessageRow['createdAt'] | null
    isFirst: boolean
    /** If there were more than `max` messages: the time of the oldest that was read. */
    countedSince: MessageRow['createdAt'] | null
  }

/** A tap on a rating waits for no answer. */
const ASKS = `(type <> 'interactive' or content -> 'list_reply' ->> 'id' is null or content -> 'list_reply' ->> 'id' not like 'rating:%')`

/**
 * Returns the waits that began from `start` to `end`, among the newest `max` messages from `firstId` to `endId`. `isFirst`: no
 * person wrote in the chat in the `quietMs` before the wait, or the chat was resolved since then.
 */
export const listWaits = (
  ctx: Context,
  { firstId, endId, start, end, max, quietMs }: Bounds & { quietMs: number },
): Promise<Wait[]> =>
  ctx.tx.sql(
    `with talk as (
       select conversation_id, id, created_at, direction as kind, sent_by from messages
       where workspace_id = $1 and id >= $2 and id < $3 and ${OF_CHATS}
         and (direction = 'inbound' and ${ASKS} or direction = 'outbound' and ${BY_PERSON})
       order by workspace_id desc, id desc limit $4
     ), steps as (
       select * from talk
       union all
       select conversation_id, id, created_at, 'resolved', null from conversation_changes
       where workspace_id = $1 and id >= $2 and id < $3 and action = 'resolved'
     ), runs as (
       select *, count(*) filter (where kind <> 'inbound') over (
                   partition by conversation_id order by id rows between unbounded preceding and 1 preceding) as run
       from steps
     ), waits as (
       select conversation_id, run, min(created_at) filter (where kind = 'inbound') as since,
              min(created_at) filter (where kind = 'outbound') as answered_at,
              min(created_at) filter (where kind = 'resolved') as resolved_at,
              (array_agg(sent_by) filter (where kind = 'outbound'))[1] as sent_by
       from runs group by conversation_id, run
     ), ordered as (
       select *, lag(answered_at) over (partition by conversation_id order by run) as previous_at from waits
     )
     select since, answered_at, sent_by, c.team_id,
            coalesce(previous_at < since - $7::float8 * interval '1 millisecond', true) as is_first,
            (select case when count(*) = $4 then min(created_at) end from talk) as counted_since
     from ordered left join conversations c on c.workspace_id = $1 and c.id = ordered.conversation_id
     where since >= $5 and since < $6 and resolved_at is null
     order by since`,
    [ctx.workspace.id, firstId, endId, max, start, end, quietMs],
  )
