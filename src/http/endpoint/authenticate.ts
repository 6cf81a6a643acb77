import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../core/endpoint.ts'
import { refuse } from '../../core/errors.ts'
import { admit } from '../auth/authentication.ts'
import { admitMember, usesSession } from '../auth/session-authentication.ts'
import type { Entry } from '../rate-limit/limits.ts'
import type { Caller } from '../wire/caller.ts'
import { trustedAddress } from '../wire/trusted-address.ts'
import type { ServerOptions } from './server-options.ts'

/** Finds the caller by session or API key. A caller without the rights is returned with the refusal. */
export const authenticate = (
  value: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServerOptions,
): Promise<Entry> =>
  usesSession(value, request, options.site)
    ? admitMember(options, value, request, reply)
    : admit(options, value, {
        authorization: request.headers.authorization,
        address: trustedAddress(request.raw, options.trustProxy),
      })

/** Hides the sandbox's endpoints from other workspaces. */
export function requireSandbox({ sandboxOnly }: Endpoint, { workspace }: Caller): void {
  if (sandboxOnly && !workspace.sandbox)
    refuse('not_found', 'This endpoint exists only in a sandbox workspace.')
}
