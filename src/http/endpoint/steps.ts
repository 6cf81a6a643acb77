/**
 * The steps of a request to a workspace's endpoint, in order. Before them, the server admits the connection
 * (wire/connection-bounds.ts) and the request (server/request-hooks.ts). Uploads have their own body step
 * (upload/mount-upload.ts); endpoints of accounts have mount-account-endpoint.ts.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isWrite } from '../../core/endpoint.ts'
import { limit } from '../rate-limit/limits.ts'
import type { Caller } from '../wire/caller.ts'
import { authenticate, requireSandbox } from './authenticate.ts'
import { hasNoBody, readBodyHeaders } from './body-headers.ts'
import { executor } from './execute.ts'
import type { WorkspaceEndpoint } from './execution.ts'
import { passGates } from './gates.ts'
import { keyedRequest } from './idempotency.ts'
import { findsRepeated, repeatedBody } from './repeated-body.ts'
import { addressOf, disconnectSignal, readBody, writeKeyOf } from './request-parts.ts'
import { sendAnswer } from './send-answer.ts'
import type { ServerOptions } from './server-options.ts'

const NO_BODY = Buffer.alloc(0)

/** Authentication, limits, and gates: admits or refuses a caller before the server reads any of the body. */
export const beforeBody =
  (value: WorkspaceEndpoint, options: ServerOptions) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.endpointValue = value
    if (hasNoBody(request)) delete request.headers['content-type']
    const entry = await authenticate(value, request, reply, options)
    request.caller = entry.caller
    await limit(options.limiter, value, entry, options.clock.monotonicMs(), reply)
    requireSandbox(value, entry.caller)
    if (value.gates && !findsRepeated(value)) await passGates(value, entry.caller, request.params, options)
    readBodyHeaders(value, request)
  }

/** Body, validation, execution, and reply. */
export function withBody(value: WorkspaceEndpoint, options: ServerOptions) {
  const execute = executor(value, options)
  const mayRepeat = findsRepeated(value)
  const stopsWithCaller = !isWrite(value) || value.kind === 'outside'
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : NO_BODY
    const repeated = mayRepeat ? await repeatedBody(value, request, bytes, options) : undefined
    const key = writeKeyOf(value, request)
    const answer = await execute({
      caller: request.caller as Caller,
      input: { ...addressOf(value, request), body: (repeated ?? readBody(value, bytes, request)) as never },
      callerLeft: stopsWithCaller ? disconnectSignal(reply) : undefined,
      idempotency: key === undefined ? undefined : keyedRequest(key, value.method, request.url, bytes),
    })
    return sendAnswer(request, reply, answer)
  }
}
