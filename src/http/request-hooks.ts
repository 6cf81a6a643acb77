/** What happens to every request, of the API or not: its default headers when it begins, its line in the log when it ends. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { setDefaultHeaders } from './answer-headers.ts'
import { type Caller, callerIdOf } from './authentication.ts'
import { countHosts } from './connection-bounds.ts'
import { unreadableAddress } from './framework-refusals.ts'
import { isUnmet } from './hear-out.ts'
import { type UnroutedOptions, unroutedRefuser } from './limit-unrouted.ts'
import type { ServerOptions } from './server-options.ts'

/** Whether a part of the path is text that PostgreSQL cannot hold: no route has anything by that name. */
function holdsNul(url: string): boolean {
  const at = url.indexOf('%00')
  if (at === -1) return false
  const query = url.indexOf('?')
  return query === -1 || at < query
}

type HookOptions = UnroutedOptions & Pick<ServerOptions, 'onRequest'>

/** Why nobody can say which host the request is for. */
function unclearHost({ raw }: FastifyRequest): Refusal | undefined {
  const hosts = countHosts(raw.rawHeaders)
  if (hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0')) return undefined
  const found = hosts === 0 ? 'no Host header' : 'several Host headers'
  return new Refusal('invalid', `The request has ${found}. Send exactly one.`, { issues: [] })
}

/** Why the request cannot be handled as it expects (RFC 9110 section 10.1.1). */
function unmetExpectation({ raw }: FastifyRequest): Refusal | undefined {
  if (!isUnmet(raw)) return undefined
  return new Refusal('invalid', 'The header Expect supports only 100-continue. Leave it out.', {
    issues: [],
    status: 417,
  })
}

/** Node would answer other expectations than 100-continue by itself, without a body. */
function takeExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** No route takes a QUERY. Fastify would refuse one for its missing type before it finds that, and as a fault of ours. */
function giveQueryAType({ method, headers }: FastifyRequest): void {
  if (method === 'QUERY') headers['content-type'] ??= 'application/json'
}

/** Refuses what no reader understands alike, whatever its route. */
function beginRequests(app: FastifyInstance, options: HookOptions): void {
  const answerUnclear = unroutedRefuser(options)
  app.addHook('onRequest', (request, reply, done) => {
    request.startedMs = options.clock.monotonicMs()
    setDefaultHeaders(reply, request.id)
    giveQueryAType(request)
    const unclear = unclearHost(request)
    // What else comes over the connection is no more to be trusted.
    if (unclear) reply.header('connection', 'close')
    const refusal =
      unclear ?? unmetExpectation(request) ?? (holdsNul(request.url) ? unreadableAddress() : undefined)
    if (refusal) void answerUnclear(request, reply, refusal)
    else done()
  })
}

const whoIn = (caller: Caller) =>
  caller.actor.kind === 'key' ? { keyId: callerIdOf(caller) } : { memberId: callerIdOf(caller) }

function logRequests(app: FastifyInstance, options: HookOptions): void {
  app.addHook('onResponse', (request, reply, done) => {
    options.onRequest({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(((request.streamsSinceMs ?? options.clock.monotonicMs()) - request.startedMs) * 10) / 10,
      ...(request.caller ? { workspaceId: request.caller.workspace.id, ...whoIn(request.caller) } : {}),
      ...(request.refusedWith ? { error: request.refusedWith } : {}),
    })
    done()
  })
}

export function addRequestHooks(app: FastifyInstance, options: HookOptions): void {
  takeExpectations(app)
  beginRequests(app, options)
  logRequests(app, options)
}
