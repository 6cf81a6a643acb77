/** The pages of invoices (`/i/{token}`) and quotations (`/q/{token}`), which customers open by link. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Query } from '../core/context.ts'
import { Refusal, refuse } from '../core/errors.ts'
import { type Html, html } from '../core/values/html.ts'
import type { Language } from '../core/values/languages.ts'
import { moneyText } from '../core/values/money.ts'
import { chosenLanguage, langIn } from '../core/values/page-language.ts'
import type { PublicAnswer, PublicPage, PublicRequest } from '../http/files/public-pages.ts'
import { isOn } from '../modules/selling/invoicing/gates.ts'
import {
  acceptQuotation,
  declineQuotation,
} from '../modules/selling/invoicing/operations/answer-quotation.ts'
import { pageOf, pdfOf } from '../modules/selling/invoicing/operations/document-formats.ts'
import { findLinked } from '../modules/selling/invoicing/operations/document-link.ts'
import { INVOICES, QUOTATIONS } from '../modules/selling/invoicing/operations/find-document.ts'
import { isPayable, openPayLink, payAddress } from '../modules/selling/invoicing/operations/pay-links.ts'
import { readSource, sourceForChats } from '../modules/selling/invoicing/operations/shown-document.ts'
import type { Around } from '../modules/selling/invoicing/pages/document-page.ts'
import {
  type DocumentSource,
  isInvoice,
  type ShownInvoice,
} from '../modules/selling/invoicing/pages/document-view.ts'
import { answerForms, answerNotice } from '../modules/selling/invoicing/pages/quotation-answer.ts'
import { type DocumentKind, PageAnswer } from '../modules/selling/invoicing/schema.ts'
import { documentTexts } from '../modules/selling/invoicing/texts/texts.ts'
import { type LinkParts, linkOpener, type OpenedLink, workspaceOfLink } from './public-links.ts'

const PDF = 'document.pdf'

type Family = {
  name: string
  kinds: readonly DocumentKind[]
  around(source: DocumentSource, page: Place): Around
  /** Returns a customer's explanation of a rejected form; undefined if the error explains it. */
  whyRefused?(source: DocumentSource, values: Record<string, unknown>): string | undefined
}

/** The path of a page, the query that its links keep, and whether a payment is possible. */
type Place = { path: string; kept: string; canPay: boolean }

const pdfLink = ({ path, kept }: Place, language: Language): Html =>
  html`<a class="button plain" href="${path}/${PDF}${kept}">${documentTexts(language).t('action.pdf')}</a>`

const payForm = ({ balanceMinor, currency }: ShownInvoice, { path, kept }: Place, language: Language): Html =>
  html`<form method="post" action="${path}${kept}"><button name="answer" value="pay">${documentTexts(
    language,
  ).t('action.pay', { amount: moneyText(balanceMinor, currency, language) })}</button></form>`

const invoices: Family = {
  name: 'i',
  kinds: INVOICES,
  around: ({ document, language }, place) =>
    place.canPay && isInvoice(document) && isPayable(document)
      ? {
          actions: html`${payForm(document, place, language)}${pdfLink(place, language)}`,
          leadsElsewhere: true,
        }
      : { actions: pdfLink(place, language) },
}

const quotations: Family = {
  name: 'q',
  kinds: QUOTATIONS,
  around({ document, language }, place) {
    if (isInvoice(document)) return {}
    const forms = answerForms(document, `${place.path}${place.kept}`, language)
    return {
      notice: answerNotice(document, language),
      actions: html`${forms}${pdfLink(place, language)}`,
    }
  },
  whyRefused({ document: { version }, language }, values) {
    const input = PageAnswer.safeParse(values)
    return input.success && input.data.version !== version
      ? documentTexts(language).t('notice.changed')
      : undefined
  },
}

const finderOf =
  ({ kinds }: Family) =>
  (query: Query, token: string) =>
    findLinked(query, token, kinds)

const openerOf = (parts: LinkParts, family: Family) => {
  const open = linkOpener(parts)
  return ({ token }: PublicRequest) => open((query) => finderOf(family)(query, token))
}

/** Returns whether the page accepts actions: the module is turned on. */
const isOpen = ({ workspace }: OpenedLink): boolean => isOn(workspace)

type Refused = { fault: Refusal; values: Record<string, unknown> }

/** The texts with which the pages themselves refuse a form. */
const REASONS = ['notice.closed', 'notice.incomplete'] as const
const ENGLISH = documentTexts('en')

function rejectionText(
  link: OpenedLink,
  family: Family,
  source: DocumentSource,
  { fault, values }: Refused,
): string {
  const { language, t } = documentTexts(source.language)
  const why = isOpen(link) ? family.whyRefused?.(source, values) : undefined
  if (why !== undefined || language === 'en') return why ?? fault.message
  // The operations explain their refusals in English.
  return t(REASONS.find((key) => ENGLISH.t(key) === fault.message) ?? 'notice.failed')
}

/** Returns the document, in the language that the customer chose, otherwise in theirs. */
async function readShown(
  link: OpenedLink,
  { kinds }: Family,
  { query }: PublicRequest,
): Promise<DocumentSource> {
  const source = sourceForChats(
    link.workspace,
    await link.transaction((ctx) => readSource(ctx, link.id, kinds)),
  )
  return { ...source, language: chosenLanguage(query) ?? source.language }
}

const keptOf = ({ query }: PublicRequest): string => {
  const kept = new URLSearchParams(langIn(query))
  return kept.size > 0 ? `?${kept}` : ''
}

/** Shows the stored document, also after a rejected form. */
async function show(
  link: OpenedLink,
  family: Family,
  request: PublicRequest,
  refused?: Refused,
): Promise<PublicAnswer> {
  const source = await readShown(link, family, request)
  const place = {
    path: `/${family.name}/${request.token}`,
    kept: keptOf(request),
    canPay: (await link.outside.gatewayConnection(link.workspace.id)) !== undefined,
  }
  const around = isOpen(link) ? family.around(source, place) : {}
  // The document's state explains more than the rejection: the form may have been sent twice.
  const notice =
    around.notice ??
    (refused && html`<p class="notice bad" role="alert">${rejectionText(link, family, source, refused)}</p>`)
  const { page } = await pageOf(source, { ...around, notice, hasLanguages: true })
  return { page, status: refused ? 409 : 200 }
}

function reader(parts: LinkParts, family: Family): PublicPage['read'] {
  const open = openerOf(parts, family)
  return async (request) => {
    const link = request.below === undefined || request.below === PDF ? await open(request) : undefined
    if (!link) return undefined
    if (request.below === undefined) return show(link, family, request)
    const source = await readShown(link, family, request)
    return { file: { ...(await pdfOf(link, source)), contentType: 'application/pdf' } }
  }
}

const refuseClosed = (link: OpenedLink): void => {
  if (!isOpen(link)) refuse('conflict', ENGLISH.t('notice.closed'))
}

/** Records the customer's answer to the version that they saw. */
async function answer(link: OpenedLink, { values }: { values: Record<string, unknown> }): Promise<undefined> {
  const input = PageAnswer.safeParse(values)
  if (!input.success) return refuse('conflict', ENGLISH.t('notice.incomplete'))
  const { answer, version, reason } = input.data
  await link.transaction(async (ctx) => {
    if (answer === 'accept') await acceptQuotation(ctx, link.id, { version }, 'customer')
    else await declineQuotation(ctx, link.id, { version, reason })
  })
}

/** Returns a handler of a form; `work` returns where the browser goes next, by default the page itself. */
function submitter(
  parts: LinkParts,
  family: Family,
  work: (link: OpenedLink, request: { values: Record<string, unknown> }) => Promise<string | undefined>,
): NonNullable<PublicPage['submit']> {
  const open = openerOf(parts, family)
  return async (request) => {
    const link = request.below === undefined ? await open(request) : undefined
    if (!link) return undefined
    try {
      refuseClosed(link)
      return { goTo: (await work(link, request)) ?? `/${family.name}/${request.token}${keptOf(request)}` }
    } catch (error) {
      if (error instanceof Refusal && error.code === 'conflict')
        return show(link, family, request, { fault: error, values: request.values })
      throw error
    }
  }
}

const LOOK_MS = 100
const MAX_WAIT_MS = 8_000
const RETRY_SECONDS = 5

/**
 * Returns the gateway's address for paying the balance: a job requests it, and the page waits for the job.
 */
async function leadToPayment(link: OpenedLink): Promise<string> {
  const paymentLinkId = await link.transaction((ctx) => openPayLink(ctx, link.id))
  for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += LOOK_MS) {
    const address = await link.transaction((ctx) => payAddress(ctx, paymentLinkId))
    if (address !== undefined) return address
    await wait(LOOK_MS)
  }
  return refuse('service_unavailable', "The payment service isn't answering. Try again shortly.", {
    retryAfterSeconds: RETRY_SECONDS,
  })
}

export const salesPages = (parts: LinkParts): PublicPage[] => [
  {
    name: invoices.name,
    findWorkspace: workspaceOfLink(parts, finderOf(invoices)),
    read: reader(parts, invoices),
    submit: submitter(parts, invoices, leadToPayment),
  },
  {
    name: quotations.name,
    findWorkspace: workspaceOfLink(parts, finderOf(quotations)),
    read: reader(parts, quotations),
    submit: submitter(parts, quotations, answer),
  },
]
