/** The pages of invoices (`/i/{token}`) and quotations (`/q/{token}`), which customers open by link. */
import { setTimeout as wait } from 'node:timers/promises'
import { Refusal, refuse } from '../core/errors.ts'
import { type Html, html } from '../core/values/html.ts'
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
import { readSource } from '../modules/selling/invoicing/operations/shown-document.ts'
import type { Around } from '../modules/selling/invoicing/pages/document-page.ts'
import {
  isInvoice,
  type ShownDocument,
  type ShownInvoice,
} from '../modules/selling/invoicing/pages/document-view.ts'
import {
  answerForms,
  answerNotice,
  CHANGED_SINCE,
} from '../modules/selling/invoicing/pages/quotation-answer.ts'
import { type DocumentKind, PageAnswer } from '../modules/selling/invoicing/schema.ts'
import { type LinkParts, linkOpener, type OpenedLink } from './public-links.ts'

const PDF = 'document.pdf'

type Family = {
  name: string
  kinds: readonly DocumentKind[]
  around(document: ShownDocument, path: string, canPay: boolean): Around
  /** Returns a customer's explanation of a rejected form; undefined if the error explains it. */
  whyRefused?(document: ShownDocument, values: Record<string, unknown>): string | undefined
}

const pdfLink = (path: string): Html => html`<a class="button plain" href="${path}/${PDF}">Download PDF</a>`

const payForm = ({ balance }: ShownInvoice, path: string): Html =>
  html`<form method="post" action="${path}"><button name="answer" value="pay">Pay ${balance}</button></form>`

const invoices: Family = {
  name: 'i',
  kinds: INVOICES,
  around: (document, path, canPay) =>
    canPay && isInvoice(document) && isPayable(document)
      ? { actions: html`${payForm(document, path)}${pdfLink(path)}`, leadsElsewhere: true }
      : { actions: pdfLink(path) },
}

const quotations: Family = {
  name: 'q',
  kinds: QUOTATIONS,
  around(document, path) {
    if (isInvoice(document)) return {}
    return { notice: answerNotice(document), actions: html`${answerForms(document, path)}${pdfLink(path)}` }
  },
  whyRefused({ version }, values) {
    const input = PageAnswer.safeParse(values)
    return input.success && input.data.version !== version ? CHANGED_SINCE : undefined
  },
}

const openerOf = (parts: LinkParts, { kinds }: Family) => {
  const open = linkOpener(parts)
  return ({ token }: PublicRequest) => open((query) => findLinked(query, token, kinds))
}

/** Returns whether the page accepts actions: the module is turned on. */
const isOpen = ({ workspace }: OpenedLink): boolean => isOn(workspace)

type Refused = { fault: Refusal; values: Record<string, unknown> }

const rejectionText = (
  link: OpenedLink,
  family: Family,
  document: ShownDocument,
  { fault, values }: Refused,
): string => (isOpen(link) && family.whyRefused?.(document, values)) || fault.message

/** Shows the stored document, also after a rejected form. */
async function show(
  link: OpenedLink,
  family: Family,
  path: string,
  refused?: Refused,
): Promise<PublicAnswer> {
  const source = await link.transaction((ctx) => readSource(ctx, link.id, family.kinds))
  const canPay = (await link.outside.gatewayConnection(link.workspace.id)) !== undefined
  const around = isOpen(link) ? family.around(source.document, path, canPay) : {}
  // The document's state explains more than the rejection: the form may have been sent twice.
  const notice =
    around.notice ??
    (refused &&
      html`<p class="notice bad" role="alert">${rejectionText(link, family, source.document, refused)}</p>`)
  const { page } = await pageOf(source, { ...around, notice })
  return { page, status: refused ? 409 : 200 }
}

function reader(parts: LinkParts, family: Family): PublicPage['read'] {
  const open = openerOf(parts, family)
  return async (request) => {
    const link = request.below === undefined || request.below === PDF ? await open(request) : undefined
    if (!link) return undefined
    if (request.below === undefined) return show(link, family, `/${family.name}/${request.token}`)
    const source = await link.transaction((ctx) => readSource(ctx, link.id, family.kinds))
    return { file: { ...(await pdfOf(link, source)), contentType: 'application/pdf' } }
  }
}

const refuseClosed = (link: OpenedLink): void => {
  if (!isOpen(link))
    refuse('conflict', "This document can't be answered anymore. Contact the business instead.")
}

/** Records the customer's answer to the version that they saw. */
async function answer(link: OpenedLink, { values }: { values: Record<string, unknown> }): Promise<undefined> {
  const input = PageAnswer.safeParse(values)
  if (!input.success) return refuse('conflict', "Your answer isn't complete. Read the quotation again.")
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
    const path = `/${family.name}/${request.token}`
    try {
      refuseClosed(link)
      return { goTo: (await work(link, request)) ?? path }
    } catch (error) {
      if (error instanceof Refusal && error.code === 'conflict')
        return show(link, family, path, { fault: error, values: request.values })
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
    read: reader(parts, invoices),
    submit: submitter(parts, invoices, leadToPayment),
  },
  { name: quotations.name, read: reader(parts, quotations), submit: submitter(parts, quotations, answer) },
]
