/** The pages where customers book and manage their bookings. */
import type { Context } from '../core/context.ts'
import { invalid, Refusal } from '../core/errors.ts'
import type { HtmlPage } from '../core/values/html-page.ts'
import { firstLanguage, type Language } from '../core/values/languages.ts'
import { isLinkToken, linkTokenOf } from '../core/values/link-token.ts'
import { chosenLanguage } from '../core/values/page-language.ts'
import { isConnectionFault } from '../database/faults.ts'
import type { PublicAnswer, PublicPage, PublicRequest } from '../http/files/public-pages.ts'
import { ownLanguage } from '../modules/messaging/contacts/operations/customer-language.ts'
import { findContactsOf } from '../modules/messaging/contacts/operations/find-contact.ts'
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
import { keptIn } from '../modules/selling/bookings/pages/zone-choice.ts'
import { findByBookingToken, findByPageToken } from '../modules/selling/bookings/queries/pages.ts'
import { BookingPatch, NewBooking } from '../modules/selling/bookings/schema.ts'
import { bookingTexts } from '../modules/selling/bookings/texts/texts.ts'
import { type LinkParts, linkOpener, type OpenedLink, workspaceOfLink } from './public-links.ts'

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

type TextKey = Parameters<ReturnType<typeof bookingTexts>['t']>[0]

/** The label and the rule of each field, by its place in the API's input. */
const FIELDS: Record<string, [label: TextKey, rule: TextKey]> = {
  name: ['field.name', 'issue.name'],
  phone: ['field.phone', 'issue.phone'],
  email: ['field.email', 'issue.email'],
  partySize: ['field.people', 'issue.people'],
}

/** The texts with which the pages themselves refuse a form. */
const REASONS = ['notice.gone', 'notice.incomplete', 'notice.late'] as const

/** Returns the error text for the person who filled in the form, for `seats` of at most `max`. */
function noticeOf(
  { code, details, message }: Refusal,
  language: Language,
  { seats = 1, max = 1 }: { seats?: number; max?: number } = {},
): string {
  const { t } = bookingTexts(language)
  if (code === 'conflict' && details.nextSlots)
    return seats > 1 ? t('notice.full', { count: seats }) : t('notice.taken')
  const [issue] = details.issues ?? []
  if (issue) {
    const [label, rule] = FIELDS[issue.path] ?? []
    return label && rule
      ? `${t(label)}: ${t(rule, { max })}`
      : `${issue.path.replace(/^answers\./, '')}: ${t('issue.answer')}`
  }
  // The operations explain their refusals in English.
  const isOwn = REASONS.some((key) => t(key) === message)
  return language === 'en' || isOwn ? message : t('notice.failed')
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
const book = (link: OpenedLink, fields: Wanted, language: Language): Promise<PublicAnswer> =>
  runOrShowAgain(
    link,
    async (ctx) => {
      const service = await serviceOf(ctx, fields)
      const { t } = bookingTexts(language)
      if (!service) throw new Refusal('conflict', t('notice.gone'))
      const body = NewBooking.safeParse(bookingOf(fields))
      if (!body.success) {
        const issues = body.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
        throw new Refusal('invalid', t('notice.incomplete'), { issues })
      }
      if (body.data.partySize > service.capacity)
        throw invalid([{ path: 'partySize', message: `Must be at most ${service.capacity}.` }])
      const token = tokenOf(ctx, trimmedText(fields[FORM]))
      const { booking, isStored } = await createBooking(ctx, body.data, 'customer', { token, language })
      const query = new URLSearchParams({
        ...(isStored ? { [STORED]: '1' } : {}),
        ...keptIn(fields),
      })
      return { goTo: `/b/${booking.token}${query.size > 0 ? `?${query}` : ''}` }
    },
    async (ctx, refusal) => {
      // If the time is taken the customer chooses another; otherwise they correct the same form.
      const { at, ...rest } = fields
      const shown = refusal.code === 'conflict' ? { ...rest, near: at } : fields
      const seats = Number(fields.partySize)
      const max = (await serviceOf(ctx, fields))?.capacity ?? 1
      return {
        page: await bookPage(ctx, { query: shown, language }, noticeOf(refusal, language, { seats, max })),
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

/** Returns the language that the visitor chose, otherwise that of their browser, otherwise the workspace's. */
const readerLanguage = ({ workspace }: OpenedLink, { query, languages }: PublicRequest): Language =>
  chosenLanguage(query) ?? firstLanguage(languages) ?? workspace.language

/** Returns the same, but the language of the customer comes before that of the browser. */
async function bookerLanguage(
  ctx: Context,
  { contactId }: { contactId: string | null },
  { query, languages }: PublicRequest,
): Promise<Language> {
  const contacts =
    contactId === null ? undefined : await findContactsOf(ctx, [{ workspaceId: ctx.workspace.id, contactId }])
  return (
    chosenLanguage(query) ??
    ownLanguage(contacts?.get(contactId!)) ??
    firstLanguage(languages) ??
    ctx.workspace.language
  )
}

/** `/book/{token}`: a service, a time, and the attendee. */
const bookingPlace = (parts: LinkParts): PublicPage => {
  const open = async ({ token }: PublicRequest): Promise<OpenedLink | undefined> => {
    const link = await linkOpener(parts)((query) => findByPageToken(query, token))
    return link && (await link.transaction(isOpen)) ? link : undefined
  }
  return {
    name: 'book',
    findWorkspace: workspaceOfLink(parts, findByPageToken),
    async read(request) {
      const link = request.below === undefined ? await open(request) : undefined
      const visit = link && { query: withQuery(request), language: readerLanguage(link, request) }
      return visit && link.transaction(async (ctx) => ({ page: await bookPage(ctx, visit) }))
    },
    async submit(request) {
      const link = request.below === undefined ? await open(request) : undefined
      if (!link) return undefined
      const fields = { ...request.values, ...withQuery(request) }
      const take = () => book(link, fields, readerLanguage(link, request))
      return bookingTurns(link.workspace.id, take, isConnectionFault)
    },
  }
}

/** Converts a customer's request about their booking to the API's input. */
const patchOf = ({ action, at, reason }: Wanted): unknown =>
  action === 'move'
    ? { startAt: trimmedText(at) }
    : { status: 'cancelled', reason: trimmedText(reason) ?? null }

const change = (link: OpenedLink, request: PublicRequest, fields: Wanted): Promise<PublicAnswer> =>
  runOrShowAgain(
    link,
    async (ctx) => {
      const booking = await getBooking(ctx, link.id)
      const kept = new URLSearchParams(keptIn(request.query))
      const goTo = `/b/${booking.token}${kept.size > 0 ? `?${kept}` : ''}`
      if (booking.status === 'cancelled' && fields.action !== 'move') return { goTo }
      const { t } = bookingTexts(await bookerLanguage(ctx, booking, request))
      if (!(await changeableUntil(ctx, booking))) throw new Refusal('conflict', t('notice.late'))
      const patch = BookingPatch.safeParse(patchOf(fields))
      if (!patch.success) throw new Refusal('invalid', t('notice.incomplete'))
      await changeBooking(ctx, booking.id, patch.data, 'customer')
      return { goTo }
    },
    async (ctx, refusal) => {
      const booking = await getBooking(ctx, link.id)
      const language = await bookerLanguage(ctx, booking, request)
      const query = { ...keptIn(request.query), ...(fields.action === 'move' ? { move: '1' } : {}) }
      const page = await bookingPage(ctx, booking, { query, language }, noticeOf(refusal, language))
      return { page, status: statusOf(refusal) }
    },
  )

async function ownPage(ctx: Context, id: string, request: PublicRequest): Promise<HtmlPage> {
  const booking = await getBooking(ctx, id)
  const language = await bookerLanguage(ctx, booking, request)
  return bookingPage(ctx, booking, { query: withQuery(request), language })
}

/** Returns the calendar file of a booking. */
async function calendarFile(ctx: Context, id: string, request: PublicRequest): Promise<PublicAnswer> {
  const booking = await getBooking(ctx, id)
  const language = await bookerLanguage(ctx, booking, request)
  const { contentType, filename, text } = await bookingFile(ctx, booking, language)
  const pieces: Buffer[] = []
  for await (const piece of text) pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece)
  return { file: { bytes: Buffer.concat(pieces), contentType, filename } }
}

/** `/b/{token}`: a customer's own booking. */
const ownBooking = (parts: LinkParts): PublicPage => {
  const open = ({ token }: PublicRequest) => linkOpener(parts)((query) => findByBookingToken(query, token))
  return {
    name: 'b',
    findWorkspace: workspaceOfLink(parts, findByBookingToken),
    async read(request) {
      const { below } = request
      if (below !== undefined && below !== 'visit.ics') return undefined
      const link = await open(request)
      return link?.transaction(async (ctx) =>
        below === undefined
          ? { page: await ownPage(ctx, link.id, request) }
          : calendarFile(ctx, link.id, request),
      )
    },
    async submit(request) {
      const link = request.below === undefined ? await open(request) : undefined
      return link && change(link, request, request.values)
    },
  }
}

export const bookingPages = (parts: LinkParts): PublicPage[] => [bookingPlace(parts), ownBooking(parts)]
