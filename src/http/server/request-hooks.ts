/** Hooks for every request, of the API or not: default headers at its start, a log line at its end. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import type { ServerOptions } from '../endpoint/server-options.ts'
import { setDefaultHeaders } from '../wire/answer-headers.ts'
import { type Caller, callerIdOf } from '../wire/caller.ts'
import { countHosts } from '../wire/connection-bounds.ts'
import { isUnmetExpectation } from '../wire/drain-body.ts'
import { unreadableAddress } from '../wire/framework-refusals.ts'
import { type UnroutedOptions, unroutedRefuser } from './limit-unrouted.ts'

/** Returns whether the path contains NUL, which PostgreSQL can't store, so no route matches. */
function containsNul(url: string): boolean {
  const position = url.indexOf('%00')
  if (position === -1) return false
  const query = url.indexOf('?')
  return query === -1 || position < query
}

type HookOptions = UnroutedOptions & Pick<ServerOptions, 'onRequest'>

/** Returns the refusal of a request with no Host header or several: its host is unclear. */
function hostRefusal({ raw }: FastifyRequest): Refusal | undefined {
  const hosts = countHosts(raw.rawHeaders)
  if (hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0')) return undefined
  const found = hosts === 0 ? 'no Host header' : 'several Host headers'
  return new Refusal('invalid', `The request has ${found}. Send exactly one.`, { issues: [] })
}

/** Returns the refusal of an unsupported expectation (RFC 9110 section 10.1.1). */
function unmetExpectation({ raw }: FastifyRequest): Refusal | undefined {
  if (!isUnmetExpectation(raw)) return undefined
  return new Refusal('invalid', 'The header Expect supports only 100-continue. Leave it out.', {
    issues: [],
    status: 417,
  })
}

/** Handles other expectations than 100-continue here: Node's own response has no body. */
function takeExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/**
 * No route accepts QUERY. Without this type, Fastify fails with an internal error before it finds that out.
 */
function setQueryContentType({ method, headers }: FastifyRequest): void {
  if (method === 'QUERY') headers['content-type'] ??= 'application/json'
}

/** Refuses malformed requests of any route, including those that different parsers could read differently. */
function beginRequests(app: FastifyInstance, options: HookOptions): void {
  const answerUnclear = unroutedRefuser(options)
  app.addHook('onRequest', (request, reply, done) => {
    request.startedMs = options.clock.monotonicMs()
    setDefaultHeaders(reply, request.id)
    setQueryContentType(request)
    const unclear = hostRefusal(request)
    // Later requests on the same connection can't be trusted either.
    if (unclear) reply.header('connection', 'close')
    const refusal =
      unclear ?? unmetExpectation(request) ?? (containsNul(request.url) ? unreadableAddress() : undefined)
    if (refusal) void answerUnclear(request, reply, refusal)
    else done()
  })
}

const callerFields = (caller: Caller) =>
  caller.actor.kind === 'key' ? { keyId: callerIdOf(caller) } : { memberId: callerIdOf(caller) }

function logRequests(app: FastifyInstance, options: HookOptions): void {
  app.addHook('onResponse', (request, reply, done) => {
    const line = {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(((request.streamsSinceMs ?? options.clock.monotonicMs()) - request.startedMs) * 10) / 10,
      ...(request.caller
        ? { workspaceId: request.caller.workspace.id, ...callerFields(request.caller) }
        : {}),
      ...(request.refusedWith ? { error: request.refusedWith } : {}),
    }
    options.onRequest(line, request)
    done()
  })
}

export function addRequestHooks(app: FastifyInstance, options: HookOptions): void {
  takeExpectations(app)
  beginRequests(app, options)
  logRequests(app, options)
}
