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
export type Routed = SendItem & { number: ReadNumber; recipient: CustomerName }

function checkNumber(
  number: ReadNumber,
  recipient: CustomerName,
  numbers: ReadNumber[],
): Refusal | undefined {
  const { phone } = recipient
  if (phone !== null && numbers.some((own) => personKey(own.number) === personKey(phone)))
    return new Refusal('cannot_send_to_self', "The recipient is your own number. Use a customer's number.")
  if (number.state === 'active') return undefined
  const code = number.state === 'number_banned' ? 'number_banned' : 'sending_blocked'
  return new Refusal(
    code,
    number.stateReason ??
      `${number.number} can't send: its state is ${number.state}. See GET /phone-numbers.`,
  )
}

/** A send whose number is known. */
type Numbered = SendItem & { number: ReadNumber }

/**
 * Finds the number and the recipient of each send, or refuses it, in order. `to` takes precedence over
 * `recipient`; a new number without country code gets the sending number's. `numbers`: the workspaces'
 * numbers by id.
 */
export async function routeSends(
  unit: Unit,
  items: SendItem[],
  numbers: Map<string, ReadNumber[]>,
): Promise<(Routed | Refusal)[]> {
  const chosen = items.map((item): Numbered | Refusal => {
    const { workspace } = item.ctx
    const number = chooseNumber(numbers.get(workspace.id) ?? [], workspace.id, item.body.phoneNumberId)
    return number instanceof Refusal ? number : { ...item, number }
  })
  const named = chosen.filter(
    (send): send is Numbered => !(send instanceof Refusal) && send.body.to !== undefined,
  )
  const settled = await settleCustomers(unit, named.map(askOf))
  const recipients = new Map(named.map((send, i) => [send, settled[i]!]))
  return chosen.map((send): Routed | Refusal => {
    if (send instanceof Refusal) return send
    const recipient = recipients.get(send) ?? { phone: null, userId: send.body.recipient as string }
    if (recipient instanceof Refusal) return recipient
    return (
      checkNumber(send.number, recipient, numbers.get(send.ctx.workspace.id) ?? []) ?? { ...send, recipient }
    )
  })
}

const askOf = ({ ctx: { workspace }, body, number }: Numbered) => ({
  workspace,
  text: body.to as string,
  sendingCode: callingCodeOf(number.number),
  path: 'to',
})
