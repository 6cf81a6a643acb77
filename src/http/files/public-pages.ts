/**
 * Serves pages that a customer opens with a link of 128 random bits: `/i/{token}`. GET changes nothing,
 * because previews and scanners fetch links; only forms sent with POST do. The pages use no cookie and no
 * key.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { type HtmlPage, messagePage, writePage } from '../../core/values/html-page.ts'
import { firstLanguage, tagsOfHeader } from '../../core/values/languages.ts'
import { isLinkToken } from '../../core/values/link-token.ts'
import { chosenLanguage } from '../../core/values/page-language.ts'
import type { BodyBudget } from '../callbacks/body-budget.ts'
import { type AddressLimits, limitedByAddress } from '../rate-limit/limits.ts'
import { recordRefusal, statusOf } from '../wire/answer.ts'
import { drainBody } from '../wire/drain-body.ts'
import { parseForm } from '../wire/form-body.ts'
import { asFrameworkRefusal } from '../wire/framework-refusals.ts'
import { publicPageTexts } from './texts/texts.ts'

export type PublicAnswer =
  | { page: HtmlPage; status?: number }
  | { file: { bytes: Buffer; contentType: string; filename: string } }
  /** The redirect after a form: a path of this site, or a payment page. */
  | { goTo: string }

export type PublicRequest = {
  token: string
  /** The path after the token: `invoice.pdf` in `/i/{token}/invoice.pdf`. */
  below: string | undefined
  query: Record<string, unknown>
  /** The tags of the browser's languages, most preferred first. */
  languages: string[]
}

/** A kind of public page. Undefined is a 404: no such link. A refusal is shown as its message. */
export type PublicPage = {
  /** The first part of the address: `i` in `/i/{token}`. */
  name: string
  /** Returns the workspace of a link. */
  findWorkspace(token: string): Promise<string | undefined>
  read(request: PublicRequest): Promise<PublicAnswer | undefined>
  /** Accepts a form. A page without this answers 405. */
  submit?(request: PublicRequest & { values: Record<string, unknown> }): Promise<PublicAnswer | undefined>
}

export type PublicPagesOptions = AddressLimits & {
  pages: PublicPage[]
  budget: BodyBudget
  onError(error: unknown): void
}

const BODY_LIMIT_BYTES = 64 * 1024

const HEADERS = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' }

type Linked = FastifyRequest<{ Params: { token: string; below?: string } }>

export const publicPages =
  (options: PublicPagesOptions) =>
  (app: FastifyInstance): void => {
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      // The body is collected within the memory budget after the link was checked.
      scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
      scope.setErrorHandler((error, request, reply) => sendFault(options, error, request, reply))
      const onRequest = limitedByAddress(options, 'public-pages')
      for (const page of options.pages)
        for (const url of [`/${page.name}/:token`, `/${page.name}/:token/:below`]) {
          scope.route({
            method: ['GET', 'HEAD'],
            url,
            onRequest,
            handler: async (request, reply) =>
              sendAnswer(request, reply, await page.read(requestOf(request as Linked))),
          })
          scope.route({
            method: 'POST',
            url,
            onRequest,
            handler: async (request, reply) =>
              sendAnswer(request, reply, await submitted(options, page, request as Linked, reply)),
          })
        }
    })
  }

function requestOf({ params, query, headers }: Linked): PublicRequest {
  if (!isLinkToken(params.token)) throw pageNotFound()
  return {
    token: params.token,
    below: params.below,
    query: query as Record<string, unknown>,
    languages: tagsOfHeader(headers['accept-language']),
  }
}

async function submitted(
  { budget }: PublicPagesOptions,
  page: PublicPage,
  request: Linked,
  reply: FastifyReply,
): Promise<PublicAnswer | undefined> {
  const pageRequest = requestOf(request)
  if (!page.submit) {
    reply.header('allow', 'GET, HEAD')
    throw new Refusal('method_not_allowed', "This page doesn't accept forms.")
  }
  const bytes = await budget.collect(request.raw, reply.raw, BODY_LIMIT_BYTES)
  const values = await parseForm(bytes, request.headers['content-type'])
  return page.submit({ ...pageRequest, values: withSingleLineBreaks(values) })
}

/** Forms send a line break as two characters, but the field's length limit counts it as one. */
const withSingleLineBreaks = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value,
    ]),
  )

const pageNotFound = (): Refusal => new Refusal('not_found', "This page doesn't exist.")

type Texts = ReturnType<typeof publicPageTexts>

/** Returns the texts in the language of the address, otherwise in that of the browser. */
const textsFor = ({ query, headers }: FastifyRequest): Texts =>
  publicPageTexts(
    chosenLanguage(query as Record<string, unknown>) ??
      firstLanguage(tagsOfHeader(headers['accept-language'])) ??
      'en',
  )

const notFoundPage = ({ language, t }: Texts): HtmlPage => ({
  ...messagePage(t('missing'), t('missing.text')),
  language,
})

function sendPage(reply: FastifyReply, status: number, page: HtmlPage): FastifyReply {
  const { text, policy } = writePage(page)
  return reply
    .code(status)
    .headers(HEADERS)
    .header('content-security-policy', policy)
    .type('text/html; charset=utf-8')
    .send(text)
}

function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: PublicAnswer | undefined,
): FastifyReply {
  if (answer === undefined) {
    request.refusedWith = 'not_found'
    return sendPage(reply, 404, notFoundPage(textsFor(request)))
  }
  if ('goTo' in answer) return reply.code(303).headers(HEADERS).header('location', answer.goTo).send()
  if ('page' in answer) return sendPage(reply, answer.status ?? 200, answer.page)
  const { bytes, contentType, filename } = answer.file
  return reply
    .code(200)
    .headers(HEADERS)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('content-disposition', `attachment; filename="${filename.replaceAll(/[^\w.-]/g, '-')}"`)
    .type(contentType)
    .send(bytes)
}

const TITLES: Record<number, 'conflict' | 'often' | 'unavailable'> = {
  409: 'conflict',
  429: 'often',
  503: 'unavailable',
}

async function sendFault(
  { onError }: PublicPagesOptions,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refusal = recordRefusal(request, error, onError, asFrameworkRefusal(error, BODY_LIMIT_BYTES))
  await drainBody(request)
  const status = statusOf(refusal)
  if (status === 404) return sendPage(reply, 404, notFoundPage(textsFor(request)))
  if (refusal.details.retryAfterSeconds !== undefined)
    reply.header('retry-after', refusal.details.retryAfterSeconds)
  const { language, t } = textsFor(request)
  const title = t(TITLES[status] ?? (status >= 500 ? 'failed' : 'refused'))
  // Refusals explain themselves in English.
  const why = t(status === 429 || status >= 500 ? 'again' : 'ask')
  const page = messagePage(title, language === 'en' ? refusal.message : why)
  return sendPage(reply, status, { ...page, language })
}
