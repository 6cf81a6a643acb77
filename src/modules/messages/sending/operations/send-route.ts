/** From which number a message goes, and to whom (spec 4.2). */
import type { Context } from '../../../../core/context.ts'
import { invalid, Refusal } from '../../../../core/errors.ts'
import { callingCodeOf, parseCustomerRef } from '../../../../core/phone.ts'
import { chooseNumber } from '../../../workspaces/operations/choose-number.ts'
import type { ReadNumber } from '../../../workspaces/operations/read-numbers.ts'
import type { SendBody } from '../send-schema.ts'

/**
 * A message that Parley composed by itself: what it says, in place of the body's payload. A held one waits until the rest of
 * it is there (held-messages.ts).
 */
export type Composed = { content: Record<string, unknown>; held: boolean }
export type SendItem = { ctx: Context; body: SendBody; composed?: Composed }
type Recipient = { phone: string; userId: null } | { phone: null; userId: string }
/** A send whose number and recipient are known. */
export type Routed = SendItem & { number: ReadNumber; recipient: Recipient }

/** Who it goes to: `to` wins over `recipient`. A number without country code takes the sending number's. */
function recipientOf(item: SendItem, number: ReadNumber): Recipient | Refusal {
  const { to, recipient } = item.body
  if (to === undefined) return { phone: null, userId: recipient as string }
  const named = parseCustomerRef(to, callingCodeOf(number.number) ?? item.ctx.workspace.countryCode)
  if (!named) return invalid([{ path: 'to', message: 'must be a phone number in E.164 or chan:<user id>' }])
  return named.kind === 'phone' ? { phone: named.e164, userId: null } : { phone: null, userId: named.userId }
}

function checkNumber(number: ReadNumber, recipient: Recipient, numbers: ReadNumber[]): Refusal | undefined {
  if (numbers.some((own) => own.number === recipient.phone))
    return new Refusal(
      'cannot_send_to_self',
      "The recipient is the business's own number. Name a customer's.",
    )
  if (number.state === 'active') return undefined
  const code = number.state === 'number_banned' ? 'number_banned' : 'sending_blocked'
  return new Refusal(
    code,
    number.stateReason ?? `${number.number} cannot send: it is ${number.state}. See GET /phone-numbers.`,
  )
}

/** Finds the number and the recipient of a send, or refuses. `numbers` are those of its workspace. */
export function routeOf(item: SendItem, numbers: ReadNumber[]): Routed | Refusal {
  const number = chooseNumber(numbers, item.ctx.workspace.id, item.body.phoneNumberId)
  if (number instanceof Refusal) return number
  const recipient = recipientOf(item, number)
  if (recipient instanceof Refusal) return recipient
  return checkNumber(number, recipient, numbers) ?? { ...item, number, recipient }
}
