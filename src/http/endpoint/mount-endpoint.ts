import type { FastifyInstance } from 'fastify'
import { BODY_LIMIT_BYTES, routeOf } from '../wire/routes.ts'
import type { WorkspaceEndpoint } from './execution.ts'
import type { ServerOptions } from './server-options.ts'
import { beforeBody, withBody } from './steps.ts'

/** Mounts an endpoint whose body is read and validated before it runs. */
export function mountEndpoint(app: FastifyInstance, value: WorkspaceEndpoint, options: ServerOptions): void {
  app.route({
    method: value.method,
    url: routeOf(value),
    exposeHeadRoute: value.method === 'GET',
    bodyLimit: value.bodyLimit ?? BODY_LIMIT_BYTES,
    onRequest: beforeBody(value, options),
    handler: withBody(value, options),
  })
}
