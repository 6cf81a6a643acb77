/** Statements on subscriptions, and on the facts that are pushed. */
import type { Selectable } from 'kysely'
import type { Context, Unit } from '../../../core/context.ts'
import { uuids } from '../../../database/sql/binary-arrays.ts'
import { db } from '../../../database/sql/sql.ts'
import type { Tables } from '../../../database/sql/tables.ts'

type Row = Selectable<Tables['pushSubscriptions']>
export type SubscriptionRow = Pick<Row, 'id' | 'sessionId' | 'device' | 'createdAt'>

/** Adds a browser, or changes the member, session, and keys of a known one. Returns its id. */
export const upsertSubscription = async (
  { tx, workspace, now }: Context,
  row: Omit<Row, 'workspaceId' | 'createdAt'>,
): Promise<SubscriptionRow> => {
  const [saved] = await tx.sql<SubscriptionRow>(
    `insert into push_subscriptions (workspace_id, id, member_id, session_id, endpoint_hash, target_sealed, device, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (workspace_id, endpoint_hash) do update set member_id = excluded.member_id, session_id = excluded.session_id,
       target_sealed = excluded.target_sealed, device = excluded.device
     returning id, session_id, device, created_at`,
    [workspace.id, row.id, row.memberId, row.sessionId, row.endpointHash, row.targetSealed, row.device, now],
  )
  return saved!
}

/** Lists a member's browsers, newest first. */
export const listSubscriptions = (
  { tx, workspace }: Context,
  memberId: string,
  max: number,
): Promise<SubscriptionRow[]> =>
  tx.all(
    db
      .selectFrom('pushSubscriptions')
      .select(['id', 'sessionId', 'device', 'createdAt'])
      .where('workspaceId', '=', workspace.id)
      .where('memberId', '=', memberId)
      .orderBy('id', 'desc')
      .limit(max),
  )

/** Deletes a member's browsers beyond the newest `max`. */
export const deleteOldSubscriptions = (
  { tx, workspace }: Context,
  memberId: string,
  max: number,
): Promise<unknown> =>
  tx.sql(
    `delete from push_subscriptions where workspace_id = $1 and member_id = $2 and id in (
       select id from push_subscriptions where workspace_id = $1 and member_id = $2 order by id desc offset $3)`,
    [workspace.id, memberId, max],
  )

/** Deletes a browser, of `memberId` if it is given. Returns whether there was one. */
export const deleteSubscription = async (
  { tx, workspace }: Context,
  id: string,
  memberId?: string,
): Promise<boolean> =>
  (await tx.run(
    db
      .deleteFrom('pushSubscriptions')
      .where('workspaceId', '=', workspace.id)
      .where('id', '=', id)
      .$if(memberId !== undefined, (query) => query.where('memberId', '=', memberId!)),
  )) > 0

type ChatRow = Selectable<Tables['conversations']>
type ContactRow = Selectable<Tables['contacts']>

export type MessageKey = Pick<ChatRow, 'workspaceId'> & { conversationId: string; messageId: string }
/** A browser that is told of a message; `isOwn`: the chat is assigned to its member. */
export type MessageReceiver = MessageKey & { subscriptionId: string; isOwn: boolean }

/**
 * Finds the browsers of each message: those of the chat's assignee; without one, those of agents and admins
 * who want to hear of such chats. A chat of a former member has no assignee.
 */
export const findMessageReceivers = (
  { tx }: Pick<Unit, 'tx'>,
  messages: readonly MessageKey[],
): Promise<MessageReceiver[]> =>
  tx.sql<MessageReceiver>(
    `select x.workspace_id, x.conversation_id, x.message_id, s.id as subscription_id, a.id is not null as is_own
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as x (workspace_id, conversation_id, message_id)
     join conversations c on c.workspace_id = x.workspace_id and c.id = x.conversation_id and not c.is_archived
     left join members a on a.workspace_id = c.workspace_id and a.id = c.assigned_agent_id and a.left_at is null
     join push_subscriptions s on s.workspace_id = x.workspace_id and (a.id is null or s.member_id = a.id)
     join members m on m.workspace_id = s.workspace_id and m.id = s.member_id and m.left_at is null
     left join member_preferences p on p.workspace_id = s.workspace_id and p.member_id = s.member_id
     where coalesce(p.preferences -> 'push' ->> 'messages', 'true') <> 'false'
       and (a.id is not null
         or (m.role <> 'viewer' and coalesce(p.preferences -> 'push' ->> 'unassigned', 'true') <> 'false'))`,
    [
      uuids(messages.map(({ workspaceId }) => workspaceId)),
      uuids(messages.map(({ conversationId }) => conversationId)),
      uuids(messages.map(({ messageId }) => messageId)),
    ],
  )

/** Finds the browsers of members. */
export const listSubscriptionsOfMembers = (
  { tx, workspace }: Context,
  memberIds: readonly string[],
): Promise<Pick<Row, 'id' | 'memberId'>[]> =>
  tx.sql<Pick<Row, 'id' | 'memberId'>>(
    'select id, member_id from push_subscriptions where workspace_id = $1 and member_id = any($2::uuid[])',
    [workspace.id, uuids([...memberIds])],
  )

export type PushReceiver = Pick<Row, 'id' | 'memberId' | 'sessionId' | 'targetSealed'> &
  Pick<Selectable<Tables['members']>, 'role'> & { settings: unknown }

/** Returns a browser of a current member, with the member's choices. */
export const findReceiver = async (
  { tx, workspace }: Context,
  id: string,
): Promise<PushReceiver | undefined> =>
  (
    await tx.sql<PushReceiver>(
      `select s.id, s.member_id, s.session_id, s.target_sealed, m.role, p.preferences -> 'push' as settings
       from push_subscriptions s
       join members m on m.workspace_id = s.workspace_id and m.id = s.member_id and m.left_at is null
       left join member_preferences p on p.workspace_id = s.workspace_id and p.member_id = s.member_id
       where s.workspace_id = $1 and s.id = $2`,
      [workspace.id, id],
    )
  )[0]

/** `phone`: in E.164, or `chan:` and the user id. */
export type PushedMessage = Pick<ChatRow, 'id' | 'phoneNumberId' | 'contactId'> &
  Pick<ContactRow, 'phone'> & { text: string | null; name: string | null }

/** Returns a customer's message in an unread chat; undefined if it is read, revoked, or erased. */
export const findPushedMessage = async (
  { tx, workspace }: Context,
  { conversationId, messageId }: Pick<MessageKey, 'conversationId' | 'messageId'>,
): Promise<PushedMessage | undefined> =>
  (
    await tx.sql<PushedMessage>(
      `select c.id, c.phone_number_id, c.contact_id,
              coalesce(m.content ->> 'body', m.content ->> 'caption', m.content ->> 'text',
                m.content -> (m.content ->> 'type') ->> 'title', m.content ->> 'emoji') as text,
              coalesce(k.display_name, k.profile_name) as name, k.phone
       from messages m
       join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
       join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
       where m.workspace_id = $1 and m.id = $2 and c.id = $3 and c.is_unread and m.deleted_at is null`,
      [workspace.id, messageId, conversationId],
    )
  )[0]

export type PushedNotice = Pick<
  Selectable<Tables['notifications']>,
  'id' | 'kind' | 'actorName' | 'title' | 'body' | 'subjectId' | 'parentId'
>

/** Returns an unread notification of the member. */
export const findPushedNotice = async (
  { tx, workspace }: Context,
  id: string,
  memberId: string,
): Promise<PushedNotice | undefined> =>
  tx.first(
    db
      .selectFrom('notifications')
      .select(['id', 'kind', 'actorName', 'title', 'body', 'subjectId', 'parentId'])
      .where('workspaceId', '=', workspace.id)
      .where('id', '=', id)
      .where('memberId', '=', memberId)
      .where('readAt', 'is', null),
  )

/** Returns the number of unread chats, up to `max`. */
export const countUnreadChats = async ({ tx, workspace }: Context, max: number): Promise<number> =>
  (
    await tx.sql<{ count: number }>(
      `select count(*)::int4 as count from (
         select 1 from conversations c where c.workspace_id = $1 and not c.is_archived and c.is_unread
           and c.snoozed_at is null limit $2) unread`,
      [workspace.id, max],
    )
  )[0]!.count
