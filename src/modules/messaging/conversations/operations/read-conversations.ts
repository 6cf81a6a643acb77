import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { cutPage } from '../../../../core/paging.ts'
import { hasScope } from '../../../../core/scopes.ts'
import { requireCostlyRead } from '../../../../database/sql/costly-reads.ts'
import { listFormerMemberIds } from '../../../platform/workspaces/operations/workspace-members.ts'
import { findContactsOf } from '../../contacts/operations/find-contact.ts'
import { searchContacts } from '../../contacts/operations/list-contacts.ts'
import { contactInEvent } from '../../contacts/schema.ts'
import {
  type Counts,
  countConversationRows,
  listContactsOf,
  listConversationRows,
} from '../queries/conversation-lists.ts'
import { type ConversationRow, findConversationRow } from '../queries/conversations.ts'
import {
  type ChannelChoice,
  COUNTED_MAX,
  type Conversation,
  type ConversationQuery,
  presentConversation,
  SEARCHED_CONTACTS_MAX,
  withoutPerson,
} from '../schema.ts'
import { conversationsOfContact } from './find-contact-conversations.ts'
import { findTeam, findTeamNames } from './find-teams.ts'

type Shown = z.input<typeof Conversation>

export const noConversation = (): never =>
  refuse('not_found', 'Conversation not found. See GET /conversations.')

/** Returns former members. Conversations assigned to them count as unassigned. */
const formerMembers = (ctx: Context): Promise<string[]> => listFormerMemberIds(ctx.tx, ctx.workspace.id)

/**
 * Returns conversations in the form that the caller may see. A conversation whose contact is being erased is
 * left out.
 */
export async function showConversations(ctx: Context, rows: ConversationRow[]): Promise<Shown[]> {
  const teamIds = [...new Set(rows.flatMap(({ teamId }) => teamId ?? []))]
  const [contacts, formerIds, knownTeams] = await Promise.all([
    findContactsOf(ctx, rows),
    rows.some((row) => row.assignedAgentId !== null) ? formerMembers(ctx) : Promise.resolve<string[]>([]),
    findTeamNames(ctx, teamIds),
  ])
  return rows.flatMap((row) => {
    const contact = contacts.get(row.contactId)
    if (!contact) return []
    const described = contactInEvent(contact)
    const shown = hasScope(ctx, 'conversations:read')
      ? { ...described, tags: contact.tags }
      : withoutPerson(described)
    const isUnassigned = row.assignedAgentId !== null && formerIds.includes(row.assignedAgentId)
    const hasLostTeam = row.teamId !== null && !knownTeams.has(row.teamId)
    const current = {
      ...row,
      ...(isUnassigned && { assignedAgentId: null }),
      ...(hasLostTeam && { teamId: null }),
    }
    return [presentConversation(current, shown, ctx.now)]
  })
}

/**
 * Returns one conversation in the form that the caller may see. A conversation of another workspace returns
 * the same 404 as a missing one.
 */
export async function showConversation(ctx: Context, row: ConversationRow | undefined): Promise<Shown> {
  const [shown] = row ? await showConversations(ctx, [row]) : []
  return shown ?? noConversation()
}

/** Returns whether the caller may see chats of the photo network. */
const canSeePhotoChats = (ctx: Context): boolean =>
  ctx.workspace.socialAddon && ctx.workspace.socialEnabled && hasScope(ctx, 'social:read')

/**
 * Returns a conversation of either network, as far as the caller may see it: for everything that the inbox does with chats,
 * apart from sending (DECISIONS.md "Photo chats").
 */
export async function findInboxConversation(ctx: Context, id: string): Promise<ConversationRow | undefined> {
  const row = isUuid(id) ? await findConversationRow(ctx, id.toLowerCase()) : undefined
  return row?.channel === 'social' && !canSeePhotoChats(ctx) ? undefined : row
}

/** Returns the same, or refuses with `not_found`. */
export const getInboxConversation = async (ctx: Context, id: string): Promise<ConversationRow> =>
  (await findInboxConversation(ctx, id)) ?? noConversation()

/** Returns a conversation on one of the workspace's numbers; never a chat of the photo network. */
export async function findConversation(ctx: Context, id: string): Promise<ConversationRow | undefined> {
  const row = isUuid(id) ? await findConversationRow(ctx, id.toLowerCase()) : undefined
  return row?.channel === 'chat' ? row : undefined
}

/** Returns the same, or refuses with `not_found`. */
export const getConversation = async (ctx: Context, id: string): Promise<ConversationRow> =>
  (await findConversation(ctx, id)) ?? noConversation()

/** Returns the member who sent the request; null if the key belongs to no member. */
export const memberOf = ({ actor }: Pick<Context, 'actor'>): string | null =>
  actor.kind === 'platform' ? null : actor.memberId

/** Returns the number of conversations under each tab of an inbox. */
export async function countConversations(ctx: Context, choice: ChannelChoice): Promise<Counts> {
  const channel = channelOf(ctx, choice)
  if (channel === 'none') return { mine: 0, unassigned: 0, open: 0, unread: 0, snoozed: 0 }
  const listing = { memberId: memberOf(ctx), former: await formerMembers(ctx), ...channel }
  return countConversationRows(ctx, listing, COUNTED_MAX)
}

/** Returns the network whose chats the caller asks for and may see; empty: both; `none`: they may not see it. */
export function channelOf(ctx: Context, choice: ChannelChoice): { channel?: 'chat' | 'social' } | 'none' {
  if (choice === 'chat' || (choice === 'all' && !canSeePhotoChats(ctx))) return { channel: 'chat' }
  if (choice === 'all') return {}
  return canSeePhotoChats(ctx) ? { channel: 'social' } : 'none'
}

function assigneeOf(ctx: Context, assignee: string): string | null {
  if (assignee === 'none') return null
  if (assignee !== 'me') return assignee
  return (
    memberOf(ctx) ??
    refuse('invalid', "This key doesn't belong to a member, so `me` can't be used. Use a member's id.", {
      issues: [
        {
          path: 'assignee',
          message: "Must be none or the id of a member. This key doesn't belong to a member.",
        },
      ],
    })
  )
}

/** Returns the contacts that a search finds; with `ids`, only among the contacts of these conversations. */
async function findSearched(
  ctx: Context,
  search: string,
  { ids, channel }: { ids: string[] | undefined; channel?: 'chat' | 'social' },
): Promise<string[]> {
  const among = ids && (await listContactsOf(ctx, ids))
  const max = among?.length ?? SEARCHED_CONTACTS_MAX
  const found: string[] = []
  for (const network of channel ? [channel] : (['chat', 'social'] as const))
    for (const { id } of await searchContacts(ctx, search, { max, ids: among, channel: network }))
      found.push(id)
  return found
}

/**
 * Returns one page, by latest activity (spec 2.1: a chat can move between pages), or by longest wait for an
 * answer. All filters must match (DECISIONS.md).
 */
export async function listConversations(
  ctx: Context,
  query: ConversationQuery,
): Promise<{ conversations: Shown[]; nextCursor: string | null }> {
  const {
    limit,
    cursor,
    ids,
    sort,
    search,
    state,
    assignee,
    teamId,
    window,
    channel: choice,
    ...filter
  } = query
  const channel = channelOf(ctx, choice)
  if (channel === 'none') return { conversations: [], nextCursor: null }
  const formerIds = assignee === undefined || assignee === 'me' ? [] : await formerMembers(ctx)
  if (assignee !== undefined && formerIds.includes(assignee)) return { conversations: [], nextCursor: null }
  if (teamId !== undefined && teamId !== 'none' && !(await findTeam(ctx, teamId)))
    return { conversations: [], nextCursor: null }
  const contactIds = search ? await findSearched(ctx, search, { ids, ...channel }) : undefined
  const listing = {
    ...filter,
    ...channel,
    limit,
    cursor,
    ids,
    order: sort,
    contactIds,
    states: state,
    assignee: assignee === undefined ? undefined : assigneeOf(ctx, assignee),
    former: formerIds,
    teamId: teamId === 'none' ? null : teamId,
    windowOpen: window === undefined ? undefined : window === 'open',
  }
  const found = await listConversationRows(ctx, listing, requireCostlyRead)
  const { rows, nextCursor } = cutPage(found, limit, (row) =>
    // Chats sorted by wait always have a `waitingId`.
    sort === 'waiting' ? row.waitingId! : row.activityId,
  )
  return { conversations: await showConversations(ctx, rows), nextCursor }
}

/** Returns the conversations of a contact with the latest activity, and the ids of all of them. */
export async function listConversationsOfContact(ctx: Context, contactId: string, max: number) {
  const [rows, ids] = await Promise.all([
    listConversationRows(
      ctx,
      { order: 'latest', contactIds: [contactId], limit: max - 1 },
      requireCostlyRead,
    ),
    conversationsOfContact(ctx, contactId),
  ])
  return { items: await showConversations(ctx, rows), total: ids.length, ids }
}
