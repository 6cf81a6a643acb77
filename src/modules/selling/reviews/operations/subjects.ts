/** The subjects of review requests. */
import type { Context } from '../../../../core/context.ts'
import { Refusal, refuse, refuseReference } from '../../../../core/errors.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { summariesForCustomers } from '../../bookings/operations/customer-summaries.ts'
import { getBooking } from '../../bookings/operations/find-booking.ts'
import { bookingInEvent, readSetup } from '../../bookings/operations/present.ts'
import { getDocument } from '../../invoicing/operations/find-document.ts'
import type { RequestRow } from '../queries/requests.ts'
import { type About, type ReviewSettings, STANDARD_QUESTION } from '../schema.ts'
import { reviewTexts } from '../texts/texts.ts'

export type Subject = { label: string; contactId: string | null; customerName: string | null }

async function paidInvoice(ctx: Context, id: string): Promise<Subject> {
  const { number, status, kind, contactId, customer } = await getDocument(ctx, id, ['invoice'])
  if (status !== 'paid' || kind !== 'invoice')
    refuse(
      'conflict',
      `The invoice ${number ?? 'is a draft and'} isn't paid. Ask for a review after it is paid.`,
    )
  return { label: number!, contactId, customerName: customer.name }
}

async function completedBooking(ctx: Context, id: string): Promise<Subject> {
  const booking = await getBooking(ctx, id)
  const { summary, status, customer } = bookingInEvent(ctx, booking, await readSetup(ctx, [booking]))
  if (status !== 'completed')
    refuse('conflict', `The booking is ${status}. Ask for a review after the visit is completed.`)
  return { label: summary, contactId: booking.contactId, customerName: customer.name }
}

const FINDERS: Record<About, (ctx: Context, id: string) => Promise<Subject>> = {
  invoice: paidInvoice,
  booking: completedBooking,
}

/**
 * Returns the subject of a manual request. Refuses with `invalid_reference`, and with `conflict` while it is
 * not completed.
 */
export async function getSubject(ctx: Context, about: About, id: string): Promise<Subject> {
  try {
    return await FINDERS[about](ctx, id.toLowerCase())
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
    return refuseReference('subjectId', `Not found.`)
  }
}

/** Returns the question, the standard one in the customer's language. */
export const questionIn = ({ question }: Pick<ReviewSettings, 'question'>, language: Language): string =>
  question === STANDARD_QUESTION ? reviewTexts(language).t('question') : question

type Labelled = Pick<RequestRow, 'id' | 'about' | 'subjectId' | 'subjectLabel'>

/** Returns the label of each request for its customer: a booking has its time in their language, or in `language`. */
export async function labelsOf(
  ctx: Context,
  requests: Labelled[],
  language?: Language,
): Promise<Map<string, string>> {
  const bookingIds = requests.filter(({ about }) => about === 'booking').map(({ subjectId }) => subjectId)
  const summaries = await summariesForCustomers(ctx, bookingIds, language)
  return new Map(
    requests.map(({ id, subjectId, subjectLabel }) => [id, summaries.get(subjectId) ?? subjectLabel]),
  )
}
