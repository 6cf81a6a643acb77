import type { BucketName } from '../../core/buckets.ts'
import { BUCKETS } from '../../core/buckets.ts'
import type { Take } from './port.ts'

/** Returns half of a bucket: half its size (rounded down, at least one) at half its speed. */
export function halfTaken(take: Take): Take {
  return { ...take, burst: Math.max(1, Math.floor(take.burst / 2)), perSeconds: take.perSeconds * 2 }
}

/**
 * Returns the buckets of a request. `owner` is the workspace ID (or the client address, for a lead-capture
 * link). `keyId` is given only if the workspace has several keys: each may then use at most half (spec 8.1,
 * rule 1).
 */
export function takesFor(bucket: BucketName, owner: string, keyId?: string): Take[] {
  const whole = { key: `{${owner}}:${bucket}`, ...BUCKETS[bucket] }
  return keyId === undefined ? [whole] : [whole, { ...halfTaken(whole), key: `${whole.key}:${keyId}` }]
}
