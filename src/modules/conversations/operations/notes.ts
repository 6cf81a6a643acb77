import type { Context } from '../../../core/context.ts'
import { touch } from '../../../core/event.ts'
import { newId } from '../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../core/paging.ts'
import { findMember } from '../../workspaces/operations/workspaces.ts'
import { insertNoteRow, listNoteRows, lockConversationRow, type NoteRow } from '../queries/conversations.ts'
import { getConversation, noConversation } from './read-conversations.ts'

/** Keeps an internal note on a conversation; the customer never sees it (spec 4.4). */
export async function addNote(ctx: Context, conversationId: string, body: string): Promise<NoteRow> {
  const conversation = await getConversation(ctx, conversationId)
  if (!(await lockConversationRow(ctx, conversation.id))) return noConversation()
  const note = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    conversationId: conversation.id,
    authorName: await authorName(ctx),
    body,
    createdAt: ctx.now,
  }
  await insertNoteRow(ctx, note)
  touch(ctx, { conversation: conversation.id })
  return note
}

/** The teammate behind the request; the key's own label where it belongs to nobody. */
async function authorName({ actor, ...ctx }: Context): Promise<string> {
  if (actor.kind === 'platform') return ctx.workspace.name
  const member = actor.memberId ? await findMember({ actor, ...ctx }, actor.memberId) : undefined
  return member?.name ?? (actor.kind === 'key' ? actor.label : 'A former teammate')
}

/** One page of a conversation's notes, newest first. */
export async function listNotes(
  ctx: Context,
  conversationId: string,
  page: CursorQuery,
): Promise<{ rows: NoteRow[]; nextCursor: string | null }> {
  const conversation = await getConversation(ctx, conversationId)
  return cutPage(await listNoteRows(ctx, conversation.id, page), page.limit, (row) => row.id)
}
