import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Context, Tx } from '../../core/context.ts'
import { db } from '../../core/sql.ts'
import type { Tables } from '../../core/tables.ts'

/** A stored conversation. */
export type ConversationRow = Omit<Selectable<Tables['conversations']>, 'state' | 'priority'> & {
  state: 'open' | 'pending' | 'resolved'
  priority: 'low' | 'normal' | 'high' | 'urgent'
}
export type NoteRow = Selectable<Tables['conversationNotes']>

/** A conversation by those who hold it: one contact on one of the workspace's numbers. */
export type Parties = { workspaceId: string; contactId: string; phoneNumberId: string }

const partyColumns = (parties: Parties[]) => [
  parties.map((party) => party.workspaceId),
  parties.map((party) => party.contactId),
  parties.map((party) => party.phoneNumberId),
]

const OF_PARTIES = `
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as wanted (workspace_id, contact_id, phone_number_id)
  join conversations c on c.workspace_id = wanted.workspace_id and c.contact_id = wanted.contact_id
    and c.phone_number_id = wanted.phone_number_id`

/** The conversations of these parties, as far as there are any. */
export const listConversationsOf = (tx: Tx, parties: Parties[]): Promise<ConversationRow[]> =>
  tx.sql<ConversationRow>(`select c.* ${OF_PARTIES}`, partyColumns(parties))

/** The same, locked in one order so that two batches never wait for each other. */
export const listConversationsOfForUpdate = (tx: Tx, parties: Parties[]): Promise<ConversationRow[]> =>
  tx.sql<ConversationRow>(
    `select c.* ${OF_PARTIES} order by c.workspace_id, c.id for no key update of c`,
    partyColumns(parties),
  )

export type NewConversation = Parties & { id: string; createdAt: Date }

/**
 * Inserts those that are not there. The lock on the contact keeps its erasure from passing by
 * unseen: who is being erased gets no new chat.
 */
export async function insertConversations(tx: Tx, rows: NewConversation[]): Promise<void> {
  await tx.sql(
    `insert into conversations (workspace_id, contact_id, phone_number_id, id, activity_id, created_at, updated_at)
     select r.workspace_id, r.contact_id, r.phone_number_id, r.id, r.id, r.created_at, r.created_at
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[])
       as r (workspace_id, contact_id, phone_number_id, id, created_at)
     join contacts on contacts.workspace_id = r.workspace_id and contacts.id = r.contact_id
     order by r.workspace_id, r.contact_id, r.phone_number_id
     for key share of contacts
     on conflict (workspace_id, contact_id, phone_number_id) do nothing`,
    [...partyColumns(rows), rows.map((row) => row.id), rows.map((row) => row.createdAt)],
  )
}

/** Writes back what a customer's message changes, in rows that the transaction has locked. */
export async function updateAfterInbound(tx: Tx, rows: ConversationRow[]): Promise<void> {
  const records = rows.map((row) => ({
    workspace_id: row.workspaceId,
    id: row.id,
    state: row.state,
    window_expires_at: row.windowExpiresAt,
    window_open: row.windowOpen,
    window_run_at: row.windowRunAt,
    last_inbound_at: row.lastInboundAt,
    last_message_id: row.lastMessageId,
    last_message_at: row.lastMessageAt,
    activity_id: row.activityId,
    updated_at: row.updatedAt,
  }))
  await tx.sql(
    `update conversations c set state = r.state, window_expires_at = r.window_expires_at, window_open = r.window_open,
       window_run_at = r.window_run_at, last_inbound_at = r.last_inbound_at, last_message_id = r.last_message_id,
       last_message_at = r.last_message_at, activity_id = r.activity_id, updated_at = r.updated_at
     from jsonb_to_recordset($1::jsonb) as r (workspace_id uuid, id uuid, state text, window_expires_at timestamptz,
       window_open boolean, window_run_at timestamptz, last_inbound_at timestamptz, last_message_id uuid,
       last_message_at timestamptz, activity_id uuid, updated_at timestamptz)
     where c.workspace_id = r.workspace_id and c.id = r.id`,
    [JSON.stringify(records)],
  )
}

export type Activity = {
  workspaceId: string
  conversationId: string
  activityId: string
  messageId: string
  at: Date
}

/** Moves conversations to the top of the list; returns how many of them are still there. */
export async function touchConversations(tx: Tx, activities: Activity[]): Promise<number> {
  const touched = await tx.sql(
    `with news as (
       select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[])
         as n (workspace_id, id, activity_id, message_id, at)
     ), locked as (
       select c.workspace_id, c.id from conversations c join news using (workspace_id, id)
       order by c.workspace_id, c.id for no key update of c
     )
     update conversations c set activity_id = n.activity_id, last_message_id = n.message_id, last_message_at = n.at,
       updated_at = n.at
     from locked join news n using (workspace_id, id)
     where c.workspace_id = locked.workspace_id and c.id = locked.id
     returning 1`,
    [
      activities.map((activity) => activity.workspaceId),
      activities.map((activity) => activity.conversationId),
      activities.map((activity) => activity.activityId),
      activities.map((activity) => activity.messageId),
      activities.map((activity) => activity.at),
    ],
  )
  return touched.length
}

export const findConversationRow = (ctx: Context, id: string): Promise<ConversationRow | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('conversations')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id),
  ) as Promise<ConversationRow | undefined>

/** One row more than `limit`, latest activity first. */
export const listConversationRows = (ctx: Context, page: { limit: number; cursor?: string | undefined }) =>
  ctx.tx.all(
    db
      .selectFrom('conversations')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .$if(page.cursor !== undefined, (query) => query.where('activityId', '<', page.cursor!))
      .orderBy('activityId', 'desc')
      .limit(page.limit + 1),
  ) as Promise<ConversationRow[]>

export const updateConversationRow = (
  ctx: Context,
  id: string,
  patch: Updateable<Tables['conversations']>,
): Promise<ConversationRow | undefined> =>
  ctx.tx.first(
    db
      .updateTable('conversations')
      .set(patch)
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .returningAll(),
  ) as Promise<ConversationRow | undefined>

/** Keeps the conversation from being erased until the transaction ends. */
export const lockConversationRow = (ctx: Context, id: string): Promise<{ id: string } | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('conversations')
      .select('id')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .forKeyShare(),
  )

export const insertNoteRow = (ctx: Context, row: Insertable<Tables['conversationNotes']>): Promise<number> =>
  ctx.tx.run(db.insertInto('conversationNotes').values(row))

/** One row more than `limit`, newest first. */
export const listNoteRows = (
  ctx: Context,
  conversationId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<NoteRow[]> =>
  ctx.tx.all(
    db
      .selectFrom('conversationNotes')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('conversationId', '=', conversationId)
      .$if(page.cursor !== undefined, (query) => query.where('id', '<', page.cursor!))
      .orderBy('id', 'desc')
      .limit(page.limit + 1),
  )

type Query = <Row>(text: string, parameters?: unknown[]) => Promise<Row[]>
export type DueWindow = { workspaceId: string; id: string }

/** Windows that expired by the real time `now`, of one workspace or of all, longest due first. */
export const listDueWindows = (
  query: Query,
  now: Date,
  most: number,
  workspaceId?: string,
): Promise<DueWindow[]> =>
  workspaceId === undefined
    ? query(
        `select workspace_id, id from conversations where window_run_at <= $1 order by window_run_at limit $2`,
        [now, most],
      )
    : query(
        `select workspace_id, id from conversations where workspace_id = $3 and window_run_at <= $1
         order by window_run_at limit $2`,
        [now, most, workspaceId],
      )

/**
 * Closes those of `due` that are due indeed and that nobody else has in hand, and returns them as
 * they were closed. A second closer finds nothing left.
 */
export const closeDueWindows = (tx: Tx, due: DueWindow[], now: Date): Promise<ConversationRow[]> =>
  tx.sql<ConversationRow>(
    `with locked as (
       select c.workspace_id, c.id from unnest($1::uuid[], $2::uuid[]) as d (workspace_id, id)
       join conversations c on c.workspace_id = d.workspace_id and c.id = d.id
       where c.window_run_at <= $3
       order by c.workspace_id, c.id for no key update of c skip locked
     )
     update conversations c set window_open = false, window_run_at = null
     from locked where c.workspace_id = locked.workspace_id and c.id = locked.id
     returning c.*`,
    [due.map((window) => window.workspaceId), due.map((window) => window.id), now],
  )

/** When the workspace's next window falls due, in real time. */
export async function findNextDueWindow(query: Query, workspaceId: string): Promise<Date | undefined> {
  const [row] = await query<{ windowRunAt: Date }>(
    `select window_run_at from conversations where workspace_id = $1 and window_run_at is not null
     order by window_run_at limit 1`,
    [workspaceId],
  )
  return row?.windowRunAt
}

/** Pulls the workspace's expiries `ms` nearer in real time. */
export async function shiftWindows(tx: Tx, workspaceId: string, ms: number): Promise<void> {
  await tx.sql(
    `update conversations set window_run_at = window_run_at - $2 * interval '1 millisecond'
     where workspace_id = $1 and window_run_at is not null`,
    [workspaceId, ms],
  )
}
