/** Finds the session that waits for an answer from outside: of the assistant, or to a request. */
import { later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import {
  type FoundContact,
  findContact,
  getContactForUpdate,
} from '../../../messaging/contacts/operations/find-contact.ts'
import { refusalOf } from '../../../messaging/contacts/operations/refusal-rule.ts'
import { readPersonAnswers } from '../../../messaging/conversations/operations/automatic-messages.ts'
import { lockOutCustomers } from '../../../messaging/conversations/operations/hold-conversation.ts'
import { getConversation } from '../../../messaging/conversations/operations/read-conversations.ts'
import { listVersions } from '../queries/bots.ts'
import { listSessionsForUpdate, type SessionRow } from '../queries/sessions.ts'
import type { BotDefinition } from '../schema.ts'

/** Names the step of a session: an answer counts only while the session is at this step. */
export type WaitingKey = { conversationId: string; sessionId: string; step: number }

/** The session that waits for this answer, with its bot and contact. */
export type Waiting = {
  session: SessionRow
  definition: BotDefinition
  /** The bot's name. */
  name: string
  contact: FoundContact
  phoneNumberId: string
}

/**
 * Returns undefined if no session waits: the customer or a teammate wrote, or the chat has ended or is gone.
 */
export async function findWaiting(
  ctx: Context,
  question: WaitingKey,
  lock: boolean,
): Promise<Waiting | undefined> {
  const { conversationId } = question
  const key = { workspaceId: ctx.workspace.id, conversationId }
  try {
    const conversation = await getConversation(ctx, conversationId)
    const contact = await (lock ? getContactForUpdate : findContact)(ctx, conversation.contactId)
    if (!contact || refusalOf(contact) !== undefined) return undefined
    if (lock) await lockOutCustomers(ctx, conversationId)
    const [session] = await listSessionsForUpdate(ctx.tx, [key])
    if (session?.id !== question.sessionId || session.step !== question.step) return undefined
    const answeredAt = (await readPersonAnswers(ctx, [key])).get(conversationId)
    if (answeredAt !== undefined && answeredAt > session.startedAt) return undefined
    if (later(session.runAt, session.runOffsetMs ?? 0) <= ctx.now) return undefined
    const [version] = await listVersions(ctx.tx, [session])
    return (
      version && {
        session,
        definition: version.definition,
        name: version.name,
        contact,
        phoneNumberId: conversation.phoneNumberId,
      }
    )
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return undefined
    throw error
  }
}
