import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import type { ServerOptions } from '../endpoint/server-options.ts'
import { sendRefusal } from '../wire/answer.ts'
import { BASE_PATH, routeOf } from '../wire/routes.ts'
import { limitUnrouted } from './limit-unrouted.ts'

/**
 * Answers requests without a route: dashboard addresses get the page, a known path with another method gets
 * 405 and its methods, other paths get 404. Under the API's prefix, these requests are rate-limited.
 */
export function answerUnknownRoutes(app: FastifyInstance, options: ServerOptions): void {
  const answer = unknownRouteHandler(options)
  app.setNotFoundHandler(answer)
  // The hook belongs to this scope only, so no endpoint runs it.
  app.register(
    async (scope) => {
      scope.addHook('onRequest', limitUnrouted(options))
      scope.setNotFoundHandler(answer)
    },
    { prefix: BASE_PATH },
  )
}

const isMistyped = (path: string, accept: string | undefined): boolean =>
  /^\/w\/[^/]+\/./.test(path) && (accept ?? '').includes('text/html')

const patternsOf = (endpoints: ServerOptions['endpoints']) =>
  endpoints.map((value) => ({
    methods: value.method === 'GET' ? ['GET', 'HEAD'] : [value.method],
    pattern: new RegExp(`^${routeOf(value).replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}/?$`),
  }))

function unknownRouteHandler({ endpoints, page }: ServerOptions) {
  // Made for the first request without a route, not at the start.
  let patterns: ReturnType<typeof patternsOf> | undefined
  return (request: FastifyRequest, reply: FastifyReply): unknown => {
    const path = request.url.split('?')[0] ?? ''
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (page?.isAt(path) && isRead) return page.send(request, reply)
    // A browser at a mistyped workspace address gets the dashboard, which shows that the page doesn't exist.
    if (page && isRead && isMistyped(path, request.headers.accept)) {
      request.refusedWith = 'not_found'
      return page.send(request, reply.code(404))
    }
    patterns ??= patternsOf(endpoints)
    const methods = [
      ...new Set(patterns.filter((route) => route.pattern.test(path)).flatMap((route) => route.methods)),
    ]
    if (methods.length === 0) {
      request.refusedWith = 'not_found'
      return sendRefusal(
        reply,
        new Refusal(
          'not_found',
          `There is no endpoint ${request.method} ${path}. See /docs for the endpoints.`,
        ),
      )
    }
    request.refusedWith = 'method_not_allowed'
    reply.header('allow', methods.join(', '))
    return sendRefusal(
      reply,
      new Refusal(
        'method_not_allowed',
        `${path} doesn't support ${request.method}. Use ${methods.join(' or ')}.`,
      ),
    )
  }
}
