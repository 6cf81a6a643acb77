/** Actions on the chat of a run. */

import { updateConversation } from '../../../messaging/conversations/operations/change-conversation.ts'
import { findTeam } from '../../../messaging/conversations/operations/find-teams.ts'
import { addNote } from '../../../messaging/conversations/operations/notes.ts'
import { NOTE_MAX } from '../../../selling/crm/schema.ts'
import { startBot } from '../../bots/operations/start-bot.ts'
import type { ActionOf } from '../action-schema.ts'
import { requireMember } from './act-on-lead.ts'
import {
  type ActionContext,
  conversationOf,
  type Result,
  refuseMissingRecord,
  SkippedStep,
  wordsOf,
} from './action-context.ts'

export async function assignConversation(
  context: ActionContext,
  { member, teamId }: ActionOf<'assign_conversation'>,
): Promise<Result> {
  requireMember(context, member)
  if (teamId !== undefined && !(await findTeam(context.ctx, teamId)))
    refuseMissingRecord(context, 'team', teamId)
  const { id } = await updateConversation(context.ctx, conversationOf(context).id, {
    assignedAgentId: member,
    ...(teamId === undefined ? {} : { teamId }),
  })
  return { conversationId: id }
}

export async function setConversation(
  context: ActionContext,
  { state, priority, isArchived }: ActionOf<'set_conversation'>,
): Promise<Result> {
  const { id } = await updateConversation(context.ctx, conversationOf(context).id, {
    ...(state === undefined ? {} : { state }),
    ...(priority === undefined ? {} : { priority }),
    ...(isArchived === undefined ? {} : { isArchived }),
  })
  return { conversationId: id }
}

export async function noteOnConversation(
  context: ActionContext,
  { text }: ActionOf<'add_note'>,
): Promise<Result> {
  const note = await addNote(context.ctx, conversationOf(context).id, {
    body: wordsOf(context, text, NOTE_MAX),
  })
  return { noteId: note.id }
}

/** Starts a bot in the run's chat. Skips the step if the bot can't start for this customer now. */
export async function startBotInChat(
  context: ActionContext,
  { botId }: ActionOf<'start_bot'>,
): Promise<Result> {
  const { id: conversationId, channel } = conversationOf(context)
  if (channel === 'social')
    throw new SkippedStep("The chat is on the photo network, where bots can't send messages.")
  const start = await startBot(context.ctx, { botId, conversationId })
  if (start.started) return { conversationId, sessionId: start.sessionId }
  if (start.reason === 'bot_not_found') return refuseMissingRecord(context, 'bot', botId)
  throw new SkippedStep(start.message)
}
