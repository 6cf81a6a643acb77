import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../core/endpoint.ts'
import { Refusal } from '../core/errors.ts'
import { sendRefusal } from './answer.ts'
import { routeOf } from './routes.ts'

/** Unknown paths are 404; a known path with another method is 405 and names those that it has. */
export function answerUnknownRoutes(app: FastifyInstance, endpoints: Endpoint[]): void {
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
