/** Creates a booking: confirmed immediately, or held until its advance is paid. */
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { invalid, Refusal } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { newLinkToken } from '../../../../core/values/link-token.ts'
import { LAST_MOMENT } from '../../../../core/values/text.ts'
import { readLanguage } from '../../../messaging/contacts/operations/customer-language.ts'
import { holdOffErasures } from '../../../messaging/contacts/operations/erase-contact.ts'
import { holdAllowance } from '../../../messaging/messages/sending/operations/hold-allowances.ts'
import { holdLeadOf } from '../../crm/operations/received-money.ts'
import { type BookingRow, insertBookingRow } from '../queries/bookings.ts'
import type { ServiceRow } from '../queries/setup.ts'
import type { NewBooking } from '../schema.ts'
import type { Advance } from '../setup-schema.ts'
import { announceCreated, type By, type HeldBooking } from './announce.ts'
import { currencyOf } from './bookable-services.ts'
import {
  answersOf,
  type Booker,
  bookerOf,
  refuseTooMany,
  refuseUnknownBooker,
  sendConfirmation,
  unable,
} from './booker.ts'
import { type Bookable, findBookable } from './find-bookable.ts'
import { holdStaff, refuseKnownTaken, takePlace, type WantedPlace } from './place.ts'
import { planReminders } from './plan-reminders.ts'
import { summaryOf } from './present.ts'
import { repeatBooking } from './repeat-booking.ts'
import { requestAdvance } from './request-advance.ts'
import { readSettings } from './settings.ts'

/** Refuses a time that replies cannot contain, because it ends after the year 9999. */
function refuseUnwritable({ durationMinutes }: ServiceRow, startAt: Date): void {
  if (later(startAt, durationMinutes * MINUTE_MS) > LAST_MOMENT)
    throw invalid([{ path: 'startAt', message: 'Must end in the year 9999 or before (UTC).' }])
}

/** Returns the advance for a price and a number of seats. */
const advanceOf = (advance: Advance, priceMinor: number, seats: number): number =>
  advance.amountMinor === undefined
    ? Number((BigInt(priceMinor) * BigInt(advance.percent!) + 50n) / 100n)
    : advance.amountMinor * seats

/** The smallest amount that the gateway collects. */
const MIN_ADVANCE_MINOR = 100

type Money = Pick<BookingRow, 'priceMinor' | 'currency' | 'advanceMinor' | 'advanceStatus'>

async function moneyOf(ctx: Context, service: ServiceRow, body: NewBooking): Promise<Money> {
  const currency = await currencyOf(ctx)
  const priceMinor = service.priceMinor * body.partySize
  if (service.advance === null) {
    if (body.advance === 'request')
      throw invalid([
        { path: 'advance', message: 'The service has no advance. Set one for the service first.' },
      ])
    return { priceMinor, currency, advanceMinor: null, advanceStatus: null }
  }
  const advanceMinor = advanceOf(service.advance, priceMinor, body.partySize)
  if (advanceMinor < MIN_ADVANCE_MINOR)
    return { priceMinor, currency, advanceMinor: null, advanceStatus: null }
  return {
    priceMinor,
    currency,
    advanceMinor,
    advanceStatus: body.advance === 'waive' ? 'waived' : 'pending',
  }
}

/** The checked parts of a new booking, besides the request. */
type Facts = {
  service: ServiceRow
  place: Awaited<ReturnType<typeof takePlace>>
  booker: Booker
  money: Money
  answers: BookingRow['answers']
  by: By
  token: string | undefined
}

/** Returns the first row of a booking: held if its advance is awaited, otherwise confirmed. */
function newBooking(
  ctx: Context,
  body: NewBooking,
  { service, place: { staff, sessionId }, booker, money, answers, by, token }: Facts,
): BookingRow {
  const isHeld = money.advanceStatus === 'pending'
  return {
    workspaceId: ctx.workspace.id,
    id: newId(),
    serviceId: service.id,
    staffId: staff.id,
    sessionId,
    contactId: booker.contactId,
    status: isHeld ? 'held' : 'confirmed',
    startAt: body.startAt,
    endAt: later(body.startAt, service.durationMinutes * MINUTE_MS),
    timeZone: staff.timeZone,
    durationMinutes: service.durationMinutes,
    partySize: body.partySize,
    locationKind: service.locationKind,
    location: service.location,
    ...money,
    refundPolicy: service.refundPolicy,
    advancePaidAt: null,
    advanceInvoiceId: null,
    invoiceId: null,
    paymentLinkId: null,
    paymentUrl: null,
    holdExpiresAt: null,
    customer: booker.customer,
    source: by === 'customer' ? 'public' : 'staff',
    notes: body.notes ?? null,
    answers,
    cancelReason: null,
    token: token ?? newLinkToken(),
    notify: body.notify,
    changes: 0,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    confirmedAt: isHeld ? null : ctx.now,
  }
}

/** The mark of the form with which a customer books, and the language of its page. */
type BookedForm = { token?: string | undefined; language?: Language | undefined }

/**
 * Books a time, once for a `token`: the same form with corrected data corrects its booking. A booking that
 * waits for its advance is held: Parley notifies no one of it, and it expires.
 */
export async function createBooking(
  ctx: Context,
  body: NewBooking,
  by: By,
  { token, language }: BookedForm = {},
): Promise<HeldBooking & { isStored?: boolean }> {
  const before = await repeatBooking(ctx, token, body)
  if (before) return before
  const wantedPlace: WantedPlace = { startAt: body.startAt, seats: body.partySize, force: body.force }
  const [foundBookable, settings] = [
    await findBookable(ctx, body.serviceId, body.staffId),
    await readSettings(ctx),
  ]
  const { service } = foundBookable
  const answers = answersOf(service, body.answers, by)
  const money = await moneyOf(ctx, service, body)
  refuseUnwritable(service, body.startAt)
  await refuseUnknownBooker(ctx, body)
  await refuseKnownTaken(ctx, foundBookable, wantedPlace)
  await holdOffErasures(ctx)
  await holdAllowance(ctx)
  const booker = await bookerOf(ctx, body, by, language)
  if (by === 'customer') await refuseTooMany(ctx, settings, booker.contactId)
  const lead = await holdLeadOf(ctx, booker.contactId)
  const staffIds = foundBookable.staff.map(({ id }) => id)
  const bookable: Bookable = { service, staff: await holdStaff(ctx, staffIds) }
  const repeatedBooking = await repeatBooking(ctx, token, body)
  if (repeatedBooking) return repeatedBooking
  const place = await takePlace(ctx, bookable, wantedPlace)
  const booking = newBooking(ctx, body, { service, place, booker, money, answers, by, token })
  const isHeld = booking.status === 'held'
  if (isHeld) {
    booking.holdExpiresAt = later(ctx.now, settings.holdMinutes * MINUTE_MS)
    booking.paymentLinkId = await linkForAdvance(ctx, booking, service, by)
  }
  await insertBookingRow(ctx, booking)
  touch(ctx, { booking: booking.id })
  const held: HeldBooking = { booking, lead }
  if (isHeld) return held
  await announceCreated(ctx, held, by)
  await planReminders(ctx, booking)
  if (booking.notify) await sendConfirmation(ctx, booking)
  return held
}

/** Creates the payment link for the advance, and returns its id. */
async function linkForAdvance(
  ctx: Context,
  booking: BookingRow,
  service: ServiceRow,
  by: By,
): Promise<string> {
  const language = await readLanguage(ctx, booking.contactId)
  const description = summaryOf(booking, service.name, null, language)
  const link = await requestAdvance(ctx, booking, description)
  if (link instanceof Refusal) throw unable(link, by)
  return link
}
