/** Every statement on messages. Hot ones work on lists from many workspaces. */
import type { Context, Query, Tx, Unit } from '../../core/context.ts'
import { db, instants, uuids } from '../../core/sql.ts'
import type { OperatorError } from '../../operator/port.ts'
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
  status: MessageStatus | 'received'
  chanmid: string | null
  replyTo: string | null
  error: OperatorError | null
  createdAt: Date
  sentAt: Date | null
  deliveredAt: Date | null
  readAt: Date | null
  failedAt: Date | null
}

export type NewMessage = Pick<
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
> & { runAt: Date | null }

const INSERT = `
  insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status,
                        chanmid, reply_to, created_at, run_at)
  select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::jsonb[],
                       $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::timestamptz[])`

const columnsOf = (rows: NewMessage[]) => [
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
  instants(rows.map((row) => row.runAt)),
]

/** Inserts messages that have no channel id yet. */
export const insertQueuedMessages = (tx: Tx, rows: NewMessage[]): Promise<unknown> =>
  tx.sql(INSERT, columnsOf(rows))

/** Inserts messages that came with their channel id; one that is known already is left alone. Returns the ids that are new. */
export async function insertReceivedMessages(tx: Tx, rows: NewMessage[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const inserted = await tx.sql<{ id: string }>(
    `${INSERT} on conflict (workspace_id, chanmid) where chanmid is not null do nothing returning id`,
    columnsOf(rows),
  )
  return new Set(inserted.map((row) => row.id))
}

/** Which of the channel message ids the workspaces have. */
export const listKnownChanmids = (tx: Tx, keys: { workspaceId: string; chanmid: string }[]) =>
  tx.sql<{ workspaceId: string; chanmid: string; conversationId: string }>(
    `select m.workspace_id, m.chanmid, m.conversation_id
     from unnest($1::uuid[], $2::text[]) as k(workspace_id, chanmid)
     join messages m on m.workspace_id = k.workspace_id and m.chanmid = k.chanmid`,
    [keys.map((key) => key.workspaceId), keys.map((key) => key.chanmid)],
  )

export type MessageFilter = {
  limit: number
  cursor?: string | undefined
  conversationId?: string | undefined
  status?: MessageStatus | undefined
}

/** Newest first by id, one row more than the limit. */
export function listMessageRows(ctx: Context, filter: MessageFilter): Promise<MessageRow[]> {
  let query = db.selectFrom('messages').selectAll().where('workspaceId', '=', ctx.workspace.id)
  if (filter.conversationId) query = query.where('conversationId', '=', filter.conversationId)
  if (filter.status) query = query.where('status', '=', filter.status)
  if (filter.cursor) query = query.where('id', '<', filter.cursor)
  return ctx.tx.all<MessageRow>(query.orderBy('id', 'desc').limit(filter.limit + 1) as never)
}

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

/** Locks the outbound messages that receipts name, in one order, so that two appliers cannot wait on each other. */
export const listMessagesForReceipts = (unit: Unit, keys: ReceiptKey[]): Promise<MessageRow[]> =>
  unit.tx.sql<MessageRow>(
    `select m.* from messages m
     where (m.workspace_id, m.id) in (
       select k.workspace_id, k.id from unnest($1::uuid[], $2::uuid[], $3::text[]) as k(workspace_id, id, chanmid) where k.id is not null
       union
       select m2.workspace_id, m2.id from unnest($1::uuid[], $2::uuid[], $3::text[]) as k(workspace_id, id, chanmid)
       join messages m2 on m2.workspace_id = k.workspace_id and m2.chanmid = k.chanmid)
       and m.direction = 'outbound'
     order by m.workspace_id, m.id for update`,
    [keys.map((key) => key.workspaceId), keys.map((key) => key.id), keys.map((key) => key.chanmid)],
  )

/** Writes the delivery state of messages. Whatever had a state told needs no hand-over any more. */
export const updateDelivery = (tx: Tx, rows: MessageRow[]): Promise<unknown> =>
  tx.sql(
    `update messages m set status = u.status, chanmid = u.chanmid, error = u.error, sent_at = u.sent_at,
            delivered_at = u.delivered_at, read_at = u.read_at, failed_at = u.failed_at, run_at = null, leased_until = null
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::timestamptz[], $7::timestamptz[],
                 $8::timestamptz[], $9::timestamptz[])
       as u(workspace_id, id, status, chanmid, error, sent_at, delivered_at, read_at, failed_at)
     where m.workspace_id = u.workspace_id and m.id = u.id`,
    [
      rows.map((row) => row.workspaceId),
      rows.map((row) => row.id),
      rows.map((row) => row.status),
      rows.map((row) => row.chanmid),
      rows.map((row) => (row.error ? JSON.stringify(row.error) : null)),
      rows.map((row) => row.sentAt),
      rows.map((row) => row.deliveredAt),
      rows.map((row) => row.readAt),
      rows.map((row) => row.failedAt),
    ],
  )

const USAGE = 'select workspace_id, month, messages from workspace_usage where workspace_id = any($1::uuid[])'

/** Usage rows of workspaces; locked, in one order, where `lock` says so. */
export const listMessageUsage = (tx: Tx, workspaceIds: string[], lock: boolean) =>
  tx.sql<{ workspaceId: string; month: string; messages: number }>(
    lock ? `${USAGE} order by workspace_id for update` : USAGE,
    [uuids(workspaceIds)],
  )

/** Adds `taken` to each month's count unless that passes the allowance; returns how many rows it was. */
export const raiseMessageUsage = async (
  tx: Tx,
  rows: { workspaceId: string; month: string; taken: number; allowance: number }[],
): Promise<number> =>
  (
    await tx.sql(
      `update workspace_usage w
       set month = u.month, messages = case when w.month = u.month then w.messages else 0 end + u.taken
       from unnest($1::uuid[], $2::text[], $3::int8[], $4::int8[]) as u(workspace_id, month, taken, allowance)
       where w.workspace_id = u.workspace_id
         and case when w.month = u.month then w.messages else 0 end + u.taken <= u.allowance
       returning 1`,
      [
        uuids(rows.map((row) => row.workspaceId)),
        `{${rows.map((row) => row.month).join(',')}}`,
        `{${rows.map((row) => row.taken).join(',')}}`,
        `{${rows.map((row) => row.allowance).join(',')}}`,
      ],
    )
  ).length

/** A message on its way to the operator, with whom it goes to. */
export type DueMessage = {
  workspaceId: string
  id: string
  conversationId: string
  contactId: string
  phoneNumberId: string
  type: string
  content: unknown
  replyTo: string | null
  handovers: number
  createdAt: Date
  phone: string
  userId: string | null
  /** A call was under way when its worker was lost: whether the message went out is not known. */
  unsettled: boolean
}

/**
 * Claims messages that are due, oldest first. `leased_until` still set on a due row says that an
 * earlier call was never settled. What goes to the simulator is leased until `simulatedLeaseUntil`.
 */
export const claimDueMessages = (
  query: Query,
  claim: {
    now: Date
    leaseUntil: Date
    simulatedLeaseUntil: Date
    limit: number
    workspaceId: string | undefined
  },
): Promise<DueMessage[]> =>
  query<DueMessage>(
    `with due as materialized (
       select workspace_id, id, leased_until is not null as unsettled,
              case when exists (select from phone_numbers n where n.workspace_id = m.workspace_id
                                  and n.id = m.phone_number_id and n.operator = 'simulator')
                   then $5::timestamptz else $2::timestamptz end as lease
       from messages m
       where run_at <= $1 and ($4::uuid is null or workspace_id = $4)
       order by run_at limit $3 for update skip locked
     ), claimed as (
       update messages m set run_at = due.lease, leased_until = due.lease, handovers = handovers + 1
       from due where m.workspace_id = due.workspace_id and m.id = due.id
       returning m.*, due.unsettled
     )
     select m.workspace_id, m.id, m.conversation_id, m.contact_id, m.phone_number_id, m.type, m.content, m.reply_to,
            m.handovers, m.created_at, m.unsettled, c.phone, c.user_id
     from claimed m join contacts c on c.workspace_id = m.workspace_id and c.id = m.contact_id
     order by m.created_at, m.id`,
    [claim.now, claim.leaseUntil, claim.limit, claim.workspaceId ?? null, claim.simulatedLeaseUntil],
  )

/** The operator took them: they carry its id now and are nobody's job any more. A receipt may have come first. */
export const settleAccepted = (query: Query, rows: { workspaceId: string; id: string; chanmid: string }[]) =>
  query(
    `update messages m set chanmid = u.chanmid, run_at = null, leased_until = null
     from unnest($1::uuid[], $2::uuid[], $3::text[]) as u(workspace_id, id, chanmid)
     where m.workspace_id = u.workspace_id and m.id = u.id and m.chanmid is null`,
    [rows.map((row) => row.workspaceId), rows.map((row) => row.id), rows.map((row) => row.chanmid)],
  )

/** They did not go out and are tried again at `runAt` (real time). */
export const putBack = (query: Query, rows: { workspaceId: string; id: string; runAt: Date }[]) =>
  query(
    `update messages m set run_at = u.run_at, leased_until = null
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as u(workspace_id, id, run_at)
     where m.workspace_id = u.workspace_id and m.id = u.id and m.status = 'queued' and m.run_at is not null`,
    [rows.map((row) => row.workspaceId), rows.map((row) => row.id), rows.map((row) => row.runAt)],
  )

/** Real time at which the workspace's next message falls due; those under way are left out. */
export const findNextMessageDue = async (query: Query, workspaceId: string): Promise<Date | undefined> =>
  (
    await query<{ at: Date | null }>(
      'select min(run_at) as at from messages where workspace_id = $1 and run_at is not null and leased_until is null',
      [workspaceId],
    )
  )[0]?.at ?? undefined

export const countMessagesUnderWay = async (query: Query, workspaceId: string, now: Date): Promise<number> =>
  (
    await query<{ count: number }>(
      'select count(*) as count from messages where workspace_id = $1 and run_at is not null and leased_until > $2',
      [workspaceId, now],
    )
  )[0]?.count ?? 0

/** Pulls waiting messages nearer. Leases keep real time. */
export const shiftMessages = (tx: Tx, workspaceId: string, ms: number) =>
  tx.sql(
    `update messages set run_at = run_at - $2 * interval '1 millisecond'
     where workspace_id = $1 and run_at is not null and leased_until is null`,
    [workspaceId, ms],
  )
