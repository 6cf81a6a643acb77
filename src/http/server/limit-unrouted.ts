/**
 * Limits requests under the API's prefix that match no endpoint: an unknown path, another method, or an
 * unreadable address (docs/decisions/rate-limits.md "Requests that match no endpoint").
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../../core/errors.ts'
import { type AuthenticationOptions, findCaller } from '../auth/authentication.ts'
import { type AddressLimits, limit, limitedByAddress } from '../rate-limit/limits.ts'
import { sendRefusal } from '../wire/answer.ts'
import { drainBody } from '../wire/drain-body.ts'
import { asFrameworkRefusal } from '../wire/framework-refusals.ts'
import { BASE_PATH } from '../wire/routes.ts'

export type UnroutedOptions = AuthenticationOptions & AddressLimits

/** A request without an endpoint costs as much as a read. */
const COST = { bucket: 'reads' } as const

const isOfApi = (url: string): boolean => url.startsWith(`${BASE_PATH}/`)

/**
 * Takes a token from the bucket of the key, or of the client address, and writes the headers. Refuses
 * `rate_limited`.
 */
export function limitUnrouted(options: UnroutedOptions) {
  const byAddress = limitedByAddress(options, 'keyless')
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const caller = await findCaller(options, request.headers.authorization)
    if (!caller) return byAddress(request, reply)
    request.caller = caller
    await limit(options.limiter, COST, { caller, refusal: undefined }, options.clock.monotonicMs(), reply)
  }
}

/**
 * Builds the handler for malformed requests, including those that different parsers could read differently.
 * It answers with `refusal`, or with `rate_limited` if the bucket is empty.
 */
export function unroutedRefuser(options: UnroutedOptions) {
  const limited = limitUnrouted(options)
  return async (request: FastifyRequest, reply: FastifyReply, refusal: Refusal): Promise<void> => {
    let answer = refusal
    try {
      if (isOfApi(request.url)) await limited(request, reply)
    } catch (error) {
      answer = asFrameworkRefusal(error)
    }
    request.refusedWith = answer.code
    await drainBody(request)
    sendRefusal(reply, answer)
  }
}
