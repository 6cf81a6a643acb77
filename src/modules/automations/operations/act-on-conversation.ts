/** Actions on the chat of a run. */
import { startBot } from '../../bots/operations/start-bot.ts'
import { updateConversation } from '../../conversations/operations/change-conversation.ts'
import { addNote } from '../../conversations/operations/notes.ts'
import { NOTE_MAX } from '../../crm/schema.ts'
import type { ActionOf } from '../schema.ts'
import { requireMember } from './act-on-lead.ts'
import { type Acting, conversationOf, gone, type Result, SkippedStep, wordsOf } from './acting.ts'

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
  const note = await addNote(acting.ctx, conversationOf(acting).id, {
    body: wordsOf(acting, text, NOTE_MAX),
  })
  return { noteId: note.id }
}

/** Starts a bot in the run's chat. Skips the step if the bot can't start for this customer now. */
export async function beginBot(acting: Acting, { botId }: ActionOf<'start_bot'>): Promise<Result> {
  const { id: conversationId } = conversationOf(acting)
  const start = await startBot(acting.ctx, { botId, conversationId })
  if (start.started) return { conversationId, sessionId: start.sessionId }
  if (start.why === 'bot_not_found') return gone(acting, 'bot', botId)
  throw new SkippedStep(start.message)
}
