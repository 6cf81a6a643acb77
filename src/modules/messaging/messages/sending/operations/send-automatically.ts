/** Sends automatic messages and counts them first, so that two machines that answer each other stop. */
import type { Context, Unit } from '../../../../../core/context.ts'
import { Refusal } from '../../../../../core/errors.ts'
import type { Source } from '../../../../../core/source.ts'
import { AUTOMATIC_MAX, takeAutomaticMessages } from '../../../conversations/operations/automatic-messages.ts'
import type { SendBody } from '../send-schema.ts'
import { recordUnsentMessage } from './record-unsent.ts'
import { sendMessages } from './send-messages.ts'

const SILENCED = `This chat got ${AUTOMATIC_MAX} automatic messages within ten minutes and none from a teammate.`

const recordSilence = ({ ctx, contact, conversationId }: AutomaticSend): Promise<unknown> =>
  recordUnsentMessage(ctx, {
    contactId: contact.id,
    conversationId,
    subject: 'The automatic answer',
    why: { code: 'rate_limited', message: SILENCED },
  })

/** The content of a message, without its recipient. `source`: the part of Parley that wrote it, if not that of `ctx`. */
export type AutomaticBody = Pick<SendBody, 'type' | 'text' | 'payload'> & { source?: Source }

/** Messages for one chat, in order. */
export type AutomaticSend = {
  ctx: Context
  conversationId: string
  phoneNumberId: string
  contact: { id: string; phone: string }
  bodies: AutomaticBody[]
}

/** The result of a chat's messages: their ids, the refusal, or that the chat has had too many. */
export type AutomaticOutcome = string[] | Refusal | 'silenced'

/**
 * Sends messages, at most one per chat, and returns their results in order. The caller has locked the chats,
 * in the transaction of the answered messages. If a message is rejected, the first error is its result;
 * accepted ones are still sent.
 */
export async function sendAutomatically(unit: Unit, sends: AutomaticSend[]): Promise<AutomaticOutcome[]> {
  const allowed = await takeAutomaticMessages(
    unit,
    sends.map(({ bodies, ...send }) => ({ ...send, messages: bodies.length })),
  )
  const items = sends.flatMap(({ ctx, phoneNumberId, contact, bodies }, chat) =>
    allowed[chat]
      ? bodies.map(({ source, ...body }) => ({
          chat,
          ctx: source ? { ...ctx, source } : ctx,
          body: { to: contact.phone, phoneNumberId, ...body },
        }))
      : [],
  )
  for (const [chat, send] of sends.entries()) if (!allowed[chat]) await recordSilence(send)
  const sent = items.length === 0 ? [] : await sendMessages(items)
  const outcomes = sends.map((_, chat): AutomaticOutcome => (allowed[chat] ? [] : 'silenced'))
  for (const [i, { chat }] of items.entries()) {
    const [verdict, outcome] = [sent[i]!, outcomes[chat]!]
    if (!Array.isArray(outcome)) continue
    if (verdict instanceof Refusal) outcomes[chat] = verdict
    else outcome.push(verdict)
  }
  return outcomes
}
