/** Finds the sending number and the recipient of a message (spec 4.2). */
import type { Context, Unit } from '../../../../../core/context.ts'
import { Refusal } from '../../../../../core/errors.ts'
import { callingCodeOf } from '../../../../../core/values/phone-plans.ts'
import { personKey } from '../../../../../core/values/phone-spellings.ts'
import { chooseNumber } from '../../../../platform/workspaces/operations/choose-number.ts'
import type { ReadNumber } from '../../../../platform/workspaces/operations/read-numbers.ts'
import { type CustomerName, settleCustomers } from '../../../contacts/operations/settle-numbers.ts'
import type { SendBody } from '../send-schema.ts'

/**
 * A message composed by Parley, whose content replaces the body's payload. A held message waits until its
 * content is complete (held-messages.ts).
 */
export type Composed = { content: Record<string, unknown>; held: boolean }
export type SendItem = { ctx: Context; body: SendBody; composed?: Composed }
/** A send whose number and recipient are known. */
export type Routed<Send extends SendItem = SendItem> = Send & { number: ReadNumber; recipient: CustomerName }

function numberRefusal(
  number: ReadNumber,
  { phone }: CustomerName,
  numbers: ReadNumber[],
): Refusal | undefined {
  const recipientKey = phone === null ? undefined : personKey(phone)
  if (recipientKey !== undefined && numbers.some((own) => personKey(own.number) === recipientKey))
    return new Refusal('cannot_send_to_self', "The recipient is your own number. Use a customer's number.")
  if (number.state === 'active') return undefined
  const code = number.state === 'number_banned' ? 'number_banned' : 'sending_blocked'
  return new Refusal(
    code,
    number.stateReason ??
      `${number.number} can't send: its state is ${number.state}. See GET /phone-numbers.`,
  )
}

/** The numbers of workspaces by workspace id. */
type NumbersById = Map<string, ReadNumber[]>

const numbersOf = ({ ctx }: SendItem, numbers: NumbersById): ReadNumber[] =>
  numbers.get(ctx.workspace.id) ?? []

const chosenNumber = (item: SendItem, numbers: NumbersById): ReadNumber | Refusal =>
  chooseNumber(numbersOf(item, numbers), item.ctx.workspace.id, item.body.phoneNumberId)

const routed = <Send extends SendItem>(
  send: Send,
  number: ReadNumber,
  recipient: CustomerName,
  numbers: NumbersById,
): Routed<Send> | Refusal =>
  numberRefusal(number, recipient, numbersOf(send, numbers)) ?? { ...send, number, recipient }

/**
 * Finds the number and the recipient of each send, or refuses it, in order. `to` takes precedence over
 * `recipient`; a new number without country code gets the sending number's.
 */
export async function routeSends(
  unit: Unit,
  items: SendItem[],
  numbers: NumbersById,
): Promise<(Routed | Refusal)[]> {
  const chosen = items.map((item) => ({ item, number: chosenNumber(item, numbers) }))
  const named = chosen.filter(
    (send): send is Numbered => !(send.number instanceof Refusal) && send.item.body.to !== undefined,
  )
  const settled = await settleCustomers(unit, named.map(numberRequestOf))
  const recipients = new Map(named.map(({ item }, i) => [item, settled[i]!]))
  return chosen.map(({ item, number }): Routed | Refusal => {
    if (number instanceof Refusal) return number
    const recipient = recipients.get(item) ?? { phone: null, userId: item.body.recipient as string }
    return recipient instanceof Refusal ? recipient : routed(item, number, recipient, numbers)
  })
}

/** Does the same for sends whose recipients are known by their numbers. */
export const routeSendsTo = <Send extends SendItem & { phone: string }>(
  items: Send[],
  numbers: NumbersById,
): (Routed<Send> | Refusal)[] =>
  items.map((item) => {
    const number = chosenNumber(item, numbers)
    return number instanceof Refusal
      ? number
      : routed(item, number, { phone: item.phone, userId: null }, numbers)
  })

type Numbered = { item: SendItem; number: ReadNumber }

const numberRequestOf = ({ item: { ctx, body }, number }: Numbered) => ({
  workspace: ctx.workspace,
  text: body.to as string,
  sendingCode: callingCodeOf(number.number),
  path: 'to',
})
