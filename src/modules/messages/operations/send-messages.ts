/**
 * Accepting messages (spec 4.2): everything that can be known without the operator is checked, the
 * message is stored as queued with the conversation it belongs to, and the hand-over happens later.
 * Works on a list from many workspaces; a refused item writes nothing and touches no neighbour.
 */
import { realTime } from '../../../core/clock.ts'
import { type Context, type Unit, wake } from '../../../core/context.ts'
import { invalid, Refusal } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { callingCodeOf, parseCustomerRef } from '../../../core/phone.ts'
import { findContactsForSend } from '../../contacts/operations/find-contact.ts'
import { findConversationsForSend, noteOutbound } from '../../conversations/operations/outbound.ts'
import { chooseNumber } from '../../workspaces/operations/choose-number.ts'
import { listNumbers } from '../../workspaces/operations.ts'
import { insertQueuedMessages, listKnownChanmids, type NewMessage } from '../queries.ts'
import type { SendBody } from '../schema.ts'
import { readQuota, settleQuota, takeQuota } from './message-quota.ts'

/** The source of background work that hands messages over. */
export const HANDOVER = 'handover'

export type SendItem = { ctx: Context; body: SendBody }
type Numbers = Awaited<ReturnType<typeof listNumbers>>
type SendingNumber = Numbers[number]
type Recipient = { phone: string | null; userId: string | null }
type Checked = SendItem & { number: SendingNumber; recipient: Recipient }

/** Who it goes to: `to` wins over `recipient` (spec 4.2). A number without country code takes the sending number's. */
function recipientOf(item: SendItem, number: SendingNumber): Recipient | Refusal {
  const { to, recipient } = item.body
  if (to === undefined) return { phone: null, userId: recipient as string }
  const named = parseCustomerRef(to, callingCodeOf(number.number) ?? item.ctx.workspace.countryCode)
  if (!named) return invalid([{ path: 'to', message: 'must be a phone number in E.164 or chan:<user id>' }])
  return named.kind === 'phone' ? { phone: named.e164, userId: null } : { phone: null, userId: named.userId }
}

function checkNumber(number: SendingNumber, recipient: Recipient, numbers: Numbers): Refusal | undefined {
  const self = numbers.some((own) => own.workspaceId === number.workspaceId && own.number === recipient.phone)
  if (self) return new Refusal('cannot_send_to_self', "The recipient is the business's own number.")
  if (number.state === 'active') return undefined
  const code = number.state === 'number_banned' ? 'number_banned' : 'sending_blocked'
  return new Refusal(
    code,
    number.stateReason ?? `Nothing can be sent from ${number.number}: ${number.state}.`,
  )
}

function check(item: SendItem, numbers: Numbers): Checked | Refusal {
  const number = chooseNumber(numbers, item.ctx.workspace.id, item.body.phoneNumberId)
  if (number instanceof Refusal) return number
  const recipient = recipientOf(item, number)
  if (recipient instanceof Refusal) return recipient
  return checkNumber(number, recipient, numbers) ?? { ...item, number, recipient }
}

type Target = {
  contact: Awaited<ReturnType<typeof findContactsForSend>>[number]
  conversation: Awaited<ReturnType<typeof findConversationsForSend>>[number]
}

/** What the customer and the window say. */
function checkTarget(item: Checked, target: Target): Refusal | undefined {
  if (target.contact?.optInStatus === 'opted_out')
    return new Refusal('contact_opted_out', 'The customer opted out of messages; nothing was sent.')
  if (target.contact?.blocked)
    return new Refusal('contact_opted_out', 'The contact is blocked; nothing was sent.')
  const expires = target.conversation?.windowExpiresAt
  if (expires && expires > item.ctx.now) return undefined
  return new Refusal(
    'outside_24h_window',
    expires
      ? `The customer last wrote more than 24 hours ago (the window closed at ${expires.toISOString()}); send an approved template.`
      : 'The customer has not written to this number yet; only an approved template may open a conversation.',
  )
}

async function findTargets(unit: Unit, items: Checked[]): Promise<Target[]> {
  const contacts = await findContactsForSend(
    unit,
    items.map((item) => ({ workspaceId: item.ctx.workspace.id, ...item.recipient })),
  )
  const conversations = await findConversationsForSend(
    unit,
    items.map((item, i) => ({
      workspaceId: item.ctx.workspace.id,
      contactId: contacts[i]?.id ?? null,
      phoneNumberId: item.number.id,
    })),
  )
  return items.map((_, i) => ({ contact: contacts[i], conversation: conversations[i] }))
}

/** Refuses replies to messages that the conversation does not have. */
async function unknownReplies(unit: Unit, items: Checked[], targets: Target[]): Promise<Set<Checked>> {
  const replies = items.filter((item) => item.body.replyTo !== undefined)
  if (replies.length === 0) return new Set()
  const known = await listKnownChanmids(
    unit.tx,
    replies.map((item) => ({ workspaceId: item.ctx.workspace.id, chanmid: item.body.replyTo! })),
  )
  return new Set(
    items.filter(
      (item, i) =>
        item.body.replyTo !== undefined &&
        !known.some(
          (one) => one.chanmid === item.body.replyTo && one.conversationId === targets[i]!.conversation?.id,
        ),
    ),
  )
}

const messageOf = (item: Checked, target: Target): NewMessage => ({
  workspaceId: item.ctx.workspace.id,
  id: newId(),
  conversationId: target.conversation!.id,
  contactId: target.contact!.id,
  phoneNumberId: item.number.id,
  direction: 'outbound',
  type: item.body.type,
  content: { body: item.body.text },
  status: 'queued',
  chanmid: null,
  replyTo: item.body.replyTo ?? null,
  createdAt: item.ctx.now,
  runAt: realTime(item.ctx.now, item.ctx.workspace),
})

/** Accepts or refuses each item, in order: the id of the queued message, or why not. */
export async function sendMessages(items: SendItem[]): Promise<(string | Refusal)[]> {
  const unit = items[0]!.ctx
  const numbers = await listNumbers(unit, [...new Set(items.map((item) => item.ctx.workspace.id))])
  const checked = items.map((item) => check(item, numbers))
  const open = checked.filter((one): one is Checked => !(one instanceof Refusal))
  const [targets, quota] = await Promise.all([
    findTargets(unit, open),
    readQuota(
      unit,
      open.map((item) => ({ workspace: item.ctx.workspace, now: item.ctx.now })),
      // Alone, a send may wait for its turn; in a list it would make others wait.
      items.length === 1,
    ),
  ])
  const unknown = await unknownReplies(unit, open, targets)

  const verdicts = new Map<Checked, NewMessage | Refusal>(
    open.map((item, i) => {
      const refusal = checkTarget(item, targets[i]!)
      if (refusal) return [item, refusal]
      if (unknown.has(item))
        return [item, new Refusal('invalid_reference', 'replyTo names no message of this conversation.')]
      if (!takeQuota(quota, item.ctx.workspace.id))
        return [item, new Refusal('quota_exceeded', "The month's message allowance is used up.")]
      return [item, messageOf(item, targets[i]!)]
    }),
  )
  const accepted = [...verdicts].filter((one): one is [Checked, NewMessage] => !(one[1] instanceof Refusal))
  if (accepted.length > 0) {
    const notes = accepted.map(([item, message]) => ({
      ctx: item.ctx,
      conversationId: message.conversationId,
      at: item.ctx.now,
    }))
    // The three go out in one flight and run in this order: counters are locked before chats, everywhere.
    await Promise.all([
      settleQuota(unit, quota),
      insertQueuedMessages(
        unit.tx,
        accepted.map(([, message]) => message),
      ),
      noteOutbound(unit, notes),
    ])
    wake(unit, HANDOVER)
  }
  return checked.map((one) => {
    if (one instanceof Refusal) return one
    const verdict = verdicts.get(one)!
    return verdict instanceof Refusal ? verdict : verdict.id
  })
}
