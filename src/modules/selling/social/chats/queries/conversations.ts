/** Statements on direct chats. */
import type { NotNull, Selectable } from 'kysely'
import type { Context, Tx } from '../../../../../core/context.ts'
import { instants, uuids } from '../../../../../database/sql/binary-arrays.ts'
import { db, isOneOf } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'

export type ConversationRow = Selectable<Tables['socialConversations']>

const own = (ctx: Context) =>
  db.selectFrom('socialConversations').selectAll().where('workspaceId', '=', ctx.workspace.id)

/** Lists one page by latest activity, with a row more than `limit`. */
export const listConversationRows = (
  ctx: Context,
  page: { limit: number; cursor?: string | undefined },
): Promise<ConversationRow[]> =>
  ctx.tx.all(
    own(ctx)
      .$if(page.cursor !== undefined, (query) => query.where('activityId', '<', page.cursor!))
      .orderBy('activityId', 'desc')
      .limit(page.limit + 1),
  )

export const findConversationRow = (ctx: Context, id: string): Promise<ConversationRow | undefined> =>
  ctx.tx.first(own(ctx).where('id', '=', id))

/** Returns the same chat, locked until the transaction ends, so that its customer is not erased meanwhile. */
export const findConversationRowForUpdate = (
  ctx: Context,
  id: string,
): Promise<ConversationRow | undefined> => ctx.tx.first(own(ctx).where('id', '=', id).forNoKeyUpdate())

export type NewConversation = Pick<
  ConversationRow,
  'workspaceId' | 'id' | 'accountId' | 'contactId' | 'createdAt'
>

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
       select 1 from contacts where contacts.workspace_id = r.workspace_id and contacts.id = r.contact_id
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
  ctx.tx.run(
    db
      .updateTable('socialConversations')
      .set({ leadId })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id),
  )

/** Lists those of these chats that are linked to a lead. */
export const listLinkedConversations = (ctx: Context, ids: string[]) =>
  ctx.tx.all(
    db
      .selectFrom('socialConversations')
      .select(['id', 'contactId', 'leadId'])
      .where('workspaceId', '=', ctx.workspace.id)
      .where(isOneOf(ids))
      .where('leadId', 'is not', null)
      .$narrowType<{ leadId: NotNull }>(),
  )
