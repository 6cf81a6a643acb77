/**
 * Lists of conversations (DECISIONS.md). A list is read in one of two ways. If few rows
 * match an indexed filter, they are collected and sorted. Otherwise the list is walked in its order, where
 * frequent rows are found soon.
 */

import type { Context } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { MANY_ROWS } from '../../../../database/sql/costly-reads.ts'
import { isFound, type Put, parameters, queryInOrder } from '../../../../database/sql/sql.ts'
import { COLUMNS, type ConversationRow } from './conversations.ts'

/** The filters and the order of a list. Undefined fields don't filter. */
export type ConversationListing = {
  limit: number
  cursor?: string | undefined
  /**
   * Latest activity first, or longest wait for an answer first. The second order leaves out chats that don't
   * wait.
   */
  order: 'latest' | 'waiting'
  /** Only chats of this network; undefined: of both. */
  channel?: ConversationRow['channel'] | undefined
  ids?: string[] | undefined
  /** Only conversations of these contacts. */
  contactIds?: string[] | undefined
  states?: ConversationRow['state'][] | undefined
  /** A member's id; null: unassigned. */
  assignee?: string | null | undefined
  /** Former members, for lists of unassigned chats: chats assigned to them count as unassigned. */
  former?: string[]
  /** A team's id; null: of no team. */
  teamId?: string | null | undefined
  unread?: boolean | undefined
  priority?: ConversationRow['priority'] | undefined
  archived?: boolean | undefined
  snoozed?: boolean | undefined
  phoneNumberId?: string | undefined
  tag?: string | undefined
  windowOpen?: boolean | undefined
}

/**
 * Returns the conditions that have an index, in the index's own words: the planner uses a partial index only
 * for its exact condition.
 */
function indexed(listing: ConversationListing, put: Put): string[] {
  const { states, unread, snoozed, teamId } = listing
  const isOpen = states !== undefined && !states.includes('resolved')
  return [
    unread ? 'c.is_unread' : '',
    isOpen ? "c.state <> 'resolved'" : '',
    isOpen ? assigned(listing, put) : '',
    snoozed ? 'c.snoozed_at is not null' : '',
    teamId ? `c.team_id = ${put(teamId)}` : '',
  ].filter(Boolean)
}

type Assigned = Pick<ConversationListing, 'assignee' | 'former'>

function assigned({ assignee, former = [] }: Assigned, put: Put): string {
  if (assignee === undefined) return ''
  if (assignee !== null) return `c.assigned_agent_id = ${put(assignee)}`
  const isUnassigned = 'c.assigned_agent_id is null'
  return former.length === 0
    ? isUnassigned
    : `(${isUnassigned} or c.assigned_agent_id = any (${put(uuids(former))}::uuid[]))`
}

/** Returns the condition for chats of one network, on a conversation or its activity. */
const ofChannel = (row: 'c' | 'a', channel: ConversationListing['channel']): string =>
  channel === undefined ? '' : `${row}.channel = '${channel}'`

/** Returns all conditions on a conversation `c`, apart from its network. */
function conditions(ctx: Context, listing: ConversationListing, put: Put): string[] {
  const {
    states,
    unread,
    priority,
    archived,
    snoozed,
    teamId,
    phoneNumberId,
    tag,
    windowOpen,
    ids,
    contactIds,
  } = listing
  const isOpen = () => `coalesce(c.window_expires_at > ${put(ctx.now)}::timestamptz, false)`
  return [
    ...indexed(listing, put),
    states && `c.state = any (${put(states)}::text[])`,
    assigned(listing, put),
    unread === false && 'not c.is_unread',
    priority && `c.priority = ${put(priority)}`,
    archived !== undefined && `c.is_archived = ${put(archived)}`,
    snoozed === false && 'c.snoozed_at is null',
    teamId === null && 'c.team_id is null',
    phoneNumberId && `c.phone_number_id = ${put(phoneNumberId)}`,
    tag &&
      isFound(
        `from contacts p where p.workspace_id = c.workspace_id and p.id = c.contact_id and p.tags @> ${put([tag])}::text[]`,
      ),
    // Without ids, the rows come from the contacts.
    ids && contactIds && `c.contact_id = any (${put(uuids(contactIds))}::uuid[])`,
    windowOpen !== undefined && (windowOpen ? isOpen() : `not ${isOpen()}`),
  ].filter((condition): condition is string => typeof condition === 'string' && condition !== '')
}

const andAll = (terms: string[]): string =>
  terms
    .filter(Boolean)
    .map((condition) => ` and ${condition}`)
    .join('')

const ORDERS = {
  latest: { column: 'a.activity_id', direction: 'desc', beyond: '<' },
  waiting: { column: 'a.waiting_id', direction: 'asc', beyond: '>' },
}

/** Collects matching rows and then sorts them. */
function gatherRows(ctx: Context, listing: ConversationListing, from: (put: Put) => string) {
  const { values, put } = parameters([ctx.workspace.id])
  const { column, direction, beyond } = ORDERS[listing.order]
  const text = `
    with gathered as materialized (select c.* from ${from(put)}${andAll([...conditions(ctx, listing, put), ofChannel('c', listing.channel)])})
    select ${COLUMNS} from gathered c cross join lateral (
      select * from conversation_activity where workspace_id = $1 and conversation_id = c.id limit 1
    ) a
    where ${column} is not null${listing.cursor === undefined ? '' : ` and ${column} ${beyond} ${put(listing.cursor)}`}
    order by ${column} ${direction} limit ${put(listing.limit + 1)}`
  return ctx.tx.sql<ConversationRow>(text, values)
}

/** Returns SQL that reads rows by id, with one index probe each. */
const byId = (ids: string[]) => (put: Put) =>
  `unnest(${put(uuids(ids))}::uuid[]) as w (id) cross join lateral (
     select * from conversations where workspace_id = $1 and conversations.id = w.id limit 1) c where true`

const byContact = (ids: string[]) => (put: Put) =>
  `unnest(${put(uuids(ids))}::uuid[]) as w (id) cross join lateral (
     select * from conversations where workspace_id = $1 and contact_id = w.id limit ${MANY_ROWS}) c where true`

/** Returns the contacts of conversations. */
export const listContactsOf = async (ctx: Context, ids: string[]): Promise<string[]> =>
  (
    await ctx.tx.sql<Pick<ConversationRow, 'contactId'>>(
      `select distinct c.contact_id from unnest($2::uuid[]) as w (id) cross join lateral (
         select contact_id from conversations where workspace_id = $1 and conversations.id = w.id limit 1) c`,
      [ctx.workspace.id, uuids(ids)],
    )
  ).map(({ contactId }) => contactId)

/**
 * Returns SQL that reads the rows of the workspace. Those with an open window have an index for each network: the windows
 * of photo chats are not watched (DECISIONS.md "Photo chats").
 */
const fromTable =
  (ctx: Context, { windowOpen, channel }: ConversationListing) =>
  (put: Put): string => {
    if (!windowOpen) return 'conversations c where c.workspace_id = $1'
    const conditions = [
      ...(channel === 'social' ? [] : ['window_run_at is not null']),
      ...(channel === 'chat'
        ? []
        : [`channel = 'social' and window_expires_at > ${put(ctx.now)}::timestamptz`]),
    ]
    const rows = conditions.map(
      (condition) => `select * from conversations where workspace_id = $1 and ${condition}`,
    )
    return `(${rows.join(' union all ')}) c where true`
  }

/** Walks the list in its order. */
function walkIndex(ctx: Context, listing: ConversationListing): Promise<ConversationRow[]> {
  const { values, put } = parameters([ctx.workspace.id])
  const { column, direction, beyond } = ORDERS[listing.order]
  const terms = conditions(ctx, listing, put)
  const from = `select * from conversation_activity a where workspace_id = $1 and ${column} is not null${andAll([ofChannel('a', listing.channel)])}${
    listing.cursor === undefined ? '' : ` and ${column} ${beyond} ${put(listing.cursor)}`
  } order by ${column} ${direction}`
  const limit = put(listing.limit + 1)
  // Without conditions on the conversation, the page is cut from the narrow activity rows.
  const text = `
    select ${COLUMNS} from (${terms.length === 0 ? `${from} limit ${limit}` : from}) a cross join lateral (
      select * from conversations c where c.workspace_id = $1 and c.id = a.conversation_id${andAll(terms)} limit 1
    ) c
    order by ${column} ${direction} limit ${limit}`
  return queryInOrder<ConversationRow>(ctx.tx, text, values)
}

/** Returns whether few rows match the indexed filters; undefined if no filter has an index. */
async function hasFew(ctx: Context, listing: ConversationListing): Promise<boolean | undefined> {
  const { values, put } = parameters([ctx.workspace.id])
  const terms = indexed(listing, put)
  if (terms.length === 0 && !listing.windowOpen) return undefined
  const found = await ctx.tx.sql(
    `select 1 as one from ${fromTable(ctx, listing)(put)}${andAll(terms)} offset ${put(MANY_ROWS)} limit 1`,
    values,
  )
  return found.length === 0
}

/** Returns whether matching conversations may be rare in the walked list. */
function canBeRare(listing: ConversationListing, isMany: boolean): boolean {
  const { states, assignee, unread, priority, phoneNumberId, tag, windowOpen, snoozed, teamId } = listing
  const others = [priority, phoneNumberId, tag, windowOpen, snoozed || undefined, teamId]
  if (others.some((value) => value !== undefined)) return true
  return !isMany && [states, assignee, unread].some((value) => value !== undefined)
}

/** Returns whether the workspace has enough conversations to limit walks through them. */
const hasManyConversations = async (ctx: Context): Promise<boolean> =>
  (
    await ctx.tx.sql('select 1 as one from conversation_activity where workspace_id = $1 offset $2 limit 1', [
      ctx.workspace.id,
      MANY_ROWS,
    ])
  ).length > 0

/** Returns whether a walk to the chats of numbers may pass many photo chats. */
const passesMany = async (ctx: Context, { channel }: ConversationListing): Promise<boolean> =>
  channel === 'chat' &&
  ctx.workspace.socialAddon &&
  (
    await ctx.tx.sql(
      "select 1 as one from conversation_activity where workspace_id = $1 and channel = 'social' offset $2 limit 1",
      [ctx.workspace.id, MANY_ROWS],
    )
  ).length > 0

/** Returns at most `limit` + 1 rows. Calls `guard` before a walk that may be long. */
export async function listConversationRows(
  ctx: Context,
  listing: ConversationListing,
  guard: (ctx: Context) => Promise<void>,
): Promise<ConversationRow[]> {
  if (listing.ids) return gatherRows(ctx, listing, byId(listing.ids))
  if (listing.contactIds) return gatherRows(ctx, listing, byContact(listing.contactIds))
  const few = await hasFew(ctx, listing)
  if (few) return gatherRows(ctx, listing, fromTable(ctx, listing))
  if (canBeRare(listing, few === false) ? await hasManyConversations(ctx) : await passesMany(ctx, listing))
    await guard(ctx)
  return walkIndex(ctx, listing)
}

export type Counts = { mine: number; unassigned: number; open: number; unread: number; snoozed: number }

/**
 * Counts conversations that are neither resolved, archived, nor snoozed: a member's, unassigned (also those of
 * `former` members), and all; conversations with unread messages; and snoozed ones. Each count stops at `max`.
 * `channel`: only chats of this network.
 */
export async function countConversationRows(
  ctx: Context,
  {
    memberId,
    former,
    channel,
  }: { memberId: string | null; former: string[] } & Pick<ConversationListing, 'channel'>,
  max: number,
): Promise<Counts> {
  const count = (condition: string): string =>
    `(select count(*) from (
       select 1 from conversations c where c.workspace_id = $1 and not c.is_archived and ${condition}${andAll([ofChannel('c', channel)])} limit $3) one)`
  const open = "c.state <> 'resolved' and c.snoozed_at is null"
  const { values, put } = parameters([ctx.workspace.id, memberId, max])
  const unassigned = assigned({ assignee: null, former }, put)
  const [row] = await ctx.tx.sql<Counts>(
    `select ${count(`${open} and c.assigned_agent_id = $2`)} as mine,
       ${count(`${open} and ${unassigned}`)} as unassigned, ${count(open)} as open, ${count('c.is_unread and c.snoozed_at is null')} as unread,
       ${count('c.snoozed_at is not null')} as snoozed`,
    values,
  )
  return row!
}

/** Chats to take. `skipsLocked`: leave out chats that another transaction has locked. */
export type Waiting = { former: string[]; skipsLocked: boolean } & Pick<ConversationListing, 'channel'>

const isTakeable = (former: string[], put: Put): string =>
  `c.state <> 'resolved' and not c.is_archived and c.snoozed_at is null and ${assigned({ assignee: null, former }, put)}`

/** Locks and returns such a chat of these teams. */
export async function lockLongestWaitingOfTeams(
  ctx: Context,
  { former, teamIds, skipsLocked, channel }: Waiting & { teamIds: string[] },
): Promise<Pick<ConversationRow, 'id'> | undefined> {
  const { values, put } = parameters([ctx.workspace.id])
  const [row] = await ctx.tx.sql<Pick<ConversationRow, 'id'>>(
    `with queued as materialized (
       select c.id, a.waiting_id from conversations c
       join conversation_activity a on a.workspace_id = c.workspace_id and a.conversation_id = c.id
       where c.workspace_id = $1 and c.team_id = any (${put(uuids(teamIds))}::uuid[]) and a.waiting_id is not null
         and ${isTakeable(former, put)}${andAll([ofChannel('c', channel)])}
       order by a.waiting_id
     )
     select c.id from queued q cross join lateral (
       select * from conversations c where c.workspace_id = $1 and c.id = q.id and ${isTakeable(former, put)}
       limit 1 for no key update${skipsLocked ? ' skip locked' : ''}
     ) c
     limit 1`,
    values,
  )
  return row
}

/**
 * Locks and returns the unassigned chat with the longest wait, among those of no team that are neither resolved,
 * archived, nor snoozed. Chats of `former` members are unassigned.
 */
export async function lockLongestWaiting(
  ctx: Context,
  { former, skipsLocked, channel }: Waiting,
): Promise<Pick<ConversationRow, 'id'> | undefined> {
  const { values, put } = parameters([ctx.workspace.id])
  const [row] = await queryInOrder<Pick<ConversationRow, 'id'>>(
    ctx.tx,
    `select c.id from (
       select * from conversation_activity a where workspace_id = $1 and a.waiting_id is not null${andAll([ofChannel('a', channel)])} order by a.waiting_id
     ) a cross join lateral (
       select * from conversations c where c.workspace_id = $1 and c.id = a.conversation_id
         and ${isTakeable(former, put)} and c.team_id is null
       limit 1 for no key update${skipsLocked ? ' skip locked' : ''}
     ) c
     order by a.waiting_id limit 1`,
    values,
  )
  return row
}
