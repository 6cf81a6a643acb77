/** Mounts dashboard endpoints for the caller's account, and the endpoints for signing in. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AccountEndpoint, isWrite, type Reply } from '../../core/endpoint.ts'
import { Refusal, refuse } from '../../core/errors.ts'
import type { SessionContext } from '../../core/session.ts'
import { storableText } from '../../core/values/storable.ts'
import {
  findSession,
  rightsRefusal,
  type SessionEntry,
  type SessionOptions,
} from '../auth/session-authentication.ts'
import { limitBy, senderOf } from '../rate-limit/limits.ts'
import type { RateLimitStore } from '../rate-limit/port.ts'
import { recordRefusal, sendJson, sendRefusal } from '../wire/answer.ts'
import { BODY_LIMIT_BYTES, routeOf } from '../wire/routes.ts'
import { trustedAddress } from '../wire/trusted-address.ts'
import { hasNoBody, refuseCompressed } from './body-headers.ts'
import type { ExecuteOptions } from './execution.ts'
import { writeReplies } from './reply-writer.ts'
import { addressOf, readBody } from './request-parts.ts'

export type SessionServerOptions = SessionOptions &
  ExecuteOptions & { limiter: RateLimitStore; trustProxy: readonly string[] }

const NO_BODY = Buffer.alloc(0)
const MAX_DEVICE_LENGTH = 300

/** Returns the origin of a request as pages show it; the device is cut to a readable length. */
export const originOf = (request: FastifyRequest, trustProxy: readonly string[]) => ({
  address: trustedAddress(request.raw, trustProxy),
  device: storableText(request.headers['user-agent'] ?? '').slice(0, MAX_DEVICE_LENGTH),
})

/** Admits or refuses a caller before the server reads any of the body. */
const enter =
  (value: AccountEndpoint, options: SessionServerOptions) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.endpointValue = value
    if (hasNoBody(request)) delete request.headers['content-type']
    reply.header('cache-control', 'no-store')
    if (request.headers.authorization !== undefined)
      refuse('unauthorized', "API keys can't use this endpoint. Sign in to the dashboard.")
    const entry = await sessionOf(value, options, request, reply)
    if (!entry && value.role !== null) refuse('unauthorized', 'Sign in first.')
    request.signedIn = entry?.signedIn ?? null
    const sender = senderOf(trustedAddress(request.raw, options.trustProxy))
    if (value.bucket) await limitBy(options, value.bucket, request.signedIn?.accountId ?? sender, reply)
    if (entry && value.role !== null) refuseWithoutRights(value, entry, options)
    if (isWrite(value)) refuseCompressed(request)
  }

/**
 * Refuses a caller without the rights. The workspace's own requirements don't apply to `viewer` endpoints of
 * the caller's account, where members set up a second factor.
 */
function refuseWithoutRights(
  value: AccountEndpoint,
  entry: SessionEntry,
  { clock }: SessionServerOptions,
): void {
  const refusal =
    (value.role === 'viewer' ? undefined : entry.refusal) ?? rightsRefusal(value, entry.signedIn, clock.now())
  if (refusal) throw refusal
}

/**
 * Returns the session. Signing in must also work with an ended session, or after too many unknown sessions.
 */
async function sessionOf(
  value: AccountEndpoint,
  options: SessionServerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  try {
    return await findSession(options, value, request, reply)
  } catch (error) {
    const isOver =
      error instanceof Refusal && ['session_ended', 'not_a_member', 'rate_limited'].includes(error.code)
    if (value.role === null && isOver) return undefined
    throw error
  }
}

function contextOf(
  value: AccountEndpoint,
  options: SessionServerOptions,
  request: FastifyRequest,
): SessionContext {
  return {
    signedIn: request.signedIn,
    origin: originOf(request, options.trustProxy),
    sender: senderOf(trustedAddress(request.raw, options.trustProxy)),
    now: options.clock.now(),
    siteUrl: options.site.url,
    sealer: options.sealer,
    outside: options.outside,
    transaction: options.database.system,
    workspace: options.directory.workspace,
    afterwards: (work) => void work.catch((error: unknown) => options.onError(error, value)),
  }
}

/** Builds the function that sends answers as the endpoint declares them. */
function sender(value: AccountEndpoint, options: SessionServerOptions) {
  const textOf = writeReplies(value, options.checkReplies)
  return (result: Reply, reply: FastifyReply) => {
    const text = textOf(result)
    const { status, session } = result
    if (session !== undefined) reply.header('set-cookie', options.site.cookieOf(session, options.clock.now()))
    return status === 204 ? reply.code(204).send() : sendJson(reply, status, text)
  }
}

/** Mounts an endpoint about the caller's account. */
export function mountAccountEndpoint(
  app: FastifyInstance,
  value: AccountEndpoint,
  options: SessionServerOptions,
): void {
  const send = sender(value, options)
  app.route({
    method: value.method,
    url: routeOf(value),
    exposeHeadRoute: value.method === 'GET',
    bodyLimit: value.bodyLimit ?? BODY_LIMIT_BYTES,
    onRequest: enter(value, options),
    handler: async (request, reply) => {
      const input = {
        ...addressOf(value, request),
        body: readBody(value, Buffer.isBuffer(request.body) ? request.body : NO_BODY, request) as never,
      }
      try {
        return send(await value.handle(contextOf(value, options, request), input), reply)
      } catch (error) {
        return sendRefusal(
          reply,
          recordRefusal(request, error, (fault) => options.onError(fault, value)),
        )
      }
    },
  })
}
