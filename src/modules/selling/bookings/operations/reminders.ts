/**
 * Sends reminders. Each checks the booking again before it is sent, once for a start, and again after a move.
 */
import type { Context } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { languageOf } from '../../../../core/values/languages.ts'
import { bodyVariables } from '../../../messaging/templates/operations/body-variables.ts'
import { ownTemplate } from '../../../messaging/templates/operations/own-template.ts'
import { listTemplates } from '../../../messaging/templates/operations/read-templates.ts'
import { type BookingRow, findBookingRow } from '../queries/bookings.ts'
import { insertReminder } from '../queries/reminders.ts'
import { bookingTexts } from '../texts/texts.ts'
import { notifyCustomer, recordUnsent } from './notify-customer.ts'
import { bookingInEvent, momentText, readSetup } from './present.ts'
import { readSettings } from './settings.ts'

const TEMPLATE_GONE = 'its template was deleted. Choose another one in the booking settings.'

type Planned = { bookingId: string; startAt: string; minutesBefore: number }

/**
 * Sends a reminder once, if the booking still has the planned start and the current settings have this
 * reminder.
 */
export async function remind(ctx: Context, { bookingId, startAt, minutesBefore }: Planned): Promise<void> {
  const booking = await findBookingRow(ctx, bookingId)
  if (!ctx.workspace.modules.includes('bookings') || booking?.status !== 'confirmed') return
  if (booking.startAt.toISOString() !== startAt || booking.startAt <= ctx.now) return
  const { reminders } = await readSettings(ctx)
  const reminder = reminders.find((reminder) => reminder.minutesBefore === minutesBefore)
  if (!reminder) return
  if (!(await insertReminder(ctx, { bookingId, startAt: booking.startAt, minutesBefore }))) return
  await sendReminder(ctx, booking, reminder.templateId.toLowerCase())
}

/** Sends the template with its values: the customer's name, the service, the time, and the staff or place. */
async function sendReminder(ctx: Context, booking: BookingRow, templateId: string): Promise<void> {
  const notice = {
    bookingId: booking.id,
    contactId: booking.contactId,
    subject: 'The booking reminder',
    otherwise: 'task' as const,
  }
  const [template] = (await listTemplates(ctx, { ids: [templateId], limit: 1 })).rows
  if (!template) return recordUnsent(ctx, notice, new Refusal('invalid_reference', TEMPLATE_GONE))
  // The values follow the language of the template, not of the customer.
  const language = languageOf(template.language) ?? ctx.workspace.language
  const { service, staff, location } = bookingInEvent(ctx, booking, await readSetup(ctx, [booking]))
  const values = [
    booking.customer.name?.trim() || bookingTexts(language).t('reminder.you'),
    service,
    momentText(booking.startAt, booking.timeZone, language),
    staff?.name ?? location ?? ctx.workspace.name,
  ]
  const variables = bodyVariables(template)
  const body = Object.fromEntries(variables.map((name, i) => [name, values[i]]))
  await notifyCustomer(ctx, notice, {
    type: 'template',
    payload: { type: 'template', template: ownTemplate(template, { body }) },
  })
}
