import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Endpoint, isWrite } from '../../core/endpoint.ts'
import type { Caller } from '../wire/caller.ts'
import { BODY_LIMIT_BYTES, routeOf } from '../wire/routes.ts'
import { admitRequest, passGates } from './admit-request.ts'
import { executor } from './execute.ts'
import { keyedRequest } from './idempotency.ts'
import { addressOf, disconnectSignal, readBody, unvalidatedBody, writeKeyOf } from './request-parts.ts'
import { sendAnswer } from './send-answer.ts'
import type { ServerOptions } from './server-options.ts'

const NO_BODY = Buffer.alloc(0)

/**
 * Returns the body of the request that this request repeats. If it repeats none, checks the gates and returns
 * undefined.
 */
async function repeatedBody(
  value: Endpoint,
  request: FastifyRequest,
  options: ServerOptions,
  bytes: Buffer,
): Promise<unknown> {
  if (!value.repeated) return undefined
  const { workspace } = request.caller as Caller
  const { query } = options.database
  const repeated = await value.repeated({ workspace, query, body: unvalidatedBody(bytes) })
  if (repeated === undefined) await passGates(value, request, options)
  return repeated
}

/** Mounts an endpoint whose body is read and validated before it runs. */
export function mountEndpoint(app: FastifyInstance, value: Endpoint, options: ServerOptions): void {
  const run = executor(value, options)
  app.route({
    method: value.method,
    url: routeOf(value),
    exposeHeadRoute: value.method === 'GET',
    bodyLimit: value.bodyLimit ?? BODY_LIMIT_BYTES,
    onRequest: admitRequest(value, options),
    handler: async (request, reply) => {
      const bytes = Buffer.isBuffer(request.body) ? request.body : NO_BODY
      const repeated = value.repeated && (await repeatedBody(value, request, options, bytes))
      const key = writeKeyOf(value, request)
      const answer = await run({
        caller: request.caller as Caller,
        input: { ...addressOf(value, request), body: (repeated ?? readBody(value, bytes, request)) as never },
        callerLeft: isWrite(value) && !value.handleOutside ? undefined : disconnectSignal(reply),
        idempotency: key === undefined ? undefined : keyedRequest(key, value.method, request.url, bytes),
      })
      return sendAnswer(request, reply, answer)
    },
  })
}
