import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, isWrite } from '../../core/endpoint.ts'
import { refuse } from '../../core/errors.ts'
import { admit } from '../auth/authentication.ts'
import { admitMember, usesSession } from '../auth/session-authentication.ts'
import { limit } from '../rate-limit/limits.ts'
import type { Caller } from '../wire/caller.ts'
import { trustedAddress } from '../wire/trusted-address.ts'
import type { ServerOptions } from './server-options.ts'

/** Returns whether the request has no body. Then its content type doesn't matter. */
export const hasNoBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'

/** Default types of `curl -d` and some HTTP clients, sent when the developer chose no type. */
const UNCHOSEN = /^(?:text\/plain|application\/x-www-form-urlencoded)\b/i

/**
 * Reads a body without a type, or with a client's default type, as JSON. A body that isn't JSON gets the
 * error about its type. Only for API keys: browsers send these types from any site.
 */
function assumeJson(request: FastifyRequest): void {
  const type = request.headers['content-type']
  if (type !== undefined && !UNCHOSEN.test(type)) return
  request.headers['content-type'] = 'application/json'
  request.typeAssumed = true
}

/** Refuses a body with a compressed encoding: the server decompresses no bodies. */
export function refuseCompressed({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  if (encoding && encoding !== 'identity') refuse('unsupported_media_type', 'Send the body uncompressed.')
}

/**
 * Checks the endpoint's gates (the workspace's requirements besides the plan), and throws when a check fails.
 */
export async function passGates(value: Endpoint, request: FastifyRequest, options: ServerOptions) {
  const context = {
    workspace: (request.caller as Caller).workspace,
    query: options.database.query,
    params: (request.params ?? {}) as Record<string, string>,
  }
  for (const gate of value.gates ?? []) await gate.check(context)
}

/** Builds the hook that admits or refuses a caller before the server reads any of the body. */
export const admitRequest =
  (value: Endpoint, options: ServerOptions) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.endpointValue = value
    if (hasNoBody(request)) delete request.headers['content-type']
    const entry = usesSession(value, request, options.site)
      ? await admitMember(options, value, request, reply)
      : await admit(options, value, {
          authorization: request.headers.authorization,
          address: trustedAddress(request.raw, options.trustProxy),
        })
    request.caller = entry.caller
    await limit(options.limiter, value, entry, options.clock.monotonicMs(), reply)
    if (value.sandboxOnly && !entry.caller.workspace.sandbox)
      refuse('not_found', 'This endpoint exists only in a sandbox workspace.')
    if (value.gates && !value.repeated) await passGates(value, request, options)
    if (isWrite(value)) refuseCompressed(request)
    if (value.body && !value.upload && request.headers.authorization !== undefined && !hasNoBody(request))
      assumeJson(request)
  }
