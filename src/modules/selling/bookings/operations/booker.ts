/** Finds the customer of a booking, and checks their answers. */
import type { Context } from '../../../../core/context.ts'
import { invalid, Refusal, refuse, refuseReference } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { contactLimitReached } from '../../../messaging/contacts/operations/contact-room.ts'
import { readLanguage } from '../../../messaging/contacts/operations/customer-language.ts'
import { findContactsOf } from '../../../messaging/contacts/operations/find-contact.ts'
import { findOrCreateContacts } from '../../../messaging/contacts/operations/find-or-create.ts'
import { beginContact } from '../../../messaging/contacts/operations/new-contact.ts'
import { nameOf } from '../../../messaging/contacts/schema.ts'
import { type BookedCustomer, type BookingRow, countOpenBookings } from '../queries/bookings.ts'
import type { ServiceRow } from '../queries/setup.ts'
import type { NewBooking } from '../schema.ts'
import type { BookingSettings } from '../setup-schema.ts'
import { bookingTexts } from '../texts/texts.ts'
import type { By } from './announce.ts'
import { phoneOf } from './customer-phone.ts'
import { notifyCustomer } from './notify-customer.ts'
import { readSetup, summaryIn } from './present.ts'

/** Hides from customers why the workspace cannot take bookings: only its team reads the reason. */
export const unable = (refusal: Refusal, by: By): Refusal =>
  by === 'staff'
    ? refusal
    : new Refusal('conflict', 'There is nothing to book here at the moment. Please ask the business.')

export type Booker = { contactId: string; customer: BookedCustomer }

async function contactOf(ctx: Context, contactId: string) {
  const contact = (await findContactsOf(ctx, [{ workspaceId: ctx.workspace.id, contactId }])).get(contactId)
  return contact ?? refuseReference('contactId', 'Contact not found. See GET /contacts.')
}

/** Refuses an unknown contact or invalid number before any row is locked or written. */
export async function refuseUnknownBooker(ctx: Context, { contactId, phone }: NewBooking): Promise<void> {
  if (contactId === undefined) await phoneOf(ctx, phone!, 'phone')
  else await contactOf(ctx, contactId.toLowerCase())
}

/**
 * Returns the customer: a contact of the workspace, or found or created by number, without an event. A new
 * contact gets the `language` of the page.
 */
export async function bookerOf(ctx: Context, body: NewBooking, by: By, language?: Language): Promise<Booker> {
  const { name = null, email = null } = body
  if (body.contactId !== undefined) {
    const contact = await contactOf(ctx, body.contactId.toLowerCase())
    const phone = contact.phone.startsWith('+') ? contact.phone : null
    return { contactId: contact.id, customer: { name: name ?? nameOf(contact), phone, email } }
  }
  const phone = await phoneOf(ctx, body.phone!, 'phone')
  const ownLanguage = language === undefined || language === ctx.workspace.language ? null : language
  const [found] = await findOrCreateContacts(ctx, [
    { ctx, fresh: { ...beginContact(ctx, phone, null), displayName: name, language: ownLanguage } },
  ])
  if (found === 'full' || !found) throw unable(contactLimitReached(ctx.workspace), by)
  if (found.created) touch(ctx, { contact: found.contact.id })
  return { contactId: found.contact.id, customer: { name: name ?? nameOf(found.contact), phone, email } }
}

/** Returns the answers to the questions of the service. Customers must answer the required questions. */
export function answersOf(
  service: ServiceRow,
  answers: NewBooking['answers'],
  by: By,
): Record<string, string | null> {
  const labels = new Set(service.questions.map(({ label }) => label))
  const unknown = Object.keys(answers ?? {}).find((label) => !labels.has(label))
  if (unknown !== undefined)
    throw invalid([{ path: `answers.${unknown}`, message: 'Must be a question of the service.' }])
  const missingAnswer = service.questions.find(({ label, required }) => required && !answers?.[label])
  if (by === 'customer' && missingAnswer)
    throw invalid([{ path: `answers.${missingAnswer.label}`, message: 'Required.' }])
  return answers ?? {}
}

export async function refuseTooMany(
  ctx: Context,
  { maxOpenPerCustomer }: BookingSettings,
  contactId: string,
): Promise<void> {
  if ((await countOpenBookings(ctx, contactId)) >= maxOpenPerCustomer)
    refuse('conflict', `You already have ${maxOpenPerCustomer} upcoming bookings. Ask the business for more.`)
}

/** Sends the customer a confirmation of their booking. */
export async function sendConfirmation(ctx: Context, booking: BookingRow): Promise<void> {
  const language = await readLanguage(ctx, booking.contactId)
  const summary = summaryIn(ctx, booking, await readSetup(ctx, [booking]), language)
  const text = bookingTexts(language).t('message.booked', { summary })
  const notice = {
    bookingId: booking.id,
    contactId: booking.contactId,
    subject: 'The booking confirmation',
    otherwise: 'log' as const,
  }
  await notifyCustomer(ctx, notice, { type: 'text', text })
}
