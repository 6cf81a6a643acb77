/** Statements that add up the results of one campaign, over the indexes of its messages and recipients. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../core/context.ts'
import { zoneInSql } from '../../../core/values/calendar.ts'
import { uuids } from '../../../database/sql/binary-arrays.ts'
import type { Tables } from '../../../database/sql/tables.ts'
import { COUNT_RESPONSES, selectResponses } from '../../messaging/broadcasts/operations/response-rule.ts'

/** The most causes of failures that are listed. */
const MAX_CAUSES = 50
const SENT = `m.workspace_id = $1 and m.broadcast_id = any($2::uuid[]) and m.status in ('sent', 'delivered', 'read')`

/** The campaign that a row is about. */
type OfCampaign = Pick<Selectable<Tables['broadcastCounts']>, 'broadcastId'>

export type Responses = { replied: number; tapped: number; optedOut: number }

/**
 * Counts the recipients of campaigns who replied, tapped a quick reply, or opted out within `hours` after their message.
 * Campaigns without a response are missing.
 */
export const countResponses = (
  ctx: Context,
  broadcastIds: string[],
  hours: number,
): Promise<(Responses & OfCampaign)[]> =>
  ctx.tx.sql(
    `select broadcast_id, ${COUNT_RESPONSES}
     from (
       ${selectResponses({ columns: 'm.broadcast_id,', from: 'messages m', where: SENT, hours: '$3' })}
     ) reached
     group by broadcast_id`,
    [ctx.workspace.id, uuids(broadcastIds), hours],
  )

export type FailureCount = { code: number | null; title: string | null; count: number }

/** Counts failed messages by the operator's error, deleted messages included. */
export const listCampaignFailures = (ctx: Context, broadcastId: string): Promise<FailureCount[]> =>
  ctx.tx.sql(
    `select code, max(title) as title, count(*) as count
     from (
       select (error ->> 'code')::int4 as code, error ->> 'title' as title from messages
       where workspace_id = $1 and broadcast_id = $2 and status = 'failed'
       union all
       select error_code, reason from broadcast_recipients
       where workspace_id = $1 and broadcast_id = $2 and last_status = 'failed'
     ) failed
     group by code order by count(*) desc, code nulls last limit ${MAX_CAUSES}`,
    [ctx.workspace.id, broadcastId],
  )

export type SkipCount = Pick<Selectable<Tables['messages']>, 'skipReason'> & { count: number }

/** Counts skipped recipients by reason: those of the fan-out, and messages that were skipped at their turn. */
export const listCampaignSkips = (ctx: Context, broadcastId: string): Promise<SkipCount[]> =>
  ctx.tx.sql(
    `select reason as skip_reason, count(*) as count
     from (
       select reason from broadcast_recipients
       where workspace_id = $1 and broadcast_id = $2 and state = 'skipped'
       union all
       select reason from broadcast_recipients
       where workspace_id = $1 and broadcast_id = $2 and last_status = 'skipped' and state <> 'skipped'
       union all
       select skip_reason from messages where workspace_id = $1 and broadcast_id = $2 and status = 'skipped'
     ) skipped
     group by 1 order by count(*) desc, 1`,
    [ctx.workspace.id, broadcastId],
  )

/** Delivered messages with the same price. `recipient`: the number or user id of one of them. */
export type PricedGroup = OfCampaign & {
  day: string
  recipient: string
  category: string | null
  billable: boolean | null
  messages: number
}

/**
 * Returns the delivered messages of campaigns with a price, in groups of the same campaign, day, price, and first digits of the number, which
 * decide its country.
 */
export const listPricedGroups = (ctx: Context, broadcastIds: string[]): Promise<PricedGroup[]> =>
  ctx.tx.sql(
    `select broadcast_id, day, min(recipient) as recipient, category, billable, count(*) as messages
     from (
       select m.broadcast_id, to_char(coalesce(m.delivered_at, m.read_at) at time zone $3, 'YYYY-MM-DD') as day,
              regexp_replace(coalesce(m.sent_to, c.phone), '^([+]|chan:)', '') as recipient,
              m.pricing ->> 'category' as category, (m.pricing ->> 'billable')::boolean as billable
       from messages m join contacts c on c.workspace_id = m.workspace_id and c.id = m.contact_id
       where ${SENT} and m.pricing is not null and coalesce(m.delivered_at, m.read_at) is not null
     ) priced
     group by broadcast_id, day, left(recipient, 6), category, billable`,
    [ctx.workspace.id, uuids(broadcastIds), zoneInSql(ctx.workspace.timezone)],
  )
