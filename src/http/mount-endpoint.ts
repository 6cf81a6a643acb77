import type { FastifyInstance } from 'fastify'
import { type Endpoint, isWrite } from '../core/endpoint.ts'
import { admitRequest } from './admit-request.ts'
import type { Caller } from './authentication.ts'
import { executor } from './execute.ts'
import { keyedRequest } from './idempotency.ts'
import { addressOf, leftBefore, readBody, writeKeyOf } from './request-parts.ts'
import { BODY_LIMIT_BYTES, routeOf } from './routes.ts'
import { sendAnswer } from './send-answer.ts'
import type { ServerOptions } from './server-options.ts'

const NO_BODY = Buffer.alloc(0)

/** An endpoint whose body is read and validated before it runs. */
export function mountEndpoint(app: FastifyInstance, value: Endpoint, options: ServerOptions): void {
  const run = executor(value, options)
  app.route({
    method: value.method,
    url: routeOf(value),
    bodyLimit: value.bodyLimit ?? BODY_LIMIT_BYTES,
    onRequest: admitRequest(value, options),
    handler: async (request, reply) => {
      const bytes = Buffer.isBuffer(request.body) ? request.body : NO_BODY
      const key = writeKeyOf(value, request)
      const answer = await run({
        caller: request.caller as Caller,
        input: { ...addressOf(value, request), body: readBody(value, bytes) as never },
        callerLeft: isWrite(value) && !value.handleOutside ? undefined : leftBefore(reply),
        idempotency: key === undefined ? undefined : keyedRequest(key, value.method, request.url, bytes),
      })
      return sendAnswer(request, reply, answer)
    },
  })
}
