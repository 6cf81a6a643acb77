/** Statements on direct chats. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../../core/context.ts'
import { instants, uuids } from '../../../../../database/sql/binary-arrays.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'

export type ConversationRow = Selectable<Tables['socialConversations']>

/** Lists one page by latest activity, with a row more than `limit`. */
export const listConversationRows = (
  ctx: Context,
  page: { limit: number; cursor?: string | undefined },
): Promise<ConversationRow[]> =>
  ctx.tx.sql<ConversationRow>(
    `select * from social_conversations where workspace_id = $1 and ($2::uuid is null or activity_id < $2)
     order by activity_id desc limit $3`,
    [ctx.workspace.id, page.cursor ?? null, page.limit + 1],
  )

export const findConversationRow = async (ctx: Context, id: string): Promise<ConversationRow | undefined> =>
  (
    await ctx.tx.sql<ConversationRow>(
      'select * from social_conversations where workspace_id = $1 and id = $2',
      [ctx.workspace.id, id],
    )
  )[0]

/** Returns the same chat, locked until the transaction ends, so that its customer is not erased meanwhile. */
export const findConversationRowForUpdate = async (
  ctx: Context,
  id: string,
): Promise<ConversationRow | undefined> =>
  (
    await ctx.tx.sql<ConversationRow>(
      'select * from social_conversations where workspace_id = $1 and id = $2 for no key update',
      [ctx.workspace.id, id],
    )
  )[0]

export type NewConversation = {
  workspaceId: string
  id: string
  accountId: string
  contactId: string
  createdAt: Date
}

/**
 * Inserts missing chats and locks all, in a fixed order. The lock on the contact makes a concurrent erasure
 * wait: an erased contact gets no chat.
 */
export const takeConversations = async (tx: Tx, rows: NewConversation[]): Promise<ConversationRow[]> => {
  const columns = [
    uuids(rows.map((row) => row.workspaceId)),
    uuids(rows.map((row) => row.contactId)),
    uuids(rows.map((row) => row.accountId)),
  ]
  await tx.sql(
    `insert into social_conversations (workspace_id, contact_id, account_id, id, activity_id, created_at)
     select r.workspace_id, r.contact_id, r.account_id, r.id, r.id, r.created_at
     from (
       select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[])
         as n (workspace_id, contact_id, account_id, id, created_at)
       order by workspace_id, contact_id
     ) r cross join lateral (
       select from contacts where contacts.workspace_id = r.workspace_id and contacts.id = r.contact_id
       limit 1 for key share
     ) there
     on conflict (workspace_id, contact_id, account_id) do nothing`,
    [...columns, uuids(rows.map((row) => row.id)), instants(rows.map((row) => row.createdAt))],
  )
  return tx.sql<ConversationRow>(
    `select c.* from (
       select distinct * from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as w (workspace_id, contact_id, account_id)
       order by workspace_id, contact_id
     ) wanted cross join lateral (
       select * from social_conversations where social_conversations.workspace_id = wanted.workspace_id
         and social_conversations.contact_id = wanted.contact_id and social_conversations.account_id = wanted.account_id
       limit 1 for no key update
     ) c`,
    columns,
  )
}

export type ConversationNews = Pick<
  ConversationRow,
  'workspaceId' | 'id' | 'activityId' | 'lastMessageAt' | 'lastInboundAt'
>

/** Moves chats to the top of the list; their times never go back. */
export const touchConversations = (tx: Tx, rows: ConversationNews[]): Promise<unknown> =>
  tx.sql(
    `update social_conversations c set activity_id = n.activity_id,
            last_message_at = greatest(c.last_message_at, n.last_message_at),
            last_inbound_at = greatest(c.last_inbound_at, n.last_inbound_at)
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[])
       as n (workspace_id, id, activity_id, last_message_at, last_inbound_at)
     where c.workspace_id = n.workspace_id and c.id = n.id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      uuids(rows.map((row) => row.activityId)),
      instants(rows.map((row) => row.lastMessageAt)),
      instants(rows.map((row) => row.lastInboundAt)),
    ],
  )

export const updateLead = (ctx: Context, id: string, leadId: string | null): Promise<unknown> =>
  ctx.tx.sql('update social_conversations set lead_id = $3 where workspace_id = $1 and id = $2', [
    ctx.workspace.id,
    id,
    leadId,
  ])

/** Lists those of these chats that are linked to a lead. */
export const listLinkedConversations = (
  ctx: Context,
  ids: string[],
): Promise<{ id: string; contactId: string; leadId: string }[]> =>
  ctx.tx.sql(
    `select id, contact_id, lead_id from social_conversations
     where workspace_id = $1 and id = any($2::uuid[]) and lead_id is not null`,
    [ctx.workspace.id, uuids(ids)],
  )
