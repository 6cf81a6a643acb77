/**
 * Limits of what is asked for under the API's prefix and no endpoint takes: an unknown path, another method, an address that
 * cannot be read (docs/decisions/rate-limits.md "Requests that no endpoint takes").
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../core/errors.ts'
import { sendRefusal } from './answer.ts'
import { type AuthenticationOptions, findCaller } from './authentication.ts'
import { asFrameworkRefusal } from './framework-refusals.ts'
import { hearOut } from './hear-out.ts'
import { type AddressLimits, limit, limitedByAddress } from './limits.ts'
import { BASE_PATH } from './routes.ts'

export type UnroutedOptions = AuthenticationOptions & AddressLimits

/** What is refused without an endpoint costs what a read does. */
const COST = { bucket: 'reads' } as const

const isOfApi = (url: string): boolean => url.startsWith(`${BASE_PATH}/`)

/** Takes a token of the key that is sent, else of the sending address, and writes the headers. Refuses `rate_limited`. */
export function limitUnrouted(options: UnroutedOptions) {
  const byAddress = limitedByAddress(options, 'keyless')
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const caller = await findCaller(options, request.headers.authorization)
    if (!caller) return byAddress(request, reply)
    request.caller = caller
    await limit(options.limiter, COST, { caller, refusal: undefined }, options.clock.monotonicMs(), reply)
  }
}

/** Builds what answers a request that no reader understands alike, or at all: `refusal`, or that the bucket is empty. */
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
    await hearOut(request)
    sendRefusal(reply, answer)
  }
}
