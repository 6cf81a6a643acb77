/**
 * Blocking a customer at the operator, which then delivers nothing of theirs any more
 * (docs/decisions/consent.md).
 */
import { DAY_MS, later } from '../../../core/clock.ts'
import type { Context, OutsideContext } from '../../../core/context.ts'
import type { AnsweringContext } from '../../../core/endpoint.ts'
import { invalid, refuse } from '../../../core/errors.ts'
import type { BlockedUser, OperatorNumber } from '../../../operator/port.ts'
import { operatorRefusal } from '../../../operator/refusals.ts'
import { setContactBlocked } from '../../contacts/operations/block-flag.ts'
import { getContact } from '../../contacts/operations/find-contact.ts'
import { listNumbers } from '../../workspaces/operations/phone-numbers.ts'
import { listBlockingNumbers, listChattingNumbers, saveBlockingNumbers } from '../queries/blocks.ts'

type Contact = Awaited<ReturnType<typeof getContact>>

/**
 * Blocks the contact that `ref` names at the operator, or lifts the block, and then says so here. Asking for what
 * is so already asks nobody. The operator's refusal is the answer (`meta_error`); nothing is changed then. Whoever
 * got no answer may ask again: the operator takes the same request twice.
 */
export async function blockContact(
  ctx: AnsweringContext<Contact>,
  ref: string,
  blocked: boolean,
): Promise<Contact> {
  const { contact, numberIds } = await ctx.transaction(async (inside) => {
    const found = await getContact(inside, ref)
    if (found.channel !== 'chat')
      throw invalid([{ path: 'id', message: 'only customers of the chat network can be blocked' }])
    if (found.blocked === blocked) return { contact: found, numberIds: [] }
    return { contact: found, numberIds: await numbersToAsk(inside, found, blocked) }
  })
  if (contact.blocked === blocked) return contact
  for (const numberId of numberIds) await askOperator(ctx, numberId, contact, blocked)
  return ctx.lastTransaction(async (inside) => {
    const changed = await setContactBlocked(inside, contact.id, blocked)
    await saveBlockingNumbers(inside, contact.id, blocked ? numberIds : [])
    return changed
  })
}

/**
 * To block: every number that the customer wrote to within the 24 hours in which the operator takes a block, else the
 * one written to last, else the first. To lift it: where it was set.
 */
async function numbersToAsk(ctx: Context, contact: Contact, blocked: boolean): Promise<string[]> {
  if (!blocked) return listBlockingNumbers(ctx, contact.id)
  const chats = await listChattingNumbers(ctx, contact.id)
  const since = later(ctx.now, -DAY_MS)
  const lately = chats.filter(({ lastInboundAt }) => lastInboundAt !== null && lastInboundAt > since)
  const asked = lately.length > 0 ? lately : chats.slice(0, 1)
  if (asked.length > 0) return asked.map((chat) => chat.phoneNumberId)
  const numbers = await listNumbers(ctx, [ctx.workspace.id])
  const first = numbers.find((number) => number.state === 'active') ?? numbers[0]
  return first
    ? [first.id]
    : refuse('sending_blocked', 'No sending number is connected. Connect one with `parley number add`.')
}

const userOf = ({ phone, userId }: Contact): BlockedUser =>
  phone.startsWith('+') ? { phone, userId } : { phone: null, userId }

async function askOperator(
  { workspace, outside }: OutsideContext,
  numberId: string,
  contact: Contact,
  blocked: boolean,
): Promise<void> {
  const number: OperatorNumber | undefined = await outside.operatorNumber(workspace.id, numberId)
  // A number that was taken away blocks nobody any more.
  if (!number) return
  const ask = blocked ? outside.operator.block : outside.operator.unblock
  const answered = await ask(number, userOf(contact))
  if (answered.kind !== 'done') throw operatorRefusal(answered)
}
