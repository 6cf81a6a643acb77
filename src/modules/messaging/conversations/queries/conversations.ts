import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import { instants, uuids } from '../../../../database/sql/binary-arrays.ts'
import { db, plainList } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

/** A stored conversation with its latest activity. */
export type ConversationRow = Omit<Selectable<Tables['conversations']>, 'channel' | 'state' | 'priority'> &
  Pick<
    Selectable<Tables['conversationActivity']>,
    'activityId' | 'lastMessageAt' | 'waitingSince' | 'waitingId'
  > & {
    /** `social`: a direct chat of the photo network, with its account in `phoneNumberId` (DECISIONS.md "Photo chats"). */
    channel: 'chat' | 'social'
    state: 'open' | 'pending' | 'resolved'
    priority: 'low' | 'normal' | 'high' | 'urgent'
  }

export const COLUMNS = 'c.*, a.activity_id, a.last_message_at, a.waiting_since, a.waiting_id'
const WITH_ACTIVITY = `conversations c
  join conversation_activity a on a.workspace_id = c.workspace_id and a.conversation_id = c.id`
export type NoteRow = Selectable<Tables['conversationNotes']>

/** The key of a conversation: one contact on one of the workspace's numbers. */
export type Parties = { workspaceId: string; contactId: string; phoneNumberId: string }

const partyColumns = (parties: Parties[]) => [
  parties.map((party) => party.workspaceId),
  parties.map((party) => party.contactId),
  parties.map((party) => party.phoneNumberId),
]

/**
 * Returns the conversations of these parties, locked in one order so that two batches don't deadlock.
 * `lateral … limit 1` forces one index probe per item. The planner would plan a join as a scan of the
 * workspace while the table is small, and keep that plan.
 */
export const listConversationsOfForUpdate = (tx: Tx, parties: Parties[]): Promise<ConversationRow[]> =>
  tx.sql<ConversationRow>(
    `select found.* from (
       select distinct * from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as w (workspace_id, contact_id, phone_number_id)
       order by workspace_id, contact_id, phone_number_id
     ) wanted cross join lateral (
       select ${COLUMNS} from ${WITH_ACTIVITY} where c.workspace_id = wanted.workspace_id
         and c.contact_id = wanted.contact_id and c.phone_number_id = wanted.phone_number_id
       limit 1 for no key update of c
     ) found`,
    partyColumns(parties),
  )

export type NewConversation = Parties & { id: string; createdAt: Date }

/**
 * Inserts missing conversations. Locks the contact, so that a contact that is being erased gets no new chat.
 */
export async function insertConversations(tx: Tx, rows: NewConversation[]): Promise<void> {
  const ids = rows.map((row) => row.id)
  const insertion = tx.sql(
    `insert into conversations (workspace_id, contact_id, phone_number_id, id, created_at, updated_at)
     select r.workspace_id, r.contact_id, r.phone_number_id, r.id, r.created_at, r.created_at
     from (
       select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[])
         as n (workspace_id, contact_id, phone_number_id, id, created_at)
       order by workspace_id, contact_id, phone_number_id
     ) r cross join lateral (
       select 1 from contacts where contacts.workspace_id = r.workspace_id and contacts.id = r.contact_id
       limit 1 for key share
     ) there
     on conflict (workspace_id, contact_id, phone_number_id) do nothing`,
    [...partyColumns(rows), ids, rows.map((row) => row.createdAt)],
  )
  // Only the new conversations have these ids.
  const activity = tx.sql(
    `insert into conversation_activity (workspace_id, conversation_id, activity_id)
     select c.workspace_id, c.id, c.id from unnest($1::uuid[], $2::uuid[]) as r (workspace_id, id)
     join conversations c on c.workspace_id = r.workspace_id and c.id = r.id`,
    [rows.map((row) => row.workspaceId), ids],
  )
  await Promise.all([insertion, activity])
}

/**
 * Writes the changes by a customer's message to rows that the transaction has locked. Each is found by its
 * key.
 */
export async function updateAfterInbound(tx: Tx, rows: ConversationRow[]): Promise<void> {
  const records = rows.map((row) => ({
    workspace_id: row.workspaceId,
    id: row.id,
    contact_id: row.contactId,
    phone_number_id: row.phoneNumberId,
    state: row.state,
    window_expires_at: row.windowExpiresAt,
    window_open: row.windowOpen,
    window_run_at: row.windowRunAt,
    run_offset_ms: row.runOffsetMs,
    last_inbound_at: row.lastInboundAt,
    unread_count: row.unreadCount,
    is_unread: row.unreadCount > 0,
    referred_at: row.referredAt,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }))
  const columns = `workspace_id, id, contact_id, phone_number_id, state, window_expires_at, window_open, window_run_at,
    run_offset_ms, last_inbound_at, unread_count, is_unread, referred_at, created_at, updated_at`
  await tx.sql(
    `insert into conversations (${columns}) select ${columns}
     from jsonb_to_recordset($1::jsonb) as r (workspace_id uuid, id uuid, contact_id uuid, phone_number_id uuid, state text,
       window_expires_at timestamptz, window_open boolean, window_run_at timestamptz, run_offset_ms bigint,
       last_inbound_at timestamptz, unread_count integer, is_unread boolean, referred_at timestamptz, created_at timestamptz, updated_at timestamptz)
     on conflict (workspace_id, id) do update set state = excluded.state,
       window_expires_at = excluded.window_expires_at, window_open = excluded.window_open,
       window_run_at = excluded.window_run_at, run_offset_ms = excluded.run_offset_ms, last_inbound_at = excluded.last_inbound_at,
       unread_count = excluded.unread_count, is_unread = excluded.is_unread, referred_at = excluded.referred_at, updated_at = excluded.updated_at`,
    [JSON.stringify(records)],
  )
}

/** A message in a conversation. `at` is in the workspace's time. */
export type Activity = { workspaceId: string; conversationId: string; activityId: string; at: Date }

/** An outbound message. `byPerson`: a teammate wrote it, not an automation or a program. */
export type OurActivity = Activity & { byPerson: boolean }

/**
 * An inbound batch: whether our side answered within the batch before it, and the time of the first message
 * after that, which now waits for an answer (null: none). `personAnsweredAt`: when our side typed in the
 * phone app.
 */
export type InboundActivity = Activity & {
  answered: boolean
  waitsSince: Date | null
  personAnsweredAt: Date | null
}

const touchText = (columns: string, set: string): string => `
  with touched as (
    update conversation_activity a
    set activity_id = n.activity_id, last_message_at = greatest(a.last_message_at, n.at), ${set}
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]${columns}
    where a.workspace_id = n.workspace_id and a.conversation_id = n.conversation_id
    returning 1)
  select expect_rows((select count(*) from touched), $5)`

const KEYS = 'workspace_id, conversation_id, activity_id, at'
const TOUCH_ANSWERED = touchText(
  `, $6::boolean[]) as n (${KEYS}, by_person)`,
  `waiting_since = null, waiting_id = null,
   person_answered_at = case when n.by_person then greatest(a.person_answered_at, n.at) else a.person_answered_at end`,
)
// A waiting customer has waited since their first message.
const TOUCH_INBOUND = touchText(
  `, $6::boolean[], $7::timestamptz[], $8::timestamptz[]) as n (${KEYS}, answered, waits_since, person_answered_at)`,
  `person_answered_at = greatest(a.person_answered_at, n.person_answered_at), waiting_since = case when n.answered or a.waiting_id is null then n.waits_since else a.waiting_since end,
   waiting_id = case when n.answered or a.waiting_id is null
     then case when n.waits_since is not null then n.activity_id end else a.waiting_id end`,
)

const activityColumns = (activities: Activity[]): unknown[] => [
  uuids(activities.map((activity) => activity.workspaceId)),
  uuids(activities.map((activity) => activity.conversationId)),
  uuids(activities.map((activity) => activity.activityId)),
  instants(activities.map((activity) => activity.at)),
  activities.length,
]

/**
 * Moves conversations with an outbound message to the top of the list, each once, and ends their waiting.
 * Runs as one statement, which fails if one of them is gone.
 */
export const touchAnswered = (tx: Tx, activities: OurActivity[]): Promise<unknown> =>
  tx.sql(TOUCH_ANSWERED, [
    ...activityColumns(activities),
    plainList(activities.map((activity) => activity.byPerson)),
  ])

/** Moves conversations with an inbound message to the top of the list. */
export const touchAfterInbound = (tx: Tx, activities: InboundActivity[]): Promise<unknown> =>
  tx.sql(TOUCH_INBOUND, [
    ...activityColumns(activities),
    plainList(activities.map((activity) => activity.answered)),
    instants(activities.map((activity) => activity.waitsSince)),
    instants(activities.map((activity) => activity.personAnsweredAt)),
  ])

/** Ends the waiting in the conversation. */
export const endWaiting = (ctx: Context, id: string): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('conversationActivity')
      .set({ waitingSince: null, waitingId: null })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('conversationId', '=', id)
      .where('waitingId', 'is not', null),
  )

/** Marks a conversation as unread, with at least one unread message. Returns false if it is gone. */
export const markUnreadRow = async (ctx: Context, id: string): Promise<boolean> =>
  (
    await ctx.tx.sql(
      `update conversations set unread_count = greatest(unread_count, 1), is_unread = true
       where workspace_id = $1 and id = $2 returning id`,
      [ctx.workspace.id, id],
    )
  ).length > 0

/**
 * Returns the conversation with this id. The id of a merged conversation leads to the kept one
 * (src/modules/messaging/contacts/DECISIONS.md "Merges").
 */
export const findConversationRow = async (ctx: Context, id: string): Promise<ConversationRow | undefined> =>
  (
    await ctx.tx.sql<ConversationRow>(
      `select ${COLUMNS} from ${WITH_ACTIVITY} where c.workspace_id = $1 and c.id = coalesce(
         (select m.kept_id from merged_conversations m where m.workspace_id = $1 and m.id = $2), $2)`,
      [ctx.workspace.id, id],
    )
  )[0]

/**
 * Returns the id of the conversation that this one was merged into, if any
 * (src/modules/messaging/contacts/DECISIONS.md "Merges").
 */
export const findKeptConversationId = async (ctx: Context, id: string): Promise<string | undefined> =>
  (
    await ctx.tx.first(
      db
        .selectFrom('mergedConversations')
        .select('keptId')
        .where('workspaceId', '=', ctx.workspace.id)
        .where('id', '=', id),
    )
  )?.keptId

/** Returns the conversation of these parties, if it exists. Takes no lock. */
export const findConversationOf = async (
  ctx: Context,
  { contactId, phoneNumberId }: Omit<Parties, 'workspaceId'>,
): Promise<ConversationRow | undefined> =>
  (
    await ctx.tx.sql<ConversationRow>(
      `select ${COLUMNS} from ${WITH_ACTIVITY}
       where c.workspace_id = $1 and c.contact_id = $2 and c.phone_number_id = $3`,
      [ctx.workspace.id, contactId, phoneNumberId],
    )
  )[0]

/** Changes a conversation. Returns false if it is gone. */
export const updateConversationRow = async (
  ctx: Context,
  id: string,
  patch: Updateable<Tables['conversations']>,
): Promise<boolean> =>
  (await ctx.tx.run(
    db
      .updateTable('conversations')
      .set(patch)
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id),
  )) > 0

const CHANGEABLE = [
  'state',
  'priority',
  'isArchived',
  'assignedAgentId',
  'teamId',
  'unreadCount',
  'snoozedAt',
  'snoozedUntil',
  'snoozedUntilReply',
] as const
export type Changeable = Pick<ConversationRow, (typeof CHANGEABLE)[number]>

/** Locks a conversation against other changes until the transaction ends, and returns its changeable fields. */
export const lockChangeable = (ctx: Context, id: string): Promise<Changeable | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('conversations')
      .select(CHANGEABLE)
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .forNoKeyUpdate(),
  ) as Promise<Changeable | undefined>

/** Moves a conversation to the top of the list, without a message. */
export const moveToTop = (ctx: Context, id: string, activityId: string): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('conversationActivity')
      .set({ activityId })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('conversationId', '=', id),
  )

/** Ends the snoozes of conversations that the transaction has locked. */
export const endSnoozesOf = (tx: Tx, rows: Pick<ConversationRow, 'workspaceId' | 'id'>[]): Promise<unknown> =>
  tx.sql(
    `update conversations c set snoozed_at = null, snoozed_until = null, snoozed_until_reply = false
     from unnest($1::uuid[], $2::uuid[]) as n (workspace_id, id)
     where c.workspace_id = n.workspace_id and c.id = n.id`,
    [uuids(rows.map((row) => row.workspaceId)), uuids(rows.map((row) => row.id))],
  )

/** Prevents the erasure of the conversation until the transaction ends. */
export const lockConversationRow = (ctx: Context, id: string): Promise<{ id: string } | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('conversations')
      .select('id')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .forKeyShare(),
  )

/** Blocks customers' messages to the conversation until the transaction ends. */
export const lockConversationForRead = (ctx: Context, id: string): Promise<{ id: string } | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('conversations')
      .select('id')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .forNoKeyUpdate(),
  )

export const insertNoteRow = (ctx: Context, row: Insertable<Tables['conversationNotes']>): Promise<number> =>
  ctx.tx.run(db.insertInto('conversationNotes').values(row))

/** Returns the conversations of a contact: one per number it has talked to. */
export const listConversationIdsOf = (ctx: Context, contactId: string): Promise<{ id: string }[]> =>
  ctx.tx.all(
    db
      .selectFrom('conversations')
      .select('id')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('contactId', '=', contactId),
  )

/** Returns the newest conversation of each contact. */
export const listConversationsOfContacts = (
  tx: Tx,
  keys: { workspaceId: string; contactId: string }[],
): Promise<Pick<ConversationRow, 'contactId' | 'id'>[]> =>
  tx.sql(
    `select wanted.contact_id, newest.id
     from (select distinct * from unnest($1::uuid[], $2::uuid[]) as w (workspace_id, contact_id)) wanted
     cross join lateral (
       select id from conversations
       where conversations.workspace_id = wanted.workspace_id and conversations.contact_id = wanted.contact_id
       order by conversations.id desc limit 1
     ) newest`,
    [keys.map((key) => key.workspaceId), keys.map((key) => key.contactId)],
  )
