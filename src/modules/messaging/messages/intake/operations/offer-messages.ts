/**
 * Offers customers' messages to takers, one after the other; a message that a taker accepts is not offered to
 * the next. Their order is one list (src/startup/inbound-order.ts;
 * src/modules/automating/auto-replies/DECISIONS.md).
 */
import { later, MINUTE_MS } from '../../../../../core/clock.ts'
import type { Context, Unit } from '../../../../../core/context.ts'
import { type FoundContact, findContactsOf } from '../../../contacts/operations/find-contact.ts'
import { refusalOf } from '../../../contacts/operations/refusal-rule.ts'
import { readPersonAnswers } from '../../../conversations/operations/automatic-messages.ts'

/** A stored message of a customer. */
export type Offered = {
  ctx: Context
  messageId: string
  conversationId: string
  contactId: string
  phoneNumberId: string
  type: string
  content: Record<string, unknown>
  /** The channel id of the message that it replies to. */
  replyTo: string | null
  /** When it was written, according to the operator. */
  at: Date
  /** When the customer's previous message in this chat was written. */
  previousInboundAt: Date | null
  /** True if this message ended the customer's opt-out. */
  hadOptedOut: boolean
}

/** A message that may be answered automatically. */
export type Answerable = Offered & {
  contact: FoundContact
  /** When a teammate last wrote in the chat. */
  personAnsweredAt: Date | undefined
}

/**
 * A taker of messages; its functions return the ids of the messages that it takes. A list has at most one
 * message of each chat.
 */
export type Taker = {
  name: string
  /** Sees every message. */
  take?(unit: Unit, messages: Offered[]): Promise<Set<string>> | Set<string>
  /** Answers automatically: receives only messages that may be answered so. */
  answer?(unit: Unit, messages: Answerable[]): Promise<Set<string>>
}

/** Older messages are answered only by people. */
const LATEST_MS = 10 * MINUTE_MS
/** For this time after a teammate wrote, nothing answers automatically. */
const LEFT_TO_PEOPLE_MS = 30 * MINUTE_MS
/** Types of messages that need no answer. */
const SILENT_TYPES = new Set(['reaction', 'system'])

/** Returns whether a teammate has written in the chat recently. */
export const isLeftToPeople = ({ ctx, personAnsweredAt }: Answerable): boolean =>
  personAnsweredAt !== undefined && personAnsweredAt > later(ctx.now, -LEFT_TO_PEOPLE_MS)

/** Offers messages in the order in which they were stored. */
export async function offerMessages(unit: Unit, messages: Offered[], takers: Taker[]): Promise<void> {
  for (const round of roundsOf(messages)) await offerRound(unit, round, takers)
}

/**
 * Groups messages into rounds. If something may answer them, messages of one chat are in different rounds,
 * because the answer to the first may wait for the next; otherwise there is one round.
 */
function roundsOf(messages: Offered[]): Offered[][] {
  const rounds: Offered[][] = []
  const turns = new Map<string, number>()
  for (const message of messages) {
    const turn = message.ctx.workspace.answersItself ? (turns.get(message.conversationId) ?? 0) : 0
    turns.set(message.conversationId, turn + 1)
    rounds[turn] ??= []
    rounds[turn].push(message)
  }
  return rounds
}

async function offerRound(unit: Unit, messages: Offered[], takers: Taker[]): Promise<void> {
  let left = messages
  let answerable: Answerable[] | undefined
  for (const { take, answer } of takers) {
    if (left.length === 0) return
    const takenIds = new Set(take ? await take(unit, left) : [])
    left = left.filter(({ messageId }) => !takenIds.has(messageId))
    if (!answer) continue
    answerable ??= await filterAnswerable(unit, left)
    const open = answerable.filter(({ messageId }) => left.some((message) => message.messageId === messageId))
    if (open.length === 0) return
    const answered = await answer(unit, open)
    left = left.filter(({ messageId }) => !answered.has(messageId))
  }
}

/**
 * Returns the messages that may be answered automatically. Runs no query if no workspace uses automatic
 * answers.
 */
async function filterAnswerable(unit: Unit, messages: Offered[]): Promise<Answerable[]> {
  const recent = messages.filter(
    ({ ctx, type, at }) =>
      ctx.workspace.answersItself && !SILENT_TYPES.has(type) && at > later(ctx.now, -LATEST_MS),
  )
  if (recent.length === 0) return []
  const keys = recent.map(({ ctx, ...message }) => ({ workspaceId: ctx.workspace.id, ...message }))
  const [contacts, answeredByPerson] = await Promise.all([
    findContactsOf(unit, keys),
    readPersonAnswers(unit, keys),
  ])
  return recent.flatMap((message) => {
    const contact = contacts.get(message.contactId)
    if (!contact || refusalOf(contact) !== undefined) return []
    return [{ ...message, contact, personAnsweredAt: answeredByPerson.get(message.conversationId) }]
  })
}
