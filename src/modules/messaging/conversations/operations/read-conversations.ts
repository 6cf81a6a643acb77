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
import { type Counts, countConversationRows, listConversationRows } from '../queries/conversation-lists.ts'
import { type ConversationRow, findConversationRow } from '../queries/conversations.ts'
import {
  COUNTED_MAX,
  type Conversation,
  type ConversationQuery,
  presentConversation,
  SEARCHED_CONTACTS_MAX,
  withoutPerson,
} from '../schema.ts'

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
  const [contacts, formerIds] = await Promise.all([
    findContactsOf(ctx, rows),
    rows.some((row) => row.assignedAgentId !== null) ? formerMembers(ctx) : Promise.resolve<string[]>([]),
  ])
  return rows.flatMap((row) => {
    const contact = contacts.get(row.contactId)
    if (!contact) return []
    const described = contactInEvent(contact)
    const shown = hasScope(ctx, 'conversations:read')
      ? { ...described, tags: contact.tags }
      : withoutPerson(described)
    const isUnassigned = row.assignedAgentId !== null && formerIds.includes(row.assignedAgentId)
    return [presentConversation(isUnassigned ? { ...row, assignedAgentId: null } : row, shown, ctx.now)]
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

/** Returns a conversation of the workspace, for other modules too. Refuses with `not_found`. */
export async function getConversation(ctx: Context, id: string): Promise<ConversationRow> {
  return (isUuid(id) ? await findConversationRow(ctx, id) : undefined) ?? noConversation()
}

/** Returns the same, or undefined. */
export const findConversation = (ctx: Context, id: string): Promise<ConversationRow | undefined> =>
  isUuid(id) ? findConversationRow(ctx, id.toLowerCase()) : Promise.resolve(undefined)

/** Returns the member who sent the request; null if the key belongs to no member. */
export const memberOf = ({ actor }: Pick<Context, 'actor'>): string | null =>
  actor.kind === 'platform' ? null : actor.memberId

/** Returns the number of conversations under each tab of an inbox. */
export const countConversations = async (ctx: Context): Promise<Counts> =>
  countConversationRows(ctx, { memberId: memberOf(ctx), former: await formerMembers(ctx) }, COUNTED_MAX)

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

/**
 * Returns one page, by latest activity (spec 2.1: a chat can move between pages), or by longest wait for an
 * answer. All filters must match (DECISIONS.md).
 */
export async function listConversations(
  ctx: Context,
  query: ConversationQuery,
): Promise<{ conversations: Shown[]; nextCursor: string | null }> {
  const { limit, cursor, ids, sort, search, state, assignee, window, ...filter } = query
  const formerIds = assignee === undefined || assignee === 'me' ? [] : await formerMembers(ctx)
  if (assignee !== undefined && formerIds.includes(assignee)) return { conversations: [], nextCursor: null }
  const contacts = search ? await searchContacts(ctx, search, SEARCHED_CONTACTS_MAX) : undefined
  const listing = {
    ...filter,
    limit,
    cursor,
    ids,
    order: sort,
    contactIds: contacts?.map((contact) => contact.id),
    states: state,
    assignee: assignee === undefined ? undefined : assigneeOf(ctx, assignee),
    former: formerIds,
    windowOpen: window === undefined ? undefined : window === 'open',
  }
  const found = await listConversationRows(ctx, listing, requireCostlyRead)
  const { rows, nextCursor } = cutPage(found, limit, (row) =>
    // Chats sorted by wait always have a `waitingId`.
    sort === 'waiting' ? row.waitingId! : row.activityId,
  )
  return { conversations: await showConversations(ctx, rows), nextCursor }
}
