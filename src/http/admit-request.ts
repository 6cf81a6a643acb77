import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, isWrite } from '../core/endpoint.ts'
import { refuse } from '../core/errors.ts'
import { admit, type Caller } from './authentication.ts'
import { limit } from './limits.ts'
import type { ServerOptions } from './server-options.ts'
import { admitMember, comesBySession } from './session-authentication.ts'
import { trustedAddress } from './trusted-address.ts'

/** Whether nothing follows the head of a request: then it does not matter of which type it would have been. */
export const bringsNothing = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'

/** Types that programs send when nobody told them one: `curl -d` and some HTTP clients. */
const UNCHOSEN = /^(?:text\/plain|application\/x-www-form-urlencoded)\b/i

/**
 * Reads a body without a type, or with one that nobody chose, as JSON. A body that isn't JSON is refused for its type. Only for API keys: a
 * browser sends these types from any site.
 */
function assumeJson(request: FastifyRequest): void {
  const type = request.headers['content-type']
  if (type !== undefined && !UNCHOSEN.test(type)) return
  request.headers['content-type'] = 'application/json'
  request.typeAssumed = true
}

/** Refuses a body that is said to be compressed: none is unpacked. */
export function refuseCompressed({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  if (encoding && encoding !== 'identity') refuse('unsupported_media_type', 'Send the body uncompressed.')
}

/** Refuses where the workspace lacks what the endpoint needs besides the plan. */
export async function passGates(value: Endpoint, request: FastifyRequest, options: ServerOptions) {
  const at = {
    workspace: (request.caller as Caller).workspace,
    query: options.database.query,
    params: (request.params ?? {}) as Record<string, string>,
  }
  for (const gate of value.gates ?? []) await gate.check(at)
}

/** Builds the hook that lets a caller in, or refuses: before any of the body is read. */
export const admitRequest =
  (value: Endpoint, options: ServerOptions) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.endpointValue = value
    if (bringsNothing(request)) delete request.headers['content-type']
    const entry = comesBySession(value, request, options.site)
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
    if (value.body && !value.upload && request.headers.authorization !== undefined && !bringsNothing(request))
      assumeJson(request)
  }
