/** Statements on the recipients of campaigns. */

import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import { instants, uuids } from '../../../../database/sql/binary-arrays.ts'
import { type CountedRows, countedRows, rowCount } from '../../../../database/sql/counted-rows.ts'
import { isFound, plainList } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { refusalSql } from '../../contacts/operations/refusal-rule.ts'
import { RESULT_HOURS, selectResponses } from '../operations/response-rule.ts'
import type { RecipientResponse, RecipientStatus } from '../schema.ts'
import { KNOWN } from './selection.ts'

type StoredRecipient = Selectable<Tables['broadcastRecipients']>

/** A recipient of a campaign, with the decision of the fan-out. `newAt`: when the message to a new recipient was queued. */
export type NewRecipient = Pick<StoredRecipient, 'contactId' | 'state' | 'reason' | 'messageId' | 'newAt'> & {
  state: 'waiting' | 'queued' | 'skipped'
}

const columns = (rows: NewRecipient[]) => [
  uuids(rows.map((row) => row.contactId)),
  plainList(rows.map((row) => row.state)),
  plainList(rows.map((row) => row.reason)),
  uuids(rows.map((row) => row.messageId)),
  instants(rows.map((row) => row.newAt)),
]
const ROWS = `(select * from unnest($3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::timestamptz[])
  as n (contact_id, state, reason, message_id, new_at) order by contact_id)`

/** Inserts recipients of a sample with their variants. `variants`: the number for each contact. */
export const insertSample = (
  ctx: Context,
  broadcastId: string,
  rows: NewRecipient[],
  variants: ReadonlyMap<string, number>,
): Promise<{ state: NewRecipient['state']; count: number }[]> =>
  ctx.tx.sql(
    `with listed as (
       insert into broadcast_recipients
         (workspace_id, broadcast_id, contact_id, state, reason, message_id, new_at, variant)
       select $1::uuid, $2::uuid, r.*
       from (select * from unnest($3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::timestamptz[], $8::int4[])
             as n (contact_id, state, reason, message_id, new_at, variant) order by contact_id) r returning state)
     select state, count(*) as count from listed group by state`,
    [
      ctx.workspace.id,
      broadcastId,
      ...columns(rows),
      plainList(rows.map((row) => variants.get(row.contactId) ?? null)),
    ],
  )

/** Returns those of the contacts whom the campaign already reached. */
export const listReached = async (
  ctx: Context,
  broadcastId: string,
  contactIds: string[],
): Promise<Set<string>> => {
  if (contactIds.length === 0) return new Set()
  const rows = await ctx.tx.sql<Pick<StoredRecipient, 'contactId'>>(
    `select contact_id from broadcast_recipients
     where workspace_id = $1 and broadcast_id = $2 and contact_id = any ($3::uuid[])`,
    [ctx.workspace.id, broadcastId, uuids(contactIds)],
  )
  return new Set(rows.map((row) => row.contactId))
}

/**
 * Inserts recipients, protected from erasure by the caller (`holdOffErasures`). Returns the counts by state.
 * Fails for a recipient who already exists, because the stretch was shortened together with them.
 */
export const insertRecipients = (
  ctx: Context,
  broadcastId: string,
  rows: NewRecipient[],
): Promise<{ state: NewRecipient['state']; count: number }[]> =>
  ctx.tx.sql(
    `with listed as (
       insert into broadcast_recipients (workspace_id, broadcast_id, contact_id, state, reason, message_id, new_at)
       select $1::uuid, $2::uuid, r.* from ${ROWS} r returning state)
     select state, count(*) as count from listed group by state`,
    [ctx.workspace.id, broadcastId, ...columns(rows)],
  )

/**
 * Returns those of the contacts whom the campaign already reached as another contact that was merged into
 * them after `startedAt` (src/modules/messaging/contacts/DECISIONS.md "Merges"). Merges are rare, so this
 * reads few rows.
 */
export const listReachedByMerge = async (
  ctx: Context,
  { broadcastId, startedAt }: { broadcastId: string; startedAt: Date },
  contactIds: string[],
): Promise<Set<string>> => {
  if (contactIds.length === 0) return new Set()
  const rows = await ctx.tx.sql<Pick<StoredRecipient, 'contactId'>>(
    `select r.contact_id from merged_contacts m
     join broadcast_recipients r on r.workspace_id = m.workspace_id and r.contact_id = m.kept_id and r.broadcast_id = $2
     where m.workspace_id = $1 and m.merged_at >= $3 and m.kept_id = any ($4::uuid[])`,
    [ctx.workspace.id, broadcastId, startedAt, uuids(contactIds)],
  )
  return new Set(rows.map((row) => row.contactId))
}

/** Updates recipients who waited. Returns the counts by state. */
export const settleWaiting = (
  ctx: Context,
  broadcastId: string,
  rows: NewRecipient[],
): Promise<{ state: NewRecipient['state']; count: number }[]> =>
  ctx.tx.sql(
    `with settled as (
       update broadcast_recipients b set state = r.state, reason = r.reason, message_id = r.message_id, new_at = r.new_at
       from ${ROWS} r
       where b.workspace_id = $1 and b.broadcast_id = $2 and b.contact_id = r.contact_id and b.state = 'waiting'
       returning b.state)
     select state, count(*) as count from settled group by state`,
    [ctx.workspace.id, broadcastId, ...columns(rows)],
  )

/**
 * Removes the new-recipient mark from contacts whose message was not sent. Returns how many had it since
 * `since`.
 */
export const forgetNewRecipients = async (
  ctx: Context,
  broadcastId: string,
  contactIds: string[],
  since: Date,
): Promise<number> => {
  if (contactIds.length === 0) return 0
  const [previous] = await ctx.tx.sql<{ count: number }>(
    `with were as materialized (
       select contact_id, new_at from broadcast_recipients
       where workspace_id = $1 and broadcast_id = $2 and contact_id = any ($3::uuid[]) and new_at is not null
       order by contact_id for update
     ), forgotten as (
       update broadcast_recipients b set new_at = null
       from were where b.workspace_id = $1 and b.broadcast_id = $2 and b.contact_id = were.contact_id
     )
     select count(*) filter (where new_at >= $4) as count from were`,
    [ctx.workspace.id, broadcastId, uuids(contactIds), since],
  )
  return previous!.count
}

/** Returns recipients who wait, in order, with the reason to skip them, and whether they became known. */
export const listWaiting = (
  ctx: Context,
  broadcastId: string,
  limit: number,
): Promise<
  (Pick<StoredRecipient, 'contactId' | 'variant'> & {
    known: boolean
    skip: 'opted_out' | 'blocked' | null
  })[]
> =>
  ctx.tx.sql(
    `select r.contact_id, r.variant, ${KNOWN} as known, ${refusalSql('c')} as skip
     from (
       select contact_id, variant from broadcast_recipients
       where workspace_id = $1 and broadcast_id = $2 and state = 'waiting' order by contact_id limit $3
     ) r join contacts c on c.workspace_id = $1 and c.id = r.contact_id
     order by r.contact_id`,
    [ctx.workspace.id, broadcastId, limit],
  )

export type RecipientRow = Pick<
  StoredRecipient,
  'contactId' | 'reason' | 'messageId' | 'errorCode' | 'variant'
> &
  Pick<Selectable<Tables['contacts']>, 'phone'> &
  Pick<Selectable<Tables['messages']>, 'status'> & {
    name: string | null
    status: RecipientStatus
    /** Whether the message is stored; messages can be deleted. */
    isStored: boolean
  }

const LOWEST = '00000000-0000-0000-0000-000000000000'
const AFTER = 'contact_id > $3'
/**
 * Selects the contacts of a page from the recipients, or from the campaign's messages in a state, including
 * messages deleted since.
 */
const listed = (state: string, column: 'state' | 'last_status' = 'state') =>
  `(select contact_id from broadcast_recipients
    where workspace_id = $1 and broadcast_id = $2 and ${column} = '${state}' and ${AFTER} order by contact_id limit $4)`
const withMessage = (status: string) =>
  `(select contact_id from messages
    where workspace_id = $1 and broadcast_id = $2 and status = '${status}' and ${AFTER} order by contact_id limit $4)`

function keysOf(status: RecipientStatus | undefined): string {
  if (status === undefined)
    return [listed('waiting'), listed('queued'), listed('skipped')].join(' union all ')
  if (status === 'waiting') return listed('waiting')
  const messages = `${withMessage(status)} union all ${listed(status, 'last_status')}`
  // Skipped by the fan-out, or later before submission to the operator.
  return status === 'skipped' ? `${listed('skipped')} union all ${messages}` : messages
}

/** Matches a row of `selectResponses`; a customer who opted out did not reply. */
const RESPONSES: Record<Exclude<RecipientResponse, 'none'>, string> = {
  replied: 'has_replied and not opted_out',
  tapped: 'has_tapped',
  opted_out: 'opted_out',
}
const HOURS = '$5'
export const SENT: readonly RecipientStatus[] = ['sent', 'delivered', 'read']

/**
 * Selects the contacts of a page from the messages in a state by the response to them. Each state is one walk along the index
 * of the campaign's messages, in the order of contacts.
 */
function withResponse(status: RecipientStatus, response: RecipientResponse): string {
  const ofPage = `m.workspace_id = $1 and m.broadcast_id = $2 and m.status = '${status}' and m.contact_id > $3`
  if (response !== 'none')
    return `(select contact_id from (
      ${selectResponses({ columns: 'm.contact_id,', from: 'messages m', where: ofPage, hours: HOURS })}
    ) responses where ${RESPONSES[response]} order by contact_id limit $4)`
  const ofMessage = 'm.workspace_id = sent.workspace_id and m.id = sent.id'
  const responses = selectResponses({ from: 'messages m', where: ofMessage, hours: HOURS })
  return `(select contact_id from (select m.workspace_id, m.id, m.contact_id from messages m where ${ofPage}) sent
    where not ${isFound(`from (${responses}) responses where has_replied or opted_out`)}
    order by contact_id limit $4)`
}

/** Returns the selection of a page, and its parameters after `$4`. */
function pageKeys({
  status,
  response,
}: {
  status?: RecipientStatus | undefined
  response?: RecipientResponse | undefined
}) {
  if (response === undefined) return { keys: keysOf(status), more: [] }
  const states = SENT.filter((state) => status === undefined || state === status)
  if (states.length === 0)
    return { keys: `select contact_id from broadcast_recipients where false and ${AFTER}`, more: [] }
  return {
    keys: states.map((state) => withResponse(state, response)).join(' union all '),
    more: [RESULT_HOURS],
  }
}

/** Returns recipients in the order of their contacts, one row more than `limit`. */
export const listRecipientRows = (
  ctx: Context,
  broadcastId: string,
  {
    limit,
    cursor,
    ...filter
  }: {
    limit: number
    cursor?: string | undefined
    status?: RecipientStatus | undefined
    response?: RecipientResponse | undefined
  },
): Promise<RecipientRow[]> => {
  const { keys, more } = pageKeys(filter)
  return ctx.tx.sql<RecipientRow>(
    `select r.contact_id, c.phone, coalesce(c.display_name, c.profile_name) as name, coalesce(m.status, r.last_status, r.state) as status,
            coalesce(r.reason, m.skip_reason, m.error ->> 'title') as reason, r.message_id,
            coalesce((m.error ->> 'code')::int4, r.error_code) as error_code, r.variant, m.status is not null as is_stored
     from (select contact_id from (${keys}) keys order by contact_id limit $4) k
     join broadcast_recipients r on r.workspace_id = $1 and r.contact_id = k.contact_id and r.broadcast_id = $2
     join contacts c on c.workspace_id = $1 and c.id = k.contact_id
     left join lateral (
       select status, skip_reason, error from messages
       where messages.workspace_id = $1 and messages.id = r.message_id limit 1
     ) m on true
     order by k.contact_id`,
    [ctx.workspace.id, broadcastId, cursor ?? LOWEST, limit + 1, ...more],
  )
}

export type MessageResponse = Pick<Selectable<Tables['messages']>, 'id'> & {
  hasReplied: boolean
  hasTapped: boolean
  optedOut: boolean
}

/** Returns the responses to these messages. Messages without a response are missing. */
export const listResponses = (ctx: Context, messageIds: string[]): Promise<MessageResponse[]> =>
  ctx.tx.sql(
    selectResponses({
      columns: 'm.id,',
      from: 'messages m',
      where: 'm.workspace_id = $1 and m.id = any($2::uuid[])',
      hours: '$3',
    }),
    [ctx.workspace.id, uuids(messageIds), RESULT_HOURS],
  )

export type ReceivedCampaign = Pick<Selectable<Tables['broadcasts']>, 'id' | 'name' | 'startedAt'> & {
  status: RecipientStatus
}

const RECEIVED = `broadcast_recipients where workspace_id = $1 and contact_id = $2 and state <> 'skipped'`

/** Returns the newest campaigns with a message to a contact, and the state of that message. */
export const listReceivedCampaigns = async (
  ctx: Context,
  contactId: string,
  limit: number,
): Promise<CountedRows<ReceivedCampaign>> =>
  countedRows<ReceivedCampaign>(
    await ctx.tx.sql(
      `select b.id, b.name, b.started_at, coalesce(m.status, r.last_status, r.state) as status, r.row_count
       from (select *, ${rowCount(RECEIVED)} from ${RECEIVED} order by broadcast_id desc limit $3) r
       cross join lateral (
         select * from broadcasts where broadcasts.workspace_id = $1 and broadcasts.id = r.broadcast_id limit 1
       ) b
       left join lateral (
         select status from messages where messages.workspace_id = $1 and messages.id = r.message_id limit 1
       ) m on true
       order by r.broadcast_id desc`,
      [ctx.workspace.id, contactId, limit],
    ),
  )
