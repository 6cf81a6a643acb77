/** The front hall: one Fastify instance that serves the endpoints of the catalog. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Clock } from '../core/clock.ts'
import { type Endpoint, isWrite } from '../core/endpoint.ts'
import { invalid, Refusal, refuse } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { UploadRule } from '../core/upload.ts'
import { asRefusal, isOutOfRoom, sendJson, sendPieces, sendRefusal } from './answer.ts'
import { setDefaultHeaders } from './answer-headers.ts'
import { type AuthenticationOptions, admit, type Caller } from './authentication.ts'
import { type ConnectionLimits, namesSeveralHosts, serverOptionsOf } from './connection-bounds.ts'
import { type ExecuteOptions, executor } from './execute.ts'
import { fingerprintOf, readIdempotencyKey } from './idempotency.ts'
import { BadBody, parseJsonBody } from './json-body.ts'
import { limit } from './limits.ts'
import type { RateLimitStore } from './rate-limit/port.ts'
import type { Answer } from './reply-texts.ts'
import { trustedAddress } from './trusted-address.ts'
import { admitUpload, brokenOff, readUpload, wasBrokenOff } from './upload.ts'
import { validated, validatedAddress } from './validate.ts'

export const BASE_PATH = '/api/v1'
const BODY_LIMIT_BYTES = 64 * 1024
const NO_BODY = Buffer.alloc(0)

export type RequestLine = {
  requestId: string
  method: string
  route: string
  status: number
  ms: number
  workspaceId?: string
  keyId?: string
  error?: string
}

export type ServerOptions = AuthenticationOptions &
  ExecuteOptions & {
    clock: Clock
    endpoints: Endpoint[]
    limiter: RateLimitStore
    trustProxy: string[]
    connections: ConnectionLimits
    /** One call for each answered request. */
    onRequest(line: RequestLine): void
    /** Runs an upload so that the server's end waits until it has put everything away. */
    hold<T>(work: () => Promise<T>): Promise<T>
    /** Adds what is not part of the API: health, reference page, operator callbacks. */
    plugins: ((app: FastifyInstance) => void)[]
  }

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    endpointValue: Endpoint | null
    refusedWith: string | null
    startedMs: number
  }
}

const REQUEST_ID = /^[\w.:-]{1,128}$/

/** Fastify's path for an endpoint's. */
const routeOf = (value: Endpoint): string => BASE_PATH + value.path

/** What Fastify throws before a handler runs, in our words. */
function asAuthenticationRefusal(error: unknown, bodyLimit = BODY_LIMIT_BYTES): Refusal {
  const code = (error as { code?: string }).code
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refusal('payload_too_large', `The body is over its limit of ${bodyLimit / 1024} KB.`)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Refusal('unsupported_media_type', 'Send the body as application/json.')
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return new Refusal('invalid', 'Content-Length does not match the body.', { issues: [] })
  return asRefusal(error)
}

/** A body that cannot be read, in our words. */
function asBodyRefusal(error: unknown): unknown {
  if (!(error instanceof BadBody)) return error
  if (error.kind === 'invalid_json') return new Refusal('invalid_json', error.message)
  return invalid([{ path: error.path ?? '', message: error.message }])
}

function readBody(value: Endpoint, bytes: Buffer): unknown {
  if (!value.body) return undefined
  if (value.bodyOptional && bytes.length === 0) return validated(value.body, {})
  try {
    return validated(value.body, parseJsonBody(bytes))
  } catch (error) {
    throw asBodyRefusal(error)
  }
}

/** Whether nothing follows the head of a request: then it does not matter of which type it would have been. */
const bringsNothing = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'

const unreadableAddress = (): Refusal =>
  new Refusal(
    'invalid',
    'The address of the request cannot be read: percent-encode it as UTF-8, without NUL.',
    {
      issues: [],
    },
  )

/** Whether a part of the path is text that PostgreSQL cannot hold: no route has anything by that name. */
function holdsNul(url: string): boolean {
  const at = url.indexOf('%00')
  if (at === -1) return false
  const query = url.indexOf('?')
  return query === -1 || at < query
}

/** Lets a caller in, or refuses: before any of the body is read. */
const enter =
  (value: Endpoint, options: ServerOptions) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.endpointValue = value
    const encoding = request.headers['content-encoding']
    if (bringsNothing(request)) delete request.headers['content-type']
    const entry = await admit(options, value, {
      authorization: request.headers.authorization,
      address: trustedAddress(request.raw, options.trustProxy),
    })
    request.caller = entry.caller
    await limit(options.limiter, value, entry, options.clock.monotonicMs(), reply)
    if (value.sandboxOnly && !entry.caller.workspace.sandbox)
      refuse('not_found', 'There is no such endpoint in this workspace.')
    for (const gate of value.gates ?? [])
      await gate.check({ workspace: entry.caller.workspace, query: options.database.query })
    if (isWrite(value) && encoding && encoding !== 'identity')
      refuse('unsupported_media_type', 'Send the body uncompressed.')
  }

const keyOf = (value: Endpoint, request: FastifyRequest): string | undefined =>
  isWrite(value) ? readIdempotencyKey(request.headers['idempotency-key']) : undefined

const addressOf = (value: Endpoint, request: FastifyRequest) => ({
  params: validatedAddress(value.params, request.params) as never,
  query: validatedAddress(value.query, request.query) as never,
})

/** Says when the connection ends before the answer is out. */
function leftBefore({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController()
  if (raw.destroyed) left.abort()
  raw.once('close', () => {
    if (!raw.writableEnded) left.abort()
  })
  return left.signal
}

function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  if (answer.replayed) reply.header('idempotent-replayed', 'true')
  if (answer.refusal) {
    request.refusedWith = answer.refusal.code
    return sendRefusal(reply, answer.refusal)
  }
  if (answer.pieces) return sendPieces(reply, answer.pieces)
  return sendJson(reply, answer.status, answer.text)
}

function mount(app: FastifyInstance, value: Endpoint, options: ServerOptions): void {
  const run = executor(value, options)
  app.route({
    method: value.method,
    url: routeOf(value),
    bodyLimit: value.bodyLimit ?? BODY_LIMIT_BYTES,
    onRequest: enter(value, options),
    handler: async (request, reply) => {
      const bytes = Buffer.isBuffer(request.body) ? request.body : NO_BODY
      const key = keyOf(value, request)
      const answer = await run({
        caller: request.caller as Caller,
        input: { ...addressOf(value, request), body: readBody(value, bytes) as never },
        callerLeft: isWrite(value) ? undefined : leftBefore(reply),
        idempotency:
          key === undefined
            ? undefined
            : { key, fingerprint: fingerprintOf(value.method, request.url, bytes) },
      })
      return send(request, reply, answer)
    },
  })
}

type UploadEndpoint = Endpoint & { upload: UploadRule; bodyLimit: number }

/** An endpoint whose body is handed on unread; in a scope of its own, because parsers belong to scopes. */
function mountUpload(app: FastifyInstance, value: UploadEndpoint, options: ServerOptions): void {
  const run = executor(value, options)
  const handle = async (request: FastifyRequest): Promise<Answer> => {
    const address = addressOf(value, request)
    const key = keyOf(value, request)
    const leave = await admitUpload(value.upload, request, options)
    try {
      const { body, file, fingerprint } = await readUpload(value, request, options.outside.spool)
      try {
        return await run({
          caller: request.caller as Caller,
          input: { ...address, body: body as never, file: file as never },
          idempotency: key === undefined ? undefined : { key, fingerprint },
        })
      } finally {
        await file.close()
      }
    } catch (error) {
      if (wasBrokenOff(request)) throw brokenOff()
      throw asBodyRefusal(error)
    } finally {
      await leave()
    }
  }
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', (_request, payload, done) => done(null, payload))
    scope.route({
      method: value.method,
      url: routeOf(value),
      onRequest: enter(value, options),
      handler: async (request, reply) => {
        try {
          return send(request, reply, await options.hold(() => handle(request)))
        } finally {
          // What nobody wants is read all the same: the caller listens when it has sent everything.
          request.raw.resume()
        }
      },
    })
  })
}

const isUpload = (value: Endpoint): value is UploadEndpoint =>
  value.upload !== undefined && value.bodyLimit !== undefined

/** Unknown paths are 404; a known path with another method is 405 and names those that it has. */
function answerUnknown(app: FastifyInstance, endpoints: Endpoint[]): void {
  const patterns = endpoints.map((value) => ({
    method: value.method,
    pattern: new RegExp(`^${routeOf(value).replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}/?$`),
  }))
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const methods = [...new Set(patterns.filter((one) => one.pattern.test(path)).map((one) => one.method))]
    if (methods.length === 0) {
      request.refusedWith = 'not_found'
      return sendRefusal(reply, new Refusal('not_found', `There is nothing at ${request.method} ${path}.`))
    }
    request.refusedWith = 'method_not_allowed'
    reply.header('allow', methods.join(', '))
    return sendRefusal(reply, new Refusal('method_not_allowed', `${path} takes ${methods.join(', ')}.`))
  })
}

function logRequests(app: FastifyInstance, options: ServerOptions): void {
  app.addHook('onRequest', (request, reply, done) => {
    request.startedMs = options.clock.monotonicMs()
    setDefaultHeaders(reply, request.id)
    if (namesSeveralHosts(request.raw.rawHeaders))
      return done(new Refusal('invalid', 'The request names several hosts.', { issues: [] }))
    if (holdsNul(request.url)) return done(unreadableAddress())
    done()
  })
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    options.onRequest({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round((options.clock.monotonicMs() - request.startedMs) * 10) / 10,
      ...(request.caller
        ? { workspaceId: request.caller.workspace.id, keyId: request.caller.actor.keyId }
        : {}),
      ...(request.refusedWith ? { error: request.refusedWith } : {}),
    })
    done()
  })
}

/** Builds the server; it listens when its caller says so. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: true },
    requestIdHeader: false,
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId()
    },
    ...serverOptionsOf(options.connections),
    forceCloseConnections: 'idle',
    // What still comes over a connection that is there is answered with a notice that the connection ends.
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => {
      const refusal = unreadableAddress()
      request.refusedWith = refusal.code
      // No hook has run.
      setDefaultHeaders(reply as FastifyReply, request.id)
      sendRefusal(reply as FastifyReply, refusal)
    },
  })
  app.server.maxConnections = options.connections.maxConnections
  app.decorateRequest('visitor', null)
  app.decorateRequest('endpointValue', null)
  app.decorateRequest('refusedWith', null)
  app.decorateRequest('startedMs', 0)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.setErrorHandler((error, request, reply) => {
    const refusal = asAuthenticationRefusal(error, request.routeOptions.bodyLimit)
    request.refusedWith = refusal.code
    if ((refusal.code === 'internal_error' || isOutOfRoom(error)) && request.endpointValue)
      options.onError(error, request.endpointValue)
    return sendRefusal(reply, refusal)
  })
  logRequests(app, options)
  for (const value of options.endpoints) {
    if (isUpload(value)) mountUpload(app, value, options)
    else if (value.role !== null) mount(app, value, options)
  }
  for (const plugin of options.plugins) plugin(app)
  answerUnknown(app, options.endpoints)
  return app
}
