/** The pages where customers book and manage their bookings. */
import type { Context } from '../core/context.ts'
import { invalid, Refusal } from '../core/errors.ts'
import { isLinkToken, linkTokenOf } from '../core/values/link-token.ts'
import { isConnectionFault } from '../database/faults.ts'
import type { PublicAnswer, PublicPage, PublicRequest } from '../http/files/public-pages.ts'
import { bookingTurns } from '../modules/selling/bookings/booking-queue.ts'
import { bookingFile } from '../modules/selling/bookings/operations/booking-file.ts'
import { changeBooking } from '../modules/selling/bookings/operations/change-booking.ts'
import { createBooking } from '../modules/selling/bookings/operations/create-booking.ts'
import { getBooking } from '../modules/selling/bookings/operations/find-booking.ts'
import {
  bookPage,
  FORM,
  isOpen,
  QUESTION,
  serviceOf,
  type Wanted,
} from '../modules/selling/bookings/pages/book-page.ts'
import { bookingPage, changeableUntil, STORED } from '../modules/selling/bookings/pages/booking-page.ts'
import { findByBookingToken, findByPageToken } from '../modules/selling/bookings/queries/pages.ts'
import { BookingPatch, NewBooking } from '../modules/selling/bookings/schema.ts'
import { type LinkParts, linkOpener, type OpenedLink } from './public-links.ts'

const trimmedText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

/** Converts a form to the API's input. */
const bookingOf = (fields: Wanted): unknown => ({
  serviceId: trimmedText(fields.service),
  startAt: trimmedText(fields.at),
  name: trimmedText(fields.name),
  phone: trimmedText(fields.phone),
  ...(trimmedText(fields.email) === undefined ? {} : { email: trimmedText(fields.email) }),
  ...(trimmedText(fields.partySize) === undefined ? {} : { partySize: Number(fields.partySize) }),
  answers: Object.fromEntries(
    Object.entries(fields)
      .filter(([name, value]) => name.startsWith(QUESTION) && trimmedText(value) !== undefined)
      .map(([name, value]) => [name.slice(QUESTION.length), trimmedText(value)]),
  ),
})

const LABELS: Record<string, string> = {
  name: 'Your name',
  phone: 'Your phone number',
  email: 'Your email',
  partySize: 'Number of people',
}

/** Returns the error text for the person who filled in the form. */
function noticeOf({ code, details, message }: Refusal, seats = 1): string {
  if (code === 'conflict' && details.nextSlots)
    return seats > 1
      ? `There isn't enough room for ${seats} at this time anymore. Please choose another time.`
      : "This time isn't free anymore. Please choose another time."
  const [issue] = details.issues ?? []
  if (!issue) return message
  const label = LABELS[issue.path] ?? issue.path.replace(/^answers\./, '')
  return `${label}: ${issue.message}`
}

/**
 * Returns the token of the booking that a form creates; undefined if the form lacks a mark from one of our
 * pages.
 */
const tokenOf = ({ workspace }: Context, form: string | undefined): string | undefined =>
  form === undefined || !isLinkToken(form) ? undefined : linkTokenOf(`${workspace.id} ${form}`)

/** Runs a form's request; on an error it shows the page again with the reason. */
async function runOrShowAgain(
  link: OpenedLink,
  act: (ctx: Context) => Promise<PublicAnswer>,
  showAgain: (ctx: Context, refusal: Refusal) => Promise<PublicAnswer>,
): Promise<PublicAnswer> {
  try {
    return await link.transaction(act)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return link.transaction((ctx) => showAgain(ctx, error))
  }
}

const statusOf = (refusal: Refusal): number => (refusal.code === 'conflict' ? 409 : 400)

/** Handles the form of the booking page. */
const book = (link: OpenedLink, fields: Wanted): Promise<PublicAnswer> =>
  runOrShowAgain(
    link,
    async (ctx) => {
      const service = await serviceOf(ctx, fields)
      if (!service) throw new Refusal('conflict', "This can't be booked anymore. Please ask the business.")
      const body = NewBooking.safeParse(bookingOf(fields))
      if (!body.success) {
        const issues = body.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
        throw new Refusal('invalid', "The form isn't complete. Check the marked fields.", { issues })
      }
      if (body.data.partySize > service.capacity)
        throw invalid([{ path: 'partySize', message: `Must be at most ${service.capacity}.` }])
      const token = tokenOf(ctx, trimmedText(fields[FORM]))
      const { booking, isStored } = await createBooking(ctx, body.data, 'customer', token)
      return { goTo: `/b/${booking.token}${isStored ? `?${STORED}=1` : ''}` }
    },
    async (ctx, refusal) => {
      // If the time is taken the customer chooses another; otherwise they correct the same form.
      const { at: _, ...rest } = fields
      const shown = refusal.code === 'conflict' ? rest : fields
      return {
        page: await bookPage(ctx, shown, noticeOf(refusal, Number(fields.partySize))),
        status: statusOf(refusal),
      }
    },
  )

/**
 * Reads the address. A form's mark leads to the page of its booking, so a mark is not accepted from the
 * address: the author of a link with an invented mark could open the booking that another customer makes from
 * that link.
 */
function withQuery({ query }: PublicRequest): Wanted {
  const { [FORM]: _, ...fields } = query
  return fields
}

/** `/book/{token}`: a service, a time, and the attendee. */
const bookingPlace = (parts: LinkParts): PublicPage => {
  const open = async ({ token }: PublicRequest): Promise<OpenedLink | undefined> => {
    const link = await linkOpener(parts)((query) => findByPageToken(query, token))
    return link && (await link.transaction(isOpen)) ? link : undefined
  }
  return {
    name: 'book',
    async read(request) {
      const link = request.below === undefined ? await open(request) : undefined
      return link?.transaction(async (ctx) => ({ page: await bookPage(ctx, withQuery(request)) }))
    },
    async submit(request) {
      const link = request.below === undefined ? await open(request) : undefined
      if (!link) return undefined
      const take = () => book(link, { ...request.values, ...withQuery(request) })
      return bookingTurns(link.workspace.id, take, isConnectionFault)
    },
  }
}

/** Converts a customer's request about their booking to the API's input. */
const patchOf = ({ action, at, reason }: Wanted): unknown =>
  action === 'move'
    ? { startAt: trimmedText(at) }
    : { status: 'cancelled', reason: trimmedText(reason) ?? null }

const change = (link: OpenedLink, fields: Wanted): Promise<PublicAnswer> =>
  runOrShowAgain(
    link,
    async (ctx) => {
      const booking = await getBooking(ctx, link.id)
      if (booking.status === 'cancelled' && fields.action !== 'move') return { goTo: `/b/${booking.token}` }
      if (!(await changeableUntil(ctx, booking)))
        throw new Refusal('conflict', "It's too late to change this booking here. Please ask the business.")
      const patch = BookingPatch.safeParse(patchOf(fields))
      if (!patch.success) throw new Refusal('invalid', "The form isn't complete. Check the marked fields.")
      await changeBooking(ctx, booking.id, patch.data, 'customer')
      return { goTo: `/b/${booking.token}` }
    },
    async (ctx, refusal) => {
      const booking = await getBooking(ctx, link.id)
      const shown = fields.action === 'move' ? { move: '1' } : {}
      return { page: await bookingPage(ctx, booking, shown, noticeOf(refusal)), status: statusOf(refusal) }
    },
  )

/** Returns the calendar file of a booking. */
async function calendarFile(ctx: Context, id: string): Promise<PublicAnswer> {
  const { contentType, filename, text } = await bookingFile(ctx, await getBooking(ctx, id))
  const pieces: Buffer[] = []
  for await (const piece of text) pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece)
  return { file: { bytes: Buffer.concat(pieces), contentType, filename } }
}

/** `/b/{token}`: a customer's own booking. */
const ownBooking = (parts: LinkParts): PublicPage => {
  const open = ({ token }: PublicRequest) => linkOpener(parts)((query) => findByBookingToken(query, token))
  return {
    name: 'b',
    async read(request) {
      const { below } = request
      if (below !== undefined && below !== 'visit.ics') return undefined
      const link = await open(request)
      return link?.transaction(async (ctx) =>
        below === undefined
          ? { page: await bookingPage(ctx, await getBooking(ctx, link.id), withQuery(request)) }
          : calendarFile(ctx, link.id),
      )
    },
    async submit(request) {
      const link = request.below === undefined ? await open(request) : undefined
      return link && change(link, request.values)
    },
  }
}

export const bookingPages = (parts: LinkParts): PublicPage[] => [bookingPlace(parts), ownBooking(parts)]
