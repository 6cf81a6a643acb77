/**
 * Follows an advance: its payment link is ready, or it was paid. Each fact counts once, regardless of
 * repeated reports.
 */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { moneyText } from '../../../../core/values/money.ts'
import { readLanguage } from '../../../messaging/contacts/operations/customer-language.ts'
import { holdOffErasures } from '../../../messaging/contacts/operations/erase-contact.ts'
import { holdAllowance } from '../../../messaging/messages/sending/operations/hold-allowances.ts'
import { recordReceivedMoney } from '../../crm/operations/received-money.ts'
import { createTask } from '../../crm/operations/tasks.ts'
import { addTimelineEntries } from '../../crm/operations/timeline-entries.ts'
import { holdSettings } from '../../invoicing/operations/settings.ts'
import type { LinkFollowed } from '../../payments/operations/follow-link.ts'
import { findPaymentLink, type LinkRow } from '../../payments/operations/links.ts'
import { type BookingRow, updateBookingRow } from '../queries/bookings.ts'
import { listServicesById, listStaffById } from '../queries/setup.ts'
import { bookingTexts } from '../texts/texts.ts'
import { announceCreated, type HeldBooking } from './announce.ts'
import { recordRefund } from './change-status.ts'
import { createAdvanceVoucher } from './create-advance-voucher.ts'
import { holdBooking } from './find-booking.ts'
import { notifyCustomer } from './notify-customer.ts'
import { tryTakePlace } from './place.ts'
import { planReminders } from './plan-reminders.ts'
import { momentText, readSetup, summaryIn } from './present.ts'
import { refundReasonOf } from './refund-reason.ts'

export async function applyAdvance(
  ctx: Context,
  { paymentLinkId, subjectId, furtherPayments, givenBack }: z.output<typeof LinkFollowed>,
): Promise<void> {
  // Locked before the lead, as in every operation that issues documents.
  await holdSettings(ctx)
  await holdOffErasures(ctx)
  await holdAllowance(ctx)
  const link = await findPaymentLink(ctx, paymentLinkId)
  const held = await holdBooking(ctx, subjectId)
  if (link?.status === 'open' && link.linkUrl !== null) await sendPaymentLink(ctx, held, link.linkUrl)
  if (link?.status !== 'paid') return
  if (held.booking.advancePaidAt === null) await settleAdvance(ctx, held, link)
  for (const { paidPaise } of furtherPayments)
    await createRefundTask(ctx, held, paidPaise, 'was paid more than once')
  if (link.paymentId !== null && givenBack.includes(link.paymentId))
    await voidRefundedAdvance(ctx, await holdBooking(ctx, subjectId))
}

/** Records a refund by the gateway, regardless of the booking's state. In locked books nothing changes. */
async function voidRefundedAdvance(ctx: Context, held: HeldBooking): Promise<void> {
  const { advanceStatus } = held.booking
  if (advanceStatus !== 'paid' && advanceStatus !== 'kept' && advanceStatus !== 'refund_due') return
  try {
    await recordRefund(ctx, held)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** Stores the payment link, and sends it to the customer. */
async function sendPaymentLink(ctx: Context, { booking }: HeldBooking, url: string): Promise<void> {
  if (booking.status !== 'held' || booking.paymentUrl !== null) return
  const offered = await updateBookingRow(ctx, booking.id, { paymentUrl: url })
  touch(ctx, { booking: booking.id })
  if (!booking.notify) return
  const language = await readLanguage(ctx, offered.contactId)
  const text = bookingTexts(language).t('message.pay', {
    summary: summaryIn(ctx, offered, await readSetup(ctx, [offered]), language),
    amount: moneyText(offered.advanceMinor!, offered.currency, language),
    until: momentText(offered.holdExpiresAt!, offered.timeZone, language),
    url,
  })
  const notice = {
    bookingId: offered.id,
    contactId: offered.contactId,
    subject: 'The payment link of the booking',
    otherwise: 'chat' as const,
  }
  await notifyCustomer(ctx, notice, { type: 'text', text })
}

/** Records the received money in any case. The booking is confirmed only if its time is still free. */
async function settleAdvance(ctx: Context, held: HeldBooking, link: LinkRow): Promise<void> {
  const { booking, lead } = held
  const isShort = link.paidPaise! < booking.advanceMinor!
  const sessionId = isShort ? null : await placeFor(ctx, booking)
  const payment = { advancePaidAt: link.paidAt, paymentUrl: null }
  if (sessionId === null) {
    await recordMoney(ctx, held, link)
    const due = await updateBookingRow(ctx, booking.id, { ...payment, advanceStatus: 'refund_due' })
    touch(ctx, { booking: due.id })
    await createRefundTask(ctx, { booking: due, lead }, link.paidPaise!, refundReasonOf(booking, link))
    return
  }
  const voucher = await createAdvanceVoucher(ctx, booking, link)
  if (!voucher) await recordMoney(ctx, held, link)
  const confirmed = await updateBookingRow(ctx, booking.id, {
    ...payment,
    advanceInvoiceId: voucher?.id ?? null,
    sessionId,
    status: 'confirmed',
    advanceStatus: 'paid',
    holdExpiresAt: null,
    confirmedAt: ctx.now,
  })
  touch(ctx, { booking: confirmed.id })
  await announceCreated(ctx, { booking: confirmed, lead }, 'customer')
  await planReminders(ctx, confirmed)
}

/**
 * Returns the place of the booking: its held place, otherwise the same time if it is free; null if it is
 * taken.
 */
async function placeFor(ctx: Context, booking: BookingRow): Promise<string | null> {
  if (booking.status === 'held') return booking.sessionId
  if (booking.status !== 'expired' || booking.startAt <= ctx.now) return null
  const [service] = await listServicesById(ctx, [booking.serviceId])
  const staff = await listStaffById(ctx, [booking.staffId])
  const place = await tryTakePlace(
    ctx,
    { service: { ...service!, durationMinutes: booking.durationMinutes }, staff },
    { startAt: booking.startAt, seats: booking.partySize, force: true },
  )
  return place?.sessionId ?? null
}

/** Records money without a document: a ledger row, and a timeline entry. */
async function recordMoney(ctx: Context, { booking, lead }: HeldBooking, link: LinkRow): Promise<void> {
  await recordReceivedMoney(ctx, {
    source: 'booking_advance',
    sourceId: link.id,
    contactId: booking.contactId,
    lead,
    amountMinor: link.paidPaise!,
    currency: booking.currency,
  })
  if (!lead) return
  await addTimelineEntries(ctx, [
    {
      leadId: lead.id,
      kind: 'payment_received',
      customerId: null,
      data: {
        bookingId: booking.id,
        paymentLinkId: link.id,
        referenceId: null,
        currency: booking.currency,
        paidPaise: link.paidPaise,
        paymentMethod: link.paymentMethod,
      },
    },
  ])
}

/**
 * Adds a refund task to the customer's lead. Without a lead, only the state of the advance shows the refund.
 */
async function createRefundTask(
  ctx: Context,
  { booking, lead }: HeldBooking,
  paidMinor: number,
  why: string,
): Promise<void> {
  if (!lead) return
  await createTask(ctx, {
    leadId: lead.id,
    type: 'other',
    title: `Refund an advance of ${moneyText(paidMinor, booking.currency)}: it ${why}`,
    dueAt: ctx.now,
    priority: 'high',
  })
}
