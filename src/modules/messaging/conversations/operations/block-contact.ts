/**
 * Blocks customers at the operator, which then delivers none of their messages
 * (src/modules/messaging/contacts/DECISIONS.md "Contacts").
 */
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context, OutsideContext } from '../../../../core/context.ts'
import type { AnsweringContext } from '../../../../core/endpoint.ts'
import { invalid, refuse } from '../../../../core/errors.ts'
import type { BlockedUser, OperatorNumber } from '../../../../operator/port.ts'
import { operatorRefusal } from '../../../../operator/refusals.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { setContactBlocked } from '../../contacts/operations/block-flag.ts'
import { getContact } from '../../contacts/operations/find-contact.ts'
import { type Block, listBlocks, listChattingNumbers, saveBlockingNumbers } from '../queries/blocks.ts'

type Contact = Awaited<ReturnType<typeof getContact>>

/**
 * Blocks the contact that `ref` names at the operator, or lifts the block, and then stores the result. Sends
 * no request if the state is already as requested. Returns the operator's refusal (`meta_error`) and changes
 * nothing then. A request without an answer can be repeated: the operator accepts duplicates.
 */
export async function blockContact(
  ctx: AnsweringContext<Contact>,
  ref: string,
  blocked: boolean,
): Promise<Contact> {
  const { contact, blocks } = await ctx.transaction(async (txCtx) => {
    const found = await getContact(txCtx, ref)
    if (found.channel !== 'chat')
      throw invalid([
        { path: 'id', message: "Must be a customer of the chat network. Other customers can't be blocked." },
      ])
    if (found.blocked === blocked) return { contact: found, blocks: [] }
    return { contact: found, blocks: await blocksToAsk(txCtx, found, blocked) }
  })
  if (contact.blocked === blocked) return contact
  for (const block of blocks) await askOperator(ctx, block, contact, blocked)
  return ctx.lastTransaction(async (txCtx) => {
    const changed = await setContactBlocked(txCtx, contact.id, blocked)
    await saveBlockingNumbers(txCtx, contact.id, blocked ? blocks.map((block) => block.phoneNumberId) : [])
    return changed
  })
}

/**
 * Returns the blocks to set or lift. To block: every number that the customer wrote to within the 24 hours in
 * which the operator accepts a block; otherwise the number written to last, or the first number. To unblock:
 * the numbers where the block was set.
 */
async function blocksToAsk(ctx: Context, contact: Contact, blocked: boolean): Promise<Block[]> {
  if (!blocked) return listBlocks(ctx, contact.id)
  return (await numbersToAsk(ctx, contact)).map((phoneNumberId) => ({ phoneNumberId, blockedAs: null }))
}

async function numbersToAsk(ctx: Context, contact: Contact): Promise<string[]> {
  const chats = await listChattingNumbers(ctx, contact.id)
  const since = later(ctx.now, -DAY_MS)
  const recent = chats.filter(({ lastInboundAt }) => lastInboundAt !== null && lastInboundAt > since)
  const recentChats = recent.length > 0 ? recent : chats.slice(0, 1)
  if (recentChats.length > 0) return recentChats.map((chat) => chat.phoneNumberId)
  const numbers = await listNumbers(ctx, [ctx.workspace.id])
  const first = numbers.find((number) => number.state === 'active') ?? numbers[0]
  return first
    ? [first.id]
    : refuse('sending_blocked', 'No sending number is connected. An admin can connect one in Settings.')
}

/**
 * Returns the customer as the operator knows them: by the contact's current name, or its name before a merge.
 */
const userOf = ({ userId }: Pick<Contact, 'userId'>, name: string): BlockedUser =>
  name.startsWith('+')
    ? { phone: name, userId }
    : { phone: null, userId: name.startsWith('chan:') ? name.slice('chan:'.length) : userId }

async function askOperator(
  { workspace, outside }: OutsideContext,
  { phoneNumberId, blockedAs }: Block,
  contact: Contact,
  blocked: boolean,
): Promise<void> {
  const number: OperatorNumber | undefined = await outside.operatorNumber(workspace.id, phoneNumberId)
  // A removed number no longer blocks customers.
  if (!number) return
  const call = blocked ? outside.operator.block : outside.operator.unblock
  for (const name of blockedAs ?? [contact.phone]) {
    const answered = await call(number, userOf(name === contact.phone ? contact : { userId: null }, name))
    if (answered.kind !== 'done') throw operatorRefusal(answered)
  }
}
