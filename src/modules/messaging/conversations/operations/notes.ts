import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { invalidReference } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { notifyMembers } from '../../../platform/notifications/operations.ts'
import { findMember, listMembers } from '../../../platform/workspaces/operations/workspace-members.ts'
import { findContact } from '../../contacts/operations/find-contact.ts'
import { nameOf } from '../../contacts/schema.ts'
import type { NewNote } from '../note-schema.ts'
import { insertNoteRow, lockConversationRow, type NoteRow } from '../queries/conversations.ts'
import { listRowsOfChat } from '../queries/rows-of-chat.ts'
import { getInboxConversation, noConversation } from './read-conversations.ts'

/** Stores an internal note on a conversation. The customer never sees it (spec 4.4). */
export async function addNote(
  ctx: Context,
  conversationId: string,
  { body, mentions = [] }: z.output<typeof NewNote>,
): Promise<NoteRow> {
  const conversation = await getInboxConversation(ctx, conversationId)
  await checkMentions(ctx, mentions)
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
  if (mentions.length > 0) await notifyMentioned(ctx, note, conversation.contactId, mentions)
  return note
}

/** Refuses mentions that aren't current members. */
async function checkMentions(ctx: Context, mentions: readonly string[]): Promise<void> {
  if (mentions.length === 0) return
  const members = await listMembers(ctx.tx, ctx.workspace.id)
  const activeIds = new Set(members.filter(({ leftAt }) => leftAt === null).map(({ id }) => id))
  const issues = mentions.flatMap((id, index) =>
    activeIds.has(id.toLowerCase())
      ? []
      : [{ path: `mentions[${index}]`, message: 'Member not found. See GET /team.' }],
  )
  if (issues.length > 0) throw invalidReference(issues)
}

async function notifyMentioned(
  ctx: Context,
  note: NoteRow,
  contactId: string,
  mentions: readonly string[],
): Promise<void> {
  const contact = await findContact(ctx, contactId)
  if (!contact) return
  await notifyMembers(
    ctx,
    [...new Set(mentions.map((id) => id.toLowerCase()))].map((memberId) => ({
      kind: 'mention' as const,
      memberId,
      title: nameOf(contact) ?? contact.phone,
      body: note.body,
      subjectId: note.conversationId,
      contactId,
    })),
  )
}

/** Returns the name of the teammate who sent the request, or the key's label if it belongs to no member. */
async function authorName({ actor, ...ctx }: Context): Promise<string> {
  if (actor.kind === 'platform') return ctx.workspace.name
  const member = actor.memberId ? await findMember({ actor, ...ctx }, actor.memberId) : undefined
  return member?.name ?? (actor.kind === 'key' ? actor.label : 'A former teammate')
}

/** Returns one page of a conversation's notes, newest first. */
export async function listNotes(
  ctx: Context,
  conversationId: string,
  page: CursorQuery,
): Promise<{ rows: NoteRow[]; nextCursor: string | null }> {
  const conversation = await getInboxConversation(ctx, conversationId)
  return cutPage(
    await listRowsOfChat(ctx, 'conversationNotes', conversation.id, page),
    page.limit,
    (row) => row.id,
  )
}
