import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { sendRefusal } from './answer.ts'
import { limitUnrouted } from './limit-unrouted.ts'
import { BASE_PATH, routeOf } from './routes.ts'
import type { ServerOptions } from './server-options.ts'

/** `docs` of `/docs/start.js`. */
const firstPart = (path: string): string => path.split('/')[1] ?? ''

/** The first parts of the addresses that routes own, as they are added from here on. */
export function collectOwnedParts(app: FastifyInstance): Set<string> {
  const owned = new Set<string>()
  app.addHook('onRoute', ({ url }) => {
    const part = firstPart(url)
    if (part !== '' && !/[:*]/.test(part)) owned.add(part)
  })
  return owned
}

/**
 * Whether a page may be what is asked for: nothing of ours stands at its address or above it. A first part alone that is no
 * route, as of `/sign-in/{token}`, is free. No page begins with two slashes: what does is the address of something else.
 */
function mayBePage({ method, url }: FastifyRequest, owned: Set<string>): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const path = url.split('?')[0] ?? ''
  const first = firstPart(path)
  if (path.startsWith('//')) return false
  return first !== 'api' && (!owned.has(first) || path === `/${first}`)
}

/**
 * Unknown paths are the dashboard's page, or 404; a known path with another method is 405 and names those that it has. Under the
 * API's prefix they are limited.
 */
export function answerUnknownRoutes(app: FastifyInstance, options: ServerOptions, owned: Set<string>): void {
  const answer = unknownRouteHandler(options, owned)
  app.setNotFoundHandler(answer)
  // The hook is of this scope alone: no endpoint runs it.
  app.register(
    async (scope) => {
      scope.addHook('onRequest', limitUnrouted(options))
      scope.setNotFoundHandler(answer)
    },
    { prefix: BASE_PATH },
  )
}

function unknownRouteHandler({ endpoints, page }: ServerOptions, owned: Set<string>) {
  const patterns = endpoints.map((value) => ({
    methods: value.method === 'GET' ? ['GET', 'HEAD'] : [value.method],
    pattern: new RegExp(`^${routeOf(value).replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}/?$`),
  }))
  return (request: FastifyRequest, reply: FastifyReply): unknown => {
    if (page && mayBePage(request, owned)) return page(request, reply)
    const path = request.url.split('?')[0] ?? ''
    const methods = [
      ...new Set(patterns.filter((one) => one.pattern.test(path)).flatMap((one) => one.methods)),
    ]
    if (methods.length === 0) {
      request.refusedWith = 'not_found'
      return sendRefusal(
        reply,
        new Refusal('not_found', `No endpoint at ${request.method} ${path}. See /docs for the endpoints.`),
      )
    }
    request.refusedWith = 'method_not_allowed'
    reply.header('allow', methods.join(', '))
    return sendRefusal(
      reply,
      new Refusal(
        'method_not_allowed',
        `${path} does not take ${request.method}. Use ${methods.join(' or ')}.`,
      ),
    )
  }
}
