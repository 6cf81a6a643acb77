/** Actions on the chat of a run. */
import { updateConversation } from '../../conversations/operations/change-conversation.ts'
import { addNote } from '../../conversations/operations/notes.ts'
import type { ActionOf } from '../schema.ts'
import { requireMember } from './act-on-lead.ts'
import { type Acting, conversationOf, type Result, wordsOf } from './acting.ts'

export async function assignConversation(
  acting: Acting,
  { member }: ActionOf<'assign_conversation'>,
): Promise<Result> {
  requireMember(acting, member)
  const { id } = await updateConversation(acting.ctx, conversationOf(acting).id, { assignedAgentId: member })
  return { conversationId: id }
}

export async function setConversation(
  acting: Acting,
  { state, priority, isArchived }: ActionOf<'set_conversation'>,
): Promise<Result> {
  const { id } = await updateConversation(acting.ctx, conversationOf(acting).id, {
    ...(state === undefined ? {} : { state }),
    ...(priority === undefined ? {} : { priority }),
    ...(isArchived === undefined ? {} : { isArchived }),
  })
  return { conversationId: id }
}

export async function noteOnConversation(acting: Acting, { text }: ActionOf<'add_note'>): Promise<Result> {
  const note = await addNote(acting.ctx, conversationOf(acting).id, { body: wordsOf(acting, text) })
  return { noteId: note.id }
}
