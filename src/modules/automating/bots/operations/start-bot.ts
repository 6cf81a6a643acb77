/** Starts a bot in a chat for an automation. */

import type { Context } from '../../../../core/context.ts'
import { isUuid } from '../../../../core/ids.ts'
import { getContactForUpdate } from '../../../messaging/contacts/operations/find-contact.ts'
import { refusalOf } from '../../../messaging/contacts/operations/refusal-rule.ts'
import { lockOutCustomers } from '../../../messaging/conversations/operations/hold-conversation.ts'
import { getConversation } from '../../../messaging/conversations/operations/read-conversations.ts'
import { isWindowOpen } from '../../../messaging/conversations/schema.ts'
import { holdAllowances } from '../../../messaging/messages/sending/operations/hold-allowances.ts'
import { enqueueCalls } from '../jobs.ts'
import { findBot } from '../queries/bots.ts'
import { playStart } from '../script/play-script.ts'
import { carryOut } from './run-steps.ts'
import { readSituations } from './situations.ts'

/** The reasons why a bot did not start. */
export type NotStarted =
  | 'bot_not_found'
  | 'bot_off'
  | 'contact_opted_out'
  | 'outside_24h_window'
  | 'too_many_automatic_messages'
  | 'message_refused'
/** `sessionId` is null if the bot ended without waiting for an answer. */
export type BotStart =
  | { started: true; sessionId: string | null }
  | { started: false; reason: NotStarted; message: string }

const notStarted = (reason: NotStarted, message: string): BotStart => ({
  started: false,
  reason,
  message,
})

/**
 * Starts a bot in a chat, and replaces its running bot. Returns expected failures as `NotStarted`. Refuses
 * `not_found` for an unknown conversation.
 */
export async function startBot(
  ctx: Context,
  { botId, conversationId }: { botId: string; conversationId: string },
): Promise<BotStart> {
  const bot = isUuid(botId) ? await findBot(ctx, botId) : undefined
  if (!bot) return notStarted('bot_not_found', 'The bot was deleted.')
  if (!bot.enabled) return notStarted('bot_off', 'The bot is turned off.')
  await holdAllowances(ctx, [ctx])
  const { contactId } = await getConversation(ctx, conversationId)
  const contact = await getContactForUpdate(ctx, contactId)
  await lockOutCustomers(ctx, conversationId)
  const { phoneNumberId, ...conversation } = await getConversation(ctx, conversationId)
  if (refusalOf(contact) !== undefined)
    return notStarted('contact_opted_out', 'The contact opted out or is blocked.')
  if (!isWindowOpen(conversation, ctx.now))
    return notStarted('outside_24h_window', 'The 24-hour window is closed.')
  const [situation] = await readSituations(ctx, [{ ctx, contact, definition: bot.definition }])
  const played = playStart(bot.definition, { text: undefined }, situation!)
  const step = { ctx, contact, conversationId, phoneNumberId, bot, before: undefined, played }
  const [result] = await carryOut(ctx, [step])
  const { silenced, session, refusal } = result!
  if (silenced)
    return notStarted(
      'too_many_automatic_messages',
      'The chat got too many automatic messages within ten minutes.',
    )
  if (refusal) return notStarted('message_refused', refusal.message)
  await enqueueCalls(ctx, [step], [result!])
  return { started: true, sessionId: session?.id ?? null }
}
