/** Builds the Fastify instance that serves the endpoints of the catalog. */
import Fastify, {
  type FastifyContentTypeParser,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import { newId } from '../../core/ids.ts'
import { mountAccountEndpoint } from '../endpoint/mount-account-endpoint.ts'
import { mountEndpoint } from '../endpoint/mount-endpoint.ts'
import type { ServerOptions } from '../endpoint/server-options.ts'
import { mountUpload } from '../upload/mount-upload.ts'
import { sendRefusal, shouldLog } from '../wire/answer.ts'
import { setDefaultHeaders } from '../wire/answer-headers.ts'
import { boundConnections, HEAD_BYTES, serverOptionsOf } from '../wire/connection-bounds.ts'
import { drainBody, isLast } from '../wire/drain-body.ts'
import { asFrameworkRefusal, unreadableAddress, wrongMediaType } from '../wire/framework-refusals.ts'
import { boundPipelining } from '../wire/pipelining.ts'
import { BODY_LIMIT_BYTES } from '../wire/routes.ts'
import { unroutedRefuser } from './limit-unrouted.ts'
import { addRequestHooks } from './request-hooks.ts'
import { answerUnknownRoutes } from './unknown-routes.ts'

const REQUEST_ID = /^[\w.:-]{1,128}$/

/**
 * Fields and replies use zod. This replaces Fastify's own schema compilers, which would otherwise be loaded
 * for nothing.
 */
const noSchemas = (): never => {
  throw new Error('A route with a schema of Fastify: declare its fields by zod.')
}

const fastifyOptions = (options: ServerOptions) =>
  ({
    logger: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Each of the hundreds of routes would have a timer, and none waits for anything.
    pluginTimeout: 0,
    bodyLimit: BODY_LIMIT_BYTES,
    exposeHeadRoutes: false,
    // Addresses of any length reach the endpoint, which answers that the name doesn't exist.
    routerOptions: { maxParamLength: HEAD_BYTES, ignoreTrailingSlash: true },
    requestIdHeader: false,
    genReqId: (request) => {
      const header = request.headers['x-request-id']
      return typeof header === 'string' && REQUEST_ID.test(header) ? header : newId()
    },
    ...serverOptionsOf(options.connections, options.siteUrl),
    forceCloseConnections: 'idle',
    // During the shutdown, requests on open connections are still answered, with a header that announces the
    // close.
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => {
      // Fastify ran no hooks for this request.
      setDefaultHeaders(reply as FastifyReply, request.id)
      void unroutedRefuser(options)(request as FastifyRequest, reply as FastifyReply, unreadableAddress())
    },
  }) satisfies FastifyServerOptions

/** Declares the request fields at the start, so that all requests have the same shape. */
function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest('caller', null)
  app.decorateRequest('signedIn', null)
  app.decorateRequest('endpointValue', null)
  app.decorateRequest('refusedWith', null)
  app.decorateRequest('startedMs', 0)
  app.decorateRequest('streamsSinceMs', undefined)
  app.decorateRequest('typeAssumed', false)
}

/** Bodies arrive as bytes, and the endpoint parses them. */
function takeBodiesAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.addContentTypeParser('*', refuseUnlessEmpty)
}

/** An empty chunked body has no type to be wrong: some proxies send requests without a body this way. */
const refuseUnlessEmpty: FastifyContentTypeParser = (request, payload, done) => {
  if (request.is404) return done(null)
  if (request.headers['transfer-encoding'] === undefined) return done(wrongMediaType())
  const refuse = () => {
    payload.off('end', accept)
    done(wrongMediaType())
  }
  const accept = () => done(null)
  payload.once('data', refuse).once('end', accept)
}

/** Refusals that may be sent while the body still arrives. */
const REFUSED_UNREAD = new Set(['payload_too_large', 'unsupported_media_type'])

function answerErrors(app: FastifyInstance, { onError }: Pick<ServerOptions, 'onError'>): void {
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = asFrameworkRefusal(error, request.routeOptions.bodyLimit)
    request.refusedWith = refusal.code
    if (shouldLog(refusal, error) && request.endpointValue) onError(error, request.endpointValue)
    // Fastify would close the connection. It closes only during the shutdown, or when the client asked for
    // it.
    if (REFUSED_UNREAD.has(refusal.code) && app.server.listening && !isLast(request.raw))
      reply.removeHeader('connection')
    await drainBody(request)
    return sendRefusal(reply, refusal)
  })
}

/** Builds the server; the caller starts listening. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const app = Fastify(fastifyOptions(options))
  boundConnections(app.server, options.connections, options.onTurnedAway)
  boundPipelining(app.server)
  app.decorate('siteUrl', options.siteUrl)
  decorateRequests(app)
  takeBodiesAsBytes(app)
  answerErrors(app, options)
  addRequestHooks(app, options)
  for (const value of options.endpoints) {
    if (value.kind === 'account') mountAccountEndpoint(app, value, options)
    else if (value.kind === 'upload') mountUpload(app, value, options)
    else if (value.kind !== 'unmounted') mountEndpoint(app, value, options)
  }
  for (const plugin of options.plugins) plugin(app)
  answerUnknownRoutes(app, options)
  return app
}
