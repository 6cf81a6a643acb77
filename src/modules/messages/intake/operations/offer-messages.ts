/**
 * What customers write is offered, one after the other, to those who may take it: the first that does leaves nothing to the
 * next. Their order is one list (src/startup/inbound-order.ts; docs/decisions/auto-replies.md).
 */
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context, Unit } from '../../../../core/context.ts'
import { type FoundContact, findContactsOf } from '../../../contacts/operations/find-contact.ts'
import { refusalOf } from '../../../contacts/operations/refusal-rule.ts'
import { readPersonAnswers } from '../../../conversations/operations/automatic-messages.ts'

/** A customer's message that was stored. */
export type Offered = {
  ctx: Context
  messageId: string
  conversationId: string
  contactId: string
  phoneNumberId: string
  type: string
  content: Record<string, unknown>
  /** When it was written, by the operator. */
  at: Date
  /** When its customer wrote before, in this chat. */
  previousInboundAt: Date | null
  /** The customer had refused messages until this one. */
  hadOptedOut: boolean
}

/** One that may be answered without a person. */
export type Answerable = Offered & {
  contact: FoundContact
  /** When a person of ours last wrote in the chat. */
  personAnsweredAt: Date | undefined
}

/** Who may take messages; answers the ids of those that it took. At most one message of a chat is in a list. */
export type Taker = {
  name: string
  /** Sees every message. */
  take?(unit: Unit, messages: Offered[]): Promise<Set<string>> | Set<string>
  /** Answers without a person: sees only what may be answered so. */
  answer?(unit: Unit, messages: Answerable[]): Promise<Set<string>>
}

/** What came in so long ago is answered by people alone. */
const LATEST_MS = 10 * MINUTE_MS
/** So long after a person wrote, nothing begins to answer for them. */
const LEFT_TO_PEOPLE_MS = 30 * MINUTE_MS
/** What is no message that asks for an answer. */
const SILENT_TYPES = new Set(['reaction', 'system'])

/** Whether a person of ours has just written in the chat. */
export const isLeftToPeople = ({ ctx, personAnsweredAt }: Answerable): boolean =>
  personAnsweredAt !== undefined && personAnsweredAt > later(ctx.now, -LEFT_TO_PEOPLE_MS)

/** Offers messages, in the order in which they were stored. */
export async function offerMessages(unit: Unit, messages: Offered[], takers: Taker[]): Promise<void> {
  for (const round of roundsOf(messages)) await offerRound(unit, round, takers)
}

/**
 * Messages of one chat come after each other where what answers the first may wait for the next; where nothing answers, all of them
 * are looked at together.
 */
function roundsOf(messages: Offered[]): Offered[][] {
  const rounds: Offered[][] = []
  const seen = new Map<string, number>()
  for (const message of messages) {
    const turn = message.ctx.workspace.answersItself ? (seen.get(message.conversationId) ?? 0) : 0
    seen.set(message.conversationId, turn + 1)
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
    const taken = new Set(take ? await take(unit, left) : [])
    left = left.filter(({ messageId }) => !taken.has(messageId))
    if (!answer) continue
    answerable ??= await onlyAnswerable(unit, left)
    const open = answerable.filter(({ messageId }) => left.some((one) => one.messageId === messageId))
    if (open.length === 0) return
    const answered = await answer(unit, open)
    left = left.filter(({ messageId }) => !answered.has(messageId))
  }
}

/** Those that may be answered without a person. Asks nothing of the database where no workspace answers so. */
async function onlyAnswerable(unit: Unit, messages: Offered[]): Promise<Answerable[]> {
  const recent = messages.filter(
    ({ ctx, type, at }) =>
      ctx.workspace.answersItself && !SILENT_TYPES.has(type) && at > later(ctx.now, -LATEST_MS),
  )
  if (recent.length === 0) return []
  const keys = recent.map(({ ctx, ...message }) => ({ workspaceId: ctx.workspace.id, ...message }))
  const [contacts, persons] = await Promise.all([findContactsOf(unit, keys), readPersonAnswers(unit, keys)])
  return recent.flatMap((message) => {
    const contact = contacts.get(message.contactId)
    if (!contact || refusalOf(contact) !== undefined) return []
    return [{ ...message, contact, personAnsweredAt: persons.get(message.conversationId) }]
  })
}
