/**
 * The keyless lead-capture link (spec 1, 8.1): forms of websites and portals, as JSON, urlencoded or multipart. Robots
 * that fill in the hidden field are answered like everybody and change nothing.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Workspace } from '../core/context.ts'
import { Refusal } from '../core/errors.ts'
import type { Directory } from '../modules/workspaces/directory.ts'
import { refuseCompressed } from './admit-request.ts'
import { noteRefusal, sendJson, sendRefusal } from './answer.ts'
import type { BodyBudget } from './callbacks/body-budget.ts'
import { readSubmission } from './capture-body.ts'
import { hearOut } from './hear-out.ts'
import { type AddressLimits, limitedByAddress } from './limits.ts'

export type CaptureOptions = AddressLimits & {
  directory: Directory
  budget: BodyBudget
  siteUrl: string
  /** Names of the fields that are for us and not part of the enquiry. */
  fields: { honeypot: string; redirect: string }
  /** Takes an enquiry in; many at once share a transaction. */
  capture(workspace: Workspace, content: unknown): Promise<object | Refusal>
  onError(error: unknown): void
}

const CAPTURE_PATH = '/api/leads/capture/:token'
const METHODS = 'POST, OPTIONS'
const BODY_LIMIT_BYTES = 64 * 1024
const DAY_SECONDS = 86_400

/** Registers the link with body parsers of its own: the API takes JSON alone. */
export const leadCapture =
  (options: CaptureOptions) =>
  (app: FastifyInstance): void => {
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      // Collected by `answer`, within the budget.
      scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
      scope.addHook('onRequest', async (_request, reply) => {
        // Any page may send a form; no cookie or key goes with it.
        reply.header('access-control-allow-origin', '*')
      })
      scope.options(CAPTURE_PATH, async (_request, reply) =>
        reply
          .code(204)
          .header('access-control-allow-methods', METHODS)
          .header('access-control-allow-headers', 'content-type')
          .header('access-control-max-age', String(DAY_SECONDS))
          .send(),
      )
      scope.post<{ Params: { token: string } }>(
        CAPTURE_PATH,
        { onRequest: limitedByAddress(options, 'lead-capture') },
        async (request, reply) => answer(options, request, reply),
      )
      scope.route({
        method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
        url: CAPTURE_PATH,
        handler: (request, reply) => {
          request.refusedWith = 'method_not_allowed'
          reply.header('allow', METHODS)
          return sendRefusal(reply, new Refusal('method_not_allowed', 'Send forms with POST.'))
        },
      })
    })
  }

async function answer(
  options: CaptureOptions,
  request: FastifyRequest<{ Params: { token: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    const workspace = await options.directory.workspaceByCaptureToken(request.params.token)
    if (!workspace?.leadCapture)
      throw new Refusal(
        'not_found',
        'Capture link not found. Check its token, and that lead capture is switched on.',
      )
    refuseCompressed(request)
    const bytes = await options.budget.collect(request.raw, reply.raw, BODY_LIMIT_BYTES)
    const type = request.headers['content-type']
    const content = await readSubmission(bytes, type)
    const isRobot = isFilled(fieldOf(content, options.fields.honeypot))
    const outcome = isRobot ? undefined : await options.capture(workspace, content)
    const [wanted] = [fieldOf(content, options.fields.redirect)].flat()
    const target = redirectTarget(options, request, wanted)
    if (outcome instanceof Refusal) {
      // Whoever sends JSON reads the answer; a form's browser is sent where it leads.
      if (target === undefined || isJson(type)) throw outcome
      request.refusedWith = outcome.code
      target.searchParams.set('error', outcome.code)
    }
    if (target !== undefined) return reply.code(303).header('location', target.href).send()
    return sendJson(reply, 200, JSON.stringify({ ok: true }))
  } catch (error) {
    const refusal = noteRefusal(request, error, options.onError)
    await hearOut(request)
    return sendRefusal(reply, refusal)
  }
}

const fieldOf = (content: unknown, name: string): unknown =>
  typeof content === 'object' && content !== null ? (content as Record<string, unknown>)[name] : undefined

const isJson = (type: string | undefined): boolean => /^application\/json\b/i.test(type ?? '')

const isFilled = (value: unknown): boolean =>
  [value].flat().some((one) => one !== undefined && one !== null && one !== '')

/**
 * Where a form asks to have the browser sent: to the site that the form stands on, by the browser's own headers (an
 * address may be relative to it), or to this service. Anything else is not followed, so that the link is no open redirect.
 */
function redirectTarget(options: CaptureOptions, request: FastifyRequest, wanted: unknown): URL | undefined {
  // An empty field asks for nothing; as an address it would be the page itself.
  if (typeof wanted !== 'string' || wanted.trim() === '') return undefined
  const { origin, referer } = request.headers
  const page = [referer, origin].find((one) => one !== undefined && URL.canParse(one))
  const url = URL.parse(wanted, page)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  if (url.username !== '' || url.password !== '') return undefined
  const homes = [origin, referer, options.siteUrl]
  const allowed = homes.some((home) => home !== undefined && URL.parse(home)?.origin === url.origin)
  return allowed ? url : undefined
}
