import type { Context } from '../../../../core/context.ts'
import { Refusal, refuse, refuseReference } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { callingCodeOf } from '../../../../core/values/phone-plans.ts'
import { personKey } from '../../../../core/values/phone-spellings.ts'
import { chooseNumber } from '../../../platform/workspaces/operations/choose-number.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { describeContacts, findContactsForSend } from '../../contacts/operations/find-contact.ts'
import { saveContacts } from '../../contacts/operations/save-contacts.ts'
import { settleCustomers } from '../../contacts/operations/settle-numbers.ts'
import {
  type ConversationRow,
  findConversationOf,
  insertConversations,
  listConversationsOfForUpdate,
} from '../queries/conversations.ts'
import type { NewConversation } from '../schema.ts'
import { newConversations } from './parties.ts'

/**
 * Returns the conversation of a contact on a number, and starts it if there is none (spec 4.10;
 * DECISIONS.md). Creates the contact for a new number, like `POST /contacts`. Opens no
 * window and sends nothing.
 */
export async function startConversation(
  ctx: Context,
  body: NewConversation,
): Promise<{ row: ConversationRow; created: boolean }> {
  const numbers = await listNumbers(ctx, [ctx.workspace.id])
  const number = chooseNumber(numbers, ctx.workspace.id, body.phoneNumberId)
  if (number instanceof Refusal) throw number
  const contactId =
    body.contactId === undefined
      ? await contactByPhone(ctx, body.phone as string, {
          sendingCode: callingCodeOf(number.number),
          own: numbers.map((number) => number.number),
        })
      : await knownContact(ctx, body.contactId)
  const parties = { contactId, phoneNumberId: number.id }
  // Most requests are for an existing conversation. They take no lock.
  const existing = await findConversationOf(ctx, parties)
  if (existing) return { row: existing, created: false }
  const fresh = newConversations([{ ctx, ...parties }])
  await insertConversations(ctx.tx, fresh)
  const [row] = await listConversationsOfForUpdate(ctx.tx, fresh)
  if (row) touch(ctx, { conversation: row.id })
  return row ? { row, created: row.id === fresh[0]!.id } : noContact('contactId')
}

const noContact = (field: string): never =>
  refuseReference(field, 'Contact not found on the chat network. See GET /contacts.')

async function knownContact(ctx: Context, contactId: string): Promise<string> {
  const id = contactId.toLowerCase()
  const contact = (await describeContacts(ctx, [{ workspaceId: ctx.workspace.id, contactId: id }])).get(id)
  // Customers of social networks have separate chats (spec 2.1).
  return contact && !contact.phone.startsWith('sx:') ? contact.id : noContact('contactId')
}

async function contactByPhone(
  ctx: Context,
  phone: string,
  { sendingCode, own }: { sendingCode: string | undefined; own: string[] },
): Promise<string> {
  const { workspace } = ctx
  const [customer] = await settleCustomers(ctx, [{ workspace, text: phone, sendingCode, path: 'phone' }])
  if (customer instanceof Refusal) throw customer
  const [existing] = await findContactsForSend(ctx, [{ workspaceId: workspace.id, ...customer! }])
  if (existing) return existing.id
  const number = customer!.phone
  if (number === null) return noContact('phone')
  if (own.some((ownNumber) => personKey(ownNumber) === personKey(number)))
    refuse('cannot_send_to_self', "This is your own number. Use a customer's number.")
  const [saved] = await saveContacts([{ ctx, body: { phone: number } }])
  if (saved instanceof Refusal) throw saved
  return saved!.contact.id
}
