import type { Context } from '../../../core/context.ts'
import { invalid, Refusal, refuse, refuseReference } from '../../../core/errors.ts'
import { touch } from '../../../core/event.ts'
import { callingCodeOf, parseCustomerRef } from '../../../core/phone.ts'
import { describeContacts, findContactsForSend } from '../../contacts/operations/find-contact.ts'
import { saveContacts } from '../../contacts/operations/save-contacts.ts'
import { chooseNumber } from '../../workspaces/operations/choose-number.ts'
import { listNumbers } from '../../workspaces/operations/phone-numbers.ts'
import {
  type ConversationRow,
  findConversationOf,
  insertConversations,
  listConversationsOfForUpdate,
} from '../queries/conversations.ts'
import type { NewConversation } from '../schema.ts'
import { newConversations } from './parties.ts'

/**
 * The conversation of a contact on a number, started where there is none (spec 4.10;
 * docs/decisions/conversations.md). A number that is no contact yet becomes one, as by
 * `POST /contacts`. No window opens and nothing is sent.
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
          callingCode: callingCodeOf(number.number) ?? ctx.workspace.countryCode,
          own: numbers.map((one) => one.number),
        })
      : await knownContact(ctx, body.contactId)
  const parties = { contactId, phoneNumberId: number.id }
  // Most ask for what is there; they hold nobody up.
  const known = await findConversationOf(ctx, parties)
  if (known) return { row: known, created: false }
  const fresh = newConversations([{ ctx, ...parties }])
  await insertConversations(ctx.tx, fresh)
  const [row] = await listConversationsOfForUpdate(ctx.tx, fresh)
  if (row) touch(ctx, { conversation: row.id })
  return row ? { row, created: row.id === fresh[0]!.id } : noContact('contactId')
}

const noContact = (field: string): never =>
  refuseReference(field, 'contact not found on the chat network; see GET /contacts')

async function knownContact(ctx: Context, contactId: string): Promise<string> {
  const id = contactId.toLowerCase()
  const contact = (await describeContacts(ctx, [{ workspaceId: ctx.workspace.id, contactId: id }])).get(id)
  // Social customers have chats of their own (spec 2.1).
  return contact && !contact.phone.startsWith('sx:') ? contact.id : noContact('contactId')
}

async function contactByPhone(
  ctx: Context,
  phone: string,
  { callingCode, own }: { callingCode: string; own: string[] },
): Promise<string> {
  const customer = parseCustomerRef(phone, callingCode)
  if (!customer) throw invalid([{ path: 'phone', message: 'must be a phone number or chan:<user id>' }])
  const key =
    customer.kind === 'phone'
      ? { phone: customer.e164, userId: null }
      : { phone: null, userId: customer.userId }
  const [known] = await findContactsForSend(ctx, [{ workspaceId: ctx.workspace.id, ...key }])
  if (known) return known.id
  if (customer.kind === 'userId') return noContact('phone')
  if (own.includes(customer.e164))
    refuse('cannot_send_to_self', "This is the business's own number. Name a customer's.")
  const [saved] = await saveContacts([{ ctx, body: { phone: customer.e164 } }])
  if (saved instanceof Refusal) throw saved
  return saved!.contact.id
}
