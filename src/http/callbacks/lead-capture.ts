/**
 * The keyless lead-capture link (spec 1, 8.1) for forms of websites and portals, as JSON, urlencoded, or
 * multipart. Robots that fill in the hidden field get the normal answer, and no lead is created.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Workspace } from '../../core/context.ts'
import { Refusal } from '../../core/errors.ts'
import type { Directory } from '../../modules/platform/workspaces/directory.ts'
import { refuseCompressed } from '../endpoint/body-headers.ts'
import { type AddressLimits, limitedByAddress, senderOf } from '../rate-limit/limits.ts'
import { recordRefusal, sendJson, sendRefusal } from '../wire/answer.ts'
import { drainBody } from '../wire/drain-body.ts'
import { trustedAddress } from '../wire/trusted-address.ts'
import type { BodyBudget } from './body-budget.ts'
import { readQuery, readSubmission } from './capture-body.ts'
import { type KeepMoving, keptAsMoving } from './keep-moving.ts'

/** A submission as it arrived, and its content or the refusal. `robot`: the hidden field was filled in. */
export type Submission = {
  sent: { body: Buffer; contentType: string | null; headers: Record<string, string>; sender: string }
  content: unknown
  robot: boolean
}

export type CaptureOptions = AddressLimits & {
  directory: Directory
  budget: BodyBudget
  moving: KeepMoving
  siteUrl: string
  /** Names of control fields, which aren't part of the enquiry. */
  fields: { honeypot: string; redirect: string }
  /** Stores a submission, readable or not. Concurrent submissions share a transaction. */
  capture(workspace: Workspace, submission: Submission): Promise<{ kind: string } | Refusal>
  onError(error: unknown): void
}

const CAPTURE_PATH = '/api/leads/capture/:token'
const METHODS = 'GET, HEAD, POST, PUT, PATCH, OPTIONS'
const BODY_LIMIT_BYTES = 64 * 1024
const DAY_SECONDS = 86_400
/** The outcome of a submission that is applied later. */
const KEPT = { kind: 'kept' }
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Registers the link with its own body parsers, because the API accepts only JSON. */
export const leadCapture =
  (options: CaptureOptions) =>
  (app: FastifyInstance): void => {
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      // `answer` collects the body within the memory budget.
      scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
      scope.addHook('onRequest', async (_request, reply) => {
        // Any page may send a form: the request has no cookie or key.
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
      const limited = { onRequest: limitedByAddress(options, 'lead-capture') }
      scope.route<{ Params: { token: string } }>({
        // Some services can send only one of these methods.
        method: ['POST', 'PUT', 'PATCH'],
        url: CAPTURE_PATH,
        ...limited,
        handler: (request, reply) => answer(options, request, reply),
      })
      scope.route<{ Params: { token: string } }>({
        method: ['GET', 'HEAD'],
        url: CAPTURE_PATH,
        ...limited,
        handler: (request, reply) => answerGet(options, request, reply),
      })
      scope.delete(CAPTURE_PATH, (request, reply) => {
        request.refusedWith = 'method_not_allowed'
        reply.header('allow', METHODS)
        return sendRefusal(reply, new Refusal('method_not_allowed', 'Send forms with POST.'))
      })
    })
  }

type CaptureRequest = FastifyRequest<{ Params: { token: string } }>

async function workspaceOf(options: CaptureOptions, request: CaptureRequest): Promise<Workspace> {
  const workspace = await options.directory.workspaceByCaptureToken(request.params.token)
  if (workspace?.leadCapture) return workspace
  throw new Refusal(
    'not_found',
    'Capture link not found. Check its token, and that lead capture is turned on.',
  )
}

async function answer(
  options: CaptureOptions,
  request: CaptureRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    const workspace = await workspaceOf(options, request)
    const { bytes, isWhole } = await options.budget.collectBeginning(request.raw, reply.raw, BODY_LIMIT_BYTES)
    const type = request.headers['content-type']
    const content = isWhole ? await contentOf(request, bytes) : tooLarge(request)
    const robot = isFilled(fieldOf(content, options.fields.honeypot))
    // The bytes belong to the budget until the answer is sent.
    const submission = { sent: sentOf(options, request, bytes), content, robot }
    const outcome = await options.capture(workspace, submission).catch(async (error: unknown) => {
      // A cut body can't be sent again.
      const call = { error, workspaceId: workspace.id, body: bytes }
      if (isWhole && (await keptAsMoving(options.moving, request, call))) return KEPT
      throw error
    })
    const [redirect] = [fieldOf(content, options.fields.redirect)].flat()
    const target = redirectTarget(options, request, redirect)
    if (outcome instanceof Refusal) {
      // A JSON client reads the answer; the browser of a form is redirected.
      if (target === undefined || isJson(type)) throw outcome
      request.refusedWith = outcome.code
      target.searchParams.set('error', outcome.code)
    }
    if (target !== undefined) return reply.code(303).header('location', target.href).send()
    return sendJson(reply, 200, JSON.stringify({ ok: true, ...challengeIn(content, outcome) }))
  } catch (error) {
    const refusal = recordRefusal(request, error, options.onError)
    await drainBody(request)
    return sendRefusal(reply, refusal)
  }
}

/**
 * Answers GET. Services test the link before they send, some with a challenge to return. Some portals send an
 * enquiry in the query, which is stored.
 */
async function answerGet(
  options: CaptureOptions,
  request: CaptureRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    const workspace = await workspaceOf(options, request)
    const query = request.url.slice(request.url.indexOf('?') + 1 || request.url.length)
    const fields = query === '' || request.method === 'HEAD' ? {} : readQuery(query)
    const [challenge] = [fields['hub.challenge'] ?? fields.challenge].flat()
    if (isChallenge(challenge))
      return reply
        .code(200)
        .headers({ 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
        .send(challenge)
    if (Object.keys(fields).some((name) => !/^(?:utm_|fbclid$|gclid$)/.test(name)))
      // A GET always gets this answer; a query that isn't a lead is set aside for a teammate.
      await options
        .capture(workspace, {
          sent: { ...sentOf(options, request, Buffer.from(query)), contentType: FORM_TYPE },
          content: fields,
          robot: isFilled(fields[options.fields.honeypot]),
        })
        .catch(async (error: unknown) => {
          const call = { error, workspaceId: workspace.id, body: Buffer.alloc(0) }
          if (!(await keptAsMoving(options.moving, request, call))) throw error
        })
    return sendJson(reply, 200, JSON.stringify({ ok: true, message: 'Send forms with POST.' }))
  } catch (error) {
    return sendRefusal(reply, recordRefusal(request, error, options.onError))
  }
}

/** Returns the content of the bytes, or the refusal, which is stored too. */
async function contentOf(request: CaptureRequest, bytes: Buffer): Promise<unknown> {
  try {
    refuseCompressed(request)
    return await readSubmission(bytes, request.headers['content-type'])
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/**
 * The refusal of a submission over the limit. Its beginning is stored, because the phone number is often
 * there, before a file.
 */
function tooLarge({ headers: { 'content-length': length } }: CaptureRequest): Refusal {
  const size = length === undefined ? 'more than 64 KB' : `${length} bytes, more than 64 KB`
  return new Refusal(
    'payload_too_large',
    `The submission has ${size}. Send it without files. Its first 64 KB are kept for a person to read.`,
  )
}

const MAX_HEADER = 300

function sentOf(options: CaptureOptions, request: CaptureRequest, bytes: Buffer): Submission['sent'] {
  const {
    'content-type': type,
    'content-encoding': encoding,
    'content-length': length,
    'user-agent': agent,
    origin,
    referer,
  } = request.headers
  const named = {
    userAgent: agent,
    origin,
    referer,
    contentEncoding: encoding,
    // Only for a cut body.
    contentLength: Number(length) > bytes.length ? length : undefined,
  }
  return {
    // The budget's buffer may be larger than the body.
    body: Buffer.from(bytes),
    contentType: type === undefined ? null : cutHeader(type),
    headers: Object.fromEntries(
      Object.entries(named).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, cutHeader(value)]],
      ),
    ),
    sender: senderOf(trustedAddress(request.raw, options.trustProxy)),
  }
}

/** Headers arrive as one character per byte; PostgreSQL can't store NUL. */
const cutHeader = (value: string): string => value.replaceAll('\0', '').slice(0, MAX_HEADER)

const MAX_CHALLENGE = 1_000
const isChallenge = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_CHALLENGE

/** Returns the challenge that a service expects back before it sends leads. */
function challengeIn(content: unknown, outcome: { kind: string } | Refusal): { challenge?: string } {
  const challenge = fieldOf(content, 'challenge')
  return !(outcome instanceof Refusal) && outcome.kind === 'aside' && isChallenge(challenge)
    ? { challenge }
    : {}
}

const fieldOf = (content: unknown, name: string): unknown =>
  typeof content === 'object' && content !== null && !(content instanceof Refusal)
    ? (content as Record<string, unknown>)[name]
    : undefined

const isJson = (type: string | undefined): boolean => /^application\/json\b/i.test(type ?? '')

const isFilled = (value: unknown): boolean =>
  [value].flat().some((item) => item !== undefined && item !== null && item !== '')

/**
 * Returns the redirect that a form requests, if it is safe: to the form's own site (by the browser's headers;
 * the address may be relative to it) or to this service. Others are ignored, so that the link is no open
 * redirect.
 */
function redirectTarget(
  options: CaptureOptions,
  request: FastifyRequest,
  redirect: unknown,
): URL | undefined {
  // An empty field requests no redirect; as an address, it would be the page itself.
  if (typeof redirect !== 'string' || redirect.trim() === '') return undefined
  const { origin, referer } = request.headers
  const page = [referer, origin].find((url) => url !== undefined && URL.canParse(url))
  const url = URL.parse(redirect, page)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  if (url.username !== '' || url.password !== '') return undefined
  const homes = [origin, referer, options.siteUrl]
  const allowed = homes.some((home) => home !== undefined && URL.parse(home)?.origin === url.origin)
  return allowed ? url : undefined
}
