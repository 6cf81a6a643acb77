/** Asks the workspace's assistant for a draft or a summary, on request of a member (DECISIONS.md). */
import type { AssistantConnection, Utterance, WritingTask } from '../../../assistant/port.ts'
import type { Context } from '../../../core/context.ts'
import type { AnsweringContext } from '../../../core/endpoint.ts'
import { refuse } from '../../../core/errors.ts'
import { nextMidnight } from '../../../core/values/calendar.ts'
import { cutText } from '../../../core/values/cut-text.ts'
import { LANGUAGE_NAMES } from '../../../core/values/languages.ts'
import { findContact } from '../../messaging/contacts/operations/find-contact.ts'
import { contactInEvent } from '../../messaging/contacts/schema.ts'
import {
  getConversation,
  noConversation,
} from '../../messaging/conversations/operations/read-conversations.ts'
import { listQuickReplies } from '../../messaging/quick-replies/operations.ts'
import { readAssistantKnowledge } from '../bots/operations/assistant-knowledge.ts'
import { readShownChat, withoutNumber } from '../bots/operations/shown-chat.ts'
import { takeAnswer } from '../bots/operations/take-answer.ts'
import { chooseReplies } from './choose-replies.ts'
import type { DraftRequest, SummaryRequest } from './schema.ts'

/** The number of a chat's messages that the assistant receives. */
const SHOWN_MESSAGES = 30
/** The newest saved replies, among which the most fitting are chosen. */
const READ_REPLIES = 200
const FIRST_NAME_MAX = 40

/** Returns the assistant. Refuses `assistant_off` if none is connected, or members may not use it. */
async function requireAssistant({
  outside,
  workspace,
}: AnsweringContext<string>): Promise<AssistantConnection> {
  const connection = await outside.assistantConnection(workspace.id)
  return connection?.forAgents
    ? connection
    : refuse('assistant_off', 'The assistant for agents is off. An admin can turn it on in Integrations.')
}

type Chat = { utterances: Utterance[]; firstName: string | null }

/** Reads the chat as the assistant may see it: without the customer's number, and with the first name alone. */
async function readChat(ctx: Context, id: string): Promise<Chat> {
  const conversation = await getConversation(ctx, id)
  const contact = (await findContact(ctx, conversation.contactId)) ?? noConversation()
  const utterances = await readShownChat(ctx, conversation.id, {
    phone: contact.phone,
    limit: SHOWN_MESSAGES,
  })
  if (utterances.length === 0) refuse('conflict', 'This chat has no messages with text.')
  const [firstName = ''] = withoutNumber(contactInEvent(contact).name ?? '', contact.phone)
    .trim()
    .split(/\s+/u)
  return { utterances, firstName: cutText(firstName, FIRST_NAME_MAX) || null }
}

/** Counts the answer before it is requested. Refuses `rate_limited` until the workspace's next day. */
async function countAnswer(ctx: Context, { dailyLimit }: AssistantConnection): Promise<void> {
  if (await takeAnswer(ctx, dailyLimit)) return
  const waitMs = nextMidnight(ctx.now, ctx.workspace.timezone).getTime() - ctx.now.getTime()
  refuse(
    'rate_limited',
    `The assistant reached its limit of ${dailyLimit} answers a day. An admin can raise it in Integrations.`,
    { retryAfterSeconds: Math.ceil(waitMs / 1_000) },
  )
}

/**
 * Prepares the task in one transaction, calls the assistant, and returns its text in another one, if the chat
 * still exists. Refuses `assistant_failed` if there is no usable text.
 */
async function write(
  ctx: AnsweringContext<string>,
  id: string,
  taskOf: (txCtx: Context, chat: Chat) => Promise<WritingTask>,
): Promise<string> {
  const connection = await requireAssistant(ctx)
  const task = await ctx.transaction(async (txCtx) => {
    const prepared = await taskOf(txCtx, await readChat(txCtx, id))
    await countAnswer(txCtx, connection)
    return prepared
  })
  const written = await ctx.outside.writeText(connection, task)
  if (written.kind === 'failed') refuse('assistant_failed', written.why)
  return ctx.lastTransaction(async (txCtx) => {
    await getConversation(txCtx, id)
    return written.text
  })
}

/** Drafts the next message to the customer. It sends nothing. */
export const draftReply = (
  ctx: AnsweringContext<string>,
  id: string,
  { instruction = null }: { instruction?: DraftRequest['instruction'] | null },
): Promise<string> =>
  write(ctx, id, async (txCtx, { utterances, firstName }) => {
    const { quickReplies } = await listQuickReplies(txCtx, { limit: READ_REPLIES, cursor: undefined })
    return {
      kind: 'draft',
      firstName,
      request: instruction,
      ...(await readAssistantKnowledge(txCtx)),
      savedReplies: chooseReplies(
        quickReplies.map(({ text }) => text),
        utterances,
      ),
      utterances,
    }
  })

/** Summarizes the chat's latest messages. */
export const summarizeChat = (
  ctx: AnsweringContext<string>,
  id: string,
  { language }: SummaryRequest,
): Promise<string> =>
  write(ctx, id, async ({ workspace }, { utterances }) => ({
    kind: 'summary',
    language: LANGUAGE_NAMES[language ?? workspace.language],
    utterances,
  }))
