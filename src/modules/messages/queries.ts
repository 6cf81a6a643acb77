/** Every statement on messages. Hot ones work on lists from many workspaces. */
import type { Context, Tx, Unit } from '../../core/context.ts'
import { db, instants, plainList, uuids } from '../../core/sql.ts'
import type { MessageContext, OperatorError, Pricing } from '../../operator/port.ts'
import type { MessageStatus } from './schema.ts'

export type MessageRow = {
  workspaceId: string
  id: string
  conversationId: string
  contactId: string
  phoneNumberId: string
  direction: 'inbound' | 'outbound'
  type: string
  content: Record<string, unknown>
  /** The body of a template as the customer reads it. */
  templateText: string | null
  status: MessageStatus | 'received'
  chanmid: string | null
  replyTo: string | null
  /** What surrounds a customer's message, in the operator's shape. */
  context: MessageContext | null
  /** What the operator charges for ours. */
  pricing: Pricing | null
  error: OperatorError | null
  createdAt: Date
  /** As it was before it was edited. */
  originalContent: Record<string, unknown> | null
  editedAt: Date | null
  deletedAt: Date | null
  sentAt: Date | null
  deliveredAt: Date | null
  readAt: Date | null
  failedAt: Date | null
  /** The campaign that it is a message of. */
  broadcastId: string | null
}

/** What every new message has. */
export type EveryMessage = Pick<
  MessageRow,
  | 'workspaceId'
  | 'id'
  | 'conversationId'
  | 'contactId'
  | 'phoneNumberId'
  | 'direction'
  | 'type'
  | 'content'
  | 'status'
  | 'chanmid'
  | 'replyTo'
  | 'createdAt'
>

export type NewMessage = EveryMessage & Pick<MessageRow, 'templateText'> & { runAt: Date | null }

/** The columns that every new message has, in the order of `valuesOfEvery`: $1 to $12. */
export const OF_EVERY = `workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status,
                        chanmid, reply_to, created_at`
export const TYPES_OF_EVERY = `$1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::jsonb[],
                       $9::text[], $10::text[], $11::text[], $12::timestamptz[]`

/** A list for each of those columns. */
export const valuesOfEvery = (rows: EveryMessage[]): unknown[] => [
  uuids(rows.map((row) => row.workspaceId)),
  uuids(rows.map((row) => row.id)),
  uuids(rows.map((row) => row.conversationId)),
  uuids(rows.map((row) => row.contactId)),
  uuids(rows.map((row) => row.phoneNumberId)),
  rows.map((row) => row.direction),
  rows.map((row) => row.type),
  rows.map((row) => JSON.stringify(row.content)),
  rows.map((row) => row.status),
  rows.map((row) => row.chanmid),
  rows.map((row) => row.replyTo),
  instants(rows.map((row) => row.createdAt)),
]

const INSERT_QUEUED = `
  insert into messages (${OF_EVERY}, run_at, template_text)
  select * from unnest(${TYPES_OF_EVERY}, $13::timestamptz[], $14::text[])`

/** Inserts messages that have no channel id yet. */
export const insertQueuedMessages = (tx: Tx, rows: NewMessage[]): Promise<unknown> =>
  tx.sql(INSERT_QUEUED, [
    ...valuesOfEvery(rows),
    instants(rows.map((row) => row.runAt)),
    rows.map((row) => row.templateText),
  ])

/** Which of the channel message ids the workspaces have. */
export const listKnownChanmids = (tx: Tx, keys: { workspaceId: string; chanmid: string }[]) =>
  tx.sql<{ workspaceId: string; chanmid: string; conversationId: string }>(
    `select m.workspace_id, m.chanmid, m.conversation_id
     from unnest($1::uuid[], $2::text[]) as k(workspace_id, chanmid)
     join messages m on m.workspace_id = k.workspace_id and m.chanmid = k.chanmid`,
    [keys.map((key) => key.workspaceId), keys.map((key) => key.chanmid)],
  )

export const findMessageRow = (
  ctx: Context,
  column: 'id' | 'chanmid',
  value: string,
): Promise<MessageRow | undefined> =>
  ctx.tx.first<MessageRow>(
    db
      .selectFrom('messages')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where(column, '=', value) as never,
  )

/** The customer's latest message of a conversation. */
export const findLatestInbound = (
  ctx: Context,
  conversationId: string,
): Promise<{ id: string; chanmid: string } | undefined> =>
  ctx.tx.first<{ id: string; chanmid: string }>(
    db
      .selectFrom('messages')
      .select(['id', 'chanmid'])
      .where('workspaceId', '=', ctx.workspace.id)
      .where('conversationId', '=', conversationId)
      .where('direction', '=', 'inbound')
      .where('chanmid', 'is not', null)
      .orderBy('id', 'desc')
      .limit(1) as never,
  )

/** A message that a receipt names, by our id or the channel's. */
export type ReceiptKey = { workspaceId: string; id: string | null; chanmid: string | null }

/** What receipts look at and change of a message. */
export type DeliveryRow = Omit<
  MessageRow,
  | 'direction'
  | 'content'
  | 'templateText'
  | 'replyTo'
  | 'context'
  | 'originalContent'
  | 'editedAt'
  | 'deletedAt'
>

/**
 * Locks the outbound messages that receipts name, in one order, so that two appliers cannot wait on each other. What they
 * hold is left out: it would be read, sent and parsed for nothing.
 */
export const listMessagesForReceipts = (unit: Unit, keys: ReceiptKey[]): Promise<DeliveryRow[]> =>
  unit.tx.sql<DeliveryRow>(
    `select m.* from (
       select k.workspace_id, k.id from unnest($1::uuid[], $2::uuid[]) as k (workspace_id, id) where k.id is not null
       union
       select k.workspace_id, found.id from unnest($1::uuid[], $3::text[]) as k (workspace_id, chanmid)
       cross join lateral (
         select id from messages where messages.workspace_id = k.workspace_id and messages.chanmid = k.chanmid limit 1
       ) found
       order by workspace_id, id
     ) named cross join lateral (
       select workspace_id, id, conversation_id, contact_id, phone_number_id, type, status, chanmid, pricing, error, created_at,
              sent_at, delivered_at, read_at, failed_at, broadcast_id
       from messages
       where messages.workspace_id = named.workspace_id and messages.id = named.id and direction = 'outbound'
       limit 1 for no key update
     ) m`,
    [
      uuids(keys.map((key) => key.workspaceId)),
      uuids(keys.map((key) => key.id)),
      keys.map((key) => key.chanmid),
    ],
  )

/** Writes the delivery state of messages. Whatever had a state told needs no hand-over any more. */
export const updateDelivery = (tx: Tx, rows: DeliveryRow[]): Promise<unknown> =>
  tx.sql(
    `update messages m set status = u.status, chanmid = u.chanmid, error = u.error, sent_at = u.sent_at,
            delivered_at = u.delivered_at, read_at = u.read_at, failed_at = u.failed_at, pricing = u.pricing, run_at = null, leased_until = null
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::timestamptz[], $7::timestamptz[],
                 $8::timestamptz[], $9::timestamptz[], $10::jsonb[])
       as u(workspace_id, id, status, chanmid, error, sent_at, delivered_at, read_at, failed_at, pricing)
     where m.workspace_id = u.workspace_id and m.id = u.id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      plainList(rows.map((row) => row.status)),
      rows.map((row) => row.chanmid),
      rows.map((row) => (row.error ? JSON.stringify(row.error) : null)),
      instants(rows.map((row) => row.sentAt)),
      instants(rows.map((row) => row.deliveredAt)),
      instants(rows.map((row) => row.readAt)),
      instants(rows.map((row) => row.failedAt)),
      rows.map((row) => (row.pricing ? JSON.stringify(row.pricing) : null)),
    ],
  )

const USAGE = 'select workspace_id, month, messages from workspace_usage where workspace_id = any($1::uuid[])'

/** Usage rows of workspaces; locked, in one order, where `lock` says so. */
export const listMessageUsage = (tx: Tx, workspaceIds: string[], lock: boolean) =>
  tx.sql<{ workspaceId: string; month: string; messages: number }>(
    lock ? `${USAGE} order by workspace_id for update` : USAGE,
    [uuids(workspaceIds)],
  )

/** Takes messages out of a month's count, which may have been set lower meanwhile. */
export const lowerMessageUsage = (
  tx: Tx,
  { workspaceId, month, messages }: { workspaceId: string; month: string; messages: number },
): Promise<unknown> =>
  tx.sql(
    'update workspace_usage set messages = greatest(0, messages - $3) where workspace_id = $1 and month = $2',
    [workspaceId, month, messages],
  )

/** Adds `taken` to each month's count; fails by itself where that passes the allowance. */
export const raiseMessageUsage = (
  tx: Tx,
  rows: { workspaceId: string; month: string; taken: number; allowance: number }[],
): Promise<unknown> =>
  tx.sql(
    `with raised as (
       update workspace_usage w
       set month = u.month, messages = case when w.month = u.month then w.messages else 0 end + u.taken
       from unnest($1::uuid[], $2::text[], $3::int8[], $4::int8[]) as u(workspace_id, month, taken, allowance)
       where w.workspace_id = u.workspace_id
         and case when w.month = u.month then w.messages else 0 end + u.taken <= u.allowance
       returning 1)
     select expect_rows((select count(*) from raised), $5)`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      `{${rows.map((row) => row.month).join(',')}}`,
      `{${rows.map((row) => row.taken).join(',')}}`,
      `{${rows.map((row) => row.allowance).join(',')}}`,
      rows.length,
    ],
  )
