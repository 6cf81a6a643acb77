/**
 * Lists of messages, newest first (spec 4.3). All filters are read in the order of an index: the chats of a
 * contact are merged, and so are the ranges of `messages_status`, one for each existing state, kind and
 * number (DECISIONS.md).
 */
import type { Context } from '../../../../../core/context.ts'
import type { CursorQuery } from '../../../../../core/paging.ts'
import { MANY_ROWS } from '../../../../../database/sql/costly-reads.ts'
import { isFound, parameters } from '../../../../../database/sql/sql.ts'
import type { MessageRow } from '../../message-rows.ts'

/** The filters of a list; undefined: no filter. */
export type MessageListing = CursorQuery & {
  /** Only these messages. */
  ids?: string[] | undefined
  /** Only messages of these conversations. */
  conversationIds?: string[] | undefined
  /** As stored: `received` for customers' messages. */
  statuses?: MessageRow['status'][] | undefined
  type?: string | undefined
  phoneNumberId?: string | undefined
  /** Only messages with these words; with `ids` or `conversationIds`. */
  tsquery?: string | undefined
}

const EVERY_STATUS: MessageRow['status'][] = [
  'queued',
  'sent',
  'delivered',
  'read',
  'failed',
  'skipped',
  'received',
]
/** Greater than all ids: the start of a list without a cursor. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Returns one row more than the limit. */
export function listMessageRows(ctx: Context, listing: MessageListing): Promise<MessageRow[]> {
  const { conversationIds, statuses, type, phoneNumberId } = listing
  const { values, put: value } = parameters([ctx.workspace.id, listing.limit + 1, listing.cursor ?? LAST_ID])
  const ofType = type === undefined ? '' : `and m.type = ${value(type)}`
  const ofNumber = phoneNumberId === undefined ? '' : `and m.phone_number_id = ${value(phoneNumberId)}`
  // One probe of the words' key for each message of the chats.
  const ofWords =
    listing.tsquery === undefined
      ? ''
      : `and ${isFound(`from message_words k where k.workspace_id = $1 and k.id = m.id and k.words @@ ${value(listing.tsquery)}::tsquery`)}`
  const conditions = { ofType, ofNumber }
  if (listing.ids) {
    const ofStatus = statuses === undefined ? '' : `and m.status = any(${value(statuses)}::text[])`
    const ofChat =
      conversationIds === undefined ? '' : `and m.conversation_id = any(${value(conversationIds)}::uuid[])`
    return ctx.tx.sql(
      ofIds(value(listing.ids), `${ofType} ${ofNumber} ${ofStatus} ${ofChat} ${ofWords}`),
      values,
    )
  }
  if (conversationIds) {
    const ofStatus = statuses === undefined ? '' : `and m.status = any(${value(statuses)}::text[])`
    return ctx.tx.sql(inConversations(value(conversationIds), { ...conditions, ofStatus, ofWords }), values)
  }
  if (statuses === undefined && !ofType && !ofNumber) return ctx.tx.sql(WHOLE, values)
  return ctx.tx.sql(inStretches(value(statuses ?? EVERY_STATUS), conditions), values)
}

const ofIds = (ids: string, condition: string): string => `
  select m.* from unnest(${ids}::uuid[]) as w (id)
  cross join lateral (select * from messages m where m.workspace_id = $1 and m.id = w.id limit 1) m
  where m.id < $3 ${condition} order by m.id desc limit $2`

const WHOLE = `select m.* from messages m where m.workspace_id = $1 and m.id < $3 order by m.id desc limit $2`

/** Cuts a page from the ids that `from` returns, then reads its rows. */
const page = (from: string): string => `
  select m.* from (${from} order by m.id desc limit $2) page
  cross join lateral (select * from messages m where m.workspace_id = $1 and m.id = page.id limit 1) m
  order by page.id desc`

// The bounds are rows in the index order, and the order is complete: no other index has it, so the planner
// cannot scan the whole workspace for rare rows.

type RowConditions = { ofType: string; ofNumber: string }

const inConversations = (
  ids: string,
  { ofType, ofNumber, ofStatus, ofWords }: RowConditions & { ofStatus: string; ofWords: string },
): string =>
  page(`
    select m.id from unnest(${ids}::uuid[]) as c (id) cross join lateral (
      select m.id from messages m
      where m.workspace_id = $1 and m.conversation_id >= c.id and (m.conversation_id, m.id) < (c.id, $3)
        ${ofStatus} ${ofType} ${ofNumber} ${ofWords}
      order by m.conversation_id desc, m.id desc limit $2) m`)

/** Finds the existing ranges by stepping from each to the next, with one index lookup a step. */
function inStretches(statuses: string, { ofType, ofNumber }: RowConditions): string {
  const next = (status: string, after: string): string => `
    select m.type, m.phone_number_id from messages m
    where m.workspace_id = $1 and m.status = ${status} ${ofType} ${after}
    order by m.type, m.phone_number_id limit 1`
  const after = ofType
    ? 'and m.phone_number_id > s.phone_number_id'
    : 'and (m.type, m.phone_number_id) > (s.type, s.phone_number_id)'
  return `with recursive stretches as (
    select w.status, m.type, m.phone_number_id
    from unnest(${statuses}::text[]) as w (status) cross join lateral (${next('w.status', '')}) m
    union all
    select s.status, m.type, m.phone_number_id
    from stretches s cross join lateral (${next('s.status', after)}) m
  ) ${page(`
    select m.id from (select * from stretches m where true ${ofNumber}) s cross join lateral (
      select m.id from messages m
      where m.workspace_id = $1
        and (m.status, m.type, m.phone_number_id) >= (s.status, s.type, s.phone_number_id)
        and (m.status, m.type, m.phone_number_id, m.id) < (s.status, s.type, s.phone_number_id, $3)
      order by m.status desc, m.type desc, m.phone_number_id desc, m.id desc limit $2) m`)}`
}

/** Returns whether the conversations have too many messages for a fast walk. */
export const hasManyMessages = async (ctx: Context, conversationIds: string[]): Promise<boolean> =>
  (
    await ctx.tx.sql(
      `select 1 as one from unnest($2::uuid[]) as c (id) cross join lateral (
         select 1 from messages m where m.workspace_id = $1 and m.conversation_id = c.id limit $3 + 1) m
       offset $3 limit 1`,
      [ctx.workspace.id, conversationIds, MANY_ROWS],
    )
  ).length > 0

/** Lists messages of a conversation after a message, the nearest first. */
export const listMessagesAfter = (
  ctx: Context,
  { conversationId, id }: Pick<MessageRow, 'conversationId' | 'id'>,
  limit: number,
): Promise<MessageRow[]> =>
  ctx.tx.sql(
    `select m.* from messages m
     where m.workspace_id = $1 and m.conversation_id = $2 and m.id > $3
     order by m.conversation_id, m.id limit $4`,
    [ctx.workspace.id, conversationId, id, limit],
  )
