import type { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { isUuid } from '../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../core/paging.ts'
import { describeContacts } from '../../contacts/operations/find-contact.ts'
import { type ConversationRow, findConversationRow, listConversationRows } from '../queries/conversations.ts'
import { type Conversation, presentConversation, withoutPerson } from '../schema.ts'

type Shown = z.input<typeof Conversation>

export const noConversation = (): never => refuse('not_found', 'There is no such conversation.')

/** Whether the caller may know whom a conversation is with (spec 5.5). */
const mayKnowPerson = ({ actor }: Context): boolean =>
  actor.kind !== 'key' || actor.scopes === null || actor.scopes.includes('conversations:read')

/** Conversations as the caller may see them. One whose contact is being erased is left out. */
export async function showConversations(ctx: Context, rows: ConversationRow[]): Promise<Shown[]> {
  const contacts = await describeContacts(ctx, rows)
  return rows.flatMap((row) => {
    const contact = contacts.get(row.contactId)
    if (!contact) return []
    return [presentConversation(row, mayKnowPerson(ctx) ? contact : withoutPerson(contact), ctx.now)]
  })
}

/** One conversation as the caller may see it; foreign and missing are the same 404. */
export async function showConversation(ctx: Context, row: ConversationRow | undefined): Promise<Shown> {
  const [shown] = row ? await showConversations(ctx, [row]) : []
  return shown ?? noConversation()
}

/** A conversation of the workspace, for other modules too; refuses with `not_found`. */
export async function getConversation(ctx: Context, id: string): Promise<ConversationRow> {
  return (isUuid(id) ? await findConversationRow(ctx, id) : undefined) ?? noConversation()
}

/** One page by latest activity; a chat can move while paging (spec 2.1). */
export async function listConversations(
  ctx: Context,
  page: CursorQuery,
): Promise<{ conversations: Shown[]; nextCursor: string | null }> {
  const { rows, nextCursor } = cutPage(
    await listConversationRows(ctx, page),
    page.limit,
    (row) => row.activityId,
  )
  return { conversations: await showConversations(ctx, rows), nextCursor }
}
