import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { BucketName } from '../../core/buckets.ts'
import type { Clock } from '../../core/clock.ts'
import type { KeyActor } from '../../core/context.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import { Refusal, refuse } from '../../core/errors.ts'
import type { Caller } from '../wire/caller.ts'
import { trustedAddress } from '../wire/trusted-address.ts'
import { LimiterUnavailable, type RateLimitStore, type Take, type Verdict } from './port.ts'
import { takesFor } from './takes.ts'

/** Retry-After of critical calls while the limiter is unreachable. */
const LIMITER_RETRY_SECONDS = 5

/** An authenticated request before the rate limit, perhaps already refused. */
export type Entry = { caller: Caller; refusal: Refusal | undefined }

/**
 * Takes the request's tokens and writes the headers of the bucket closest to empty (spec 8.1). An entry that
 * already failed costs a token and is thrown here, with the headers. While the limiter is unreachable,
 * ordinary calls continue without headers, and critical calls fail (spec 7.1).
 */
export async function limit(
  store: RateLimitStore,
  value: Pick<Endpoint, 'bucket' | 'critical'>,
  { caller, refusal }: Entry,
  nowMs: number,
  reply: FastifyReply,
): Promise<void> {
  if (!value.bucket) {
    if (refusal) throw refusal
    return
  }
  const takes = takesOf(value.bucket, caller)
  // Critical calls always ask the limiter, and never use the buckets remembered in this process.
  const verdict = await requestVerdict(store, takes, nowMs, value.critical)
  if (verdict === undefined) {
    if (refusal) throw refusal
    if (value.critical)
      refuse(
        'rate_limiter_unavailable',
        "The rate limiter can't be reached. Actions that cost money or can't be undone are paused. Try again later.",
        {
          retryAfterSeconds: LIMITER_RETRY_SECONDS,
        },
      )
    return
  }
  writeHeaders(reply, verdict)
  if (refusal) throw refusal
  refuseEmpty(verdict)
}

/**
 * Caches the buckets of each key, because building and hashing their names for each request is slow. The
 * directory makes a new key object when the workspace gets another key.
 */
const takesOfKeys = new WeakMap<KeyActor, Map<BucketName, Take[]>>()

/**
 * Returns the buckets of a caller. API keys share the workspace's bucket, and each has its own if there are
 * several; each member has a separate bucket.
 */
function takesOf(bucket: BucketName, { workspace, actor, severalKeys }: Caller): Take[] {
  if (actor.kind === 'member') return takesFor(bucket, `${workspace.id}/${actor.memberId}`)
  const takesByBucket = takesOfKeys.get(actor)
  const existing = takesByBucket?.get(bucket)
  if (existing) return existing
  const takes = takesFor(bucket, workspace.id, severalKeys ? actor.keyId : undefined)
  takesOfKeys.set(actor, (takesByBucket ?? new Map<BucketName, Take[]>()).set(bucket, takes))
  return takes
}

export type AddressLimits = { limiter: RateLimitStore; clock: Clock; trustProxy: readonly string[] }

/**
 * Builds a hook that takes a token of `bucket` for the client address (for IPv6, the /64), on routes without
 * a key (spec 8.1). It runs before the body is read, so oversized bodies count too.
 */
export const limitedByAddress =
  (limits: AddressLimits, bucket: BucketName) =>
  (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    limitBy(limits, bucket, senderOf(trustedAddress(request.raw, limits.trustProxy)), reply)

/** Takes a token of `bucket` of `owner`. While the limiter is unreachable, calls continue without headers. */
export async function limitBy(
  { limiter, clock }: Pick<AddressLimits, 'limiter' | 'clock'>,
  bucket: BucketName,
  owner: string,
  reply: FastifyReply,
): Promise<void> {
  const verdict = await requestVerdict(limiter, takesFor(bucket, owner), clock.monotonicMs())
  if (verdict === undefined) return
  writeHeaders(reply, verdict)
  refuseEmpty(verdict)
}

const IPV6_SENDER_BITS = 64

/**
 * Returns the sender of an address. For IPv6, this is the /64: a sender owns the whole network and may use
 * any of its addresses.
 */
export const senderOf = (address: string): string =>
  ipaddr.IPv6.isValid(address)
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${IPV6_SENDER_BITS}`)}/${IPV6_SENDER_BITS}`
    : address

/** Returns the verdict of the limiter; undefined while it is unreachable. */
async function requestVerdict(
  store: RateLimitStore,
  takes: Take[],
  nowMs: number,
  exact?: boolean,
): Promise<Verdict | undefined> {
  try {
    const verdict = store.take(takes, nowMs, exact)
    return verdict instanceof Promise ? await verdict : verdict
  } catch (error) {
    if (!(error instanceof LimiterUnavailable)) throw error
    return undefined
  }
}

function writeHeaders(reply: FastifyReply, verdict: Verdict): void {
  reply.header('ratelimit-limit', verdict.limit)
  reply.header('ratelimit-remaining', verdict.remaining)
  reply.header('ratelimit-reset', verdict.resetSeconds)
}

export const rateLimited = (retryAfterSeconds: number): Refusal =>
  new Refusal('rate_limited', `Too many requests. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })

function refuseEmpty(verdict: Verdict): void {
  if (!verdict.allowed) throw rateLimited(verdict.retryAfterSeconds)
}
