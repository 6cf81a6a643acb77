/** Handles a form that is sent again: by a double click, or with corrected data. */
import { isDeepStrictEqual } from 'node:util'
import { HOUR_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import { holdOffErasures } from '../../../messaging/contacts/operations/erase-contact.ts'
import { holdAllowance } from '../../../messaging/messages/sending/operations/hold-allowances.ts'
import { holdLeadsOf } from '../../crm/operations/received-money.ts'
import { type BookingRow, findBookingByToken, updateBookingRow } from '../queries/bookings.ts'
import { listServicesById } from '../queries/setup.ts'
import type { NewBooking } from '../schema.ts'
import type { HeldBooking } from './announce.ts'
import { answersOf, bookerOf, refuseTooMany, refuseUnknownBooker, sendConfirmation } from './booker.ts'
import { phoneOf } from './customer-phone.ts'
import { holdBooking } from './find-booking.ts'
import { statusOf } from './present.ts'
import { readSettings } from './settings.ts'

/** The time in which a form can correct its booking. Later, the team may have changed the booking. */
const CORRECTION_MS = HOUR_MS

export type RepeatedBooking = HeldBooking & {
  /** The form differs from the stored booking, which does not change. */
  isStored?: boolean
}

const isOpen = (ctx: Context, booking: BookingRow): boolean =>
  ['held', 'confirmed'].includes(statusOf(booking, ctx.now)) &&
  booking.contactId !== null &&
  booking.startAt > ctx.now &&
  ctx.now.getTime() - booking.createdAt.getTime() <= CORRECTION_MS

/**
 * Returns whether the form is for another visit, which needs a new booking or a move on the booking's page.
 */
const isOtherVisit = (booking: BookingRow, { serviceId, startAt, partySize }: NewBooking): boolean =>
  serviceId.toLowerCase() !== booking.serviceId ||
  startAt.getTime() !== booking.startAt.getTime() ||
  partySize !== booking.partySize

/**
 * Returns the booking that this form made before, with the form's new data; undefined if it made none. A
 * corrected phone number moves the booking to the contact with that number, who gets the confirmation.
 */
export async function repeatBooking(
  ctx: Context,
  token: string | undefined,
  body: NewBooking,
): Promise<RepeatedBooking | undefined> {
  const existing = token === undefined ? undefined : await findBookingByToken(ctx, token)
  if (!existing) return undefined
  const stored = { booking: existing, lead: undefined }
  if (isOtherVisit(existing, body)) return { ...stored, isStored: true }
  if (!isOpen(ctx, existing)) return { ...stored, isStored: await isCorrection(ctx, existing, body) }
  if (!(await isCorrection(ctx, existing, body))) return stored
  return correctBooking(ctx, existing, body)
}

const withoutEmptyAnswers = (answers: BookingRow['answers']): BookingRow['answers'] =>
  Object.fromEntries(Object.entries(answers).filter(([, text]) => text !== null && text !== ''))

async function isCorrection(
  ctx: Context,
  { customer, answers, notes }: BookingRow,
  body: NewBooking,
): Promise<boolean> {
  const phone = body.phone === undefined ? customer.phone : await phoneOf(ctx, body.phone, 'phone')
  return (
    phone !== customer.phone ||
    (body.name ?? customer.name) !== customer.name ||
    (body.email ?? null) !== customer.email ||
    (body.notes ?? notes) !== notes ||
    !isDeepStrictEqual(withoutEmptyAnswers(body.answers ?? {}), withoutEmptyAnswers(answers))
  )
}

async function correctBooking(ctx: Context, earlier: BookingRow, body: NewBooking): Promise<HeldBooking> {
  const [service] = await listServicesById(ctx, [earlier.serviceId])
  const answers = answersOf(service!, body.answers, 'customer')
  await refuseUnknownBooker(ctx, body)
  await holdOffErasures(ctx)
  await holdAllowance(ctx)
  const { contactId, customer } = await bookerOf(ctx, body, 'customer')
  const isOtherContact = contactId !== earlier.contactId
  if (isOtherContact) await refuseTooMany(ctx, await readSettings(ctx), contactId)
  const leads = await holdLeadsOf(ctx, [earlier.contactId, contactId])
  const { booking } = await holdBooking(ctx, earlier.id)
  const lead = leads.find((lead) => lead.contactId === contactId)
  // The booking was canceled, or its customer erased, before this lock.
  if (!isOpen(ctx, booking)) return { booking, lead }
  const corrected = await updateBookingRow(ctx, booking.id, {
    contactId,
    customer,
    answers,
    ...(body.notes === undefined ? {} : { notes: body.notes }),
  })
  touch(ctx, { booking: corrected.id })
  if (isOtherContact && corrected.status === 'confirmed' && corrected.notify)
    await sendConfirmation(ctx, corrected)
  return { booking: corrected, lead }
}
