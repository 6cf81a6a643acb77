import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import { createMemoryStore } from '../http/rate-limit/memory-store.ts'
import type { RateLimitStore } from '../http/rate-limit/port.ts'
import type { Log } from '../logging/log.ts'

const CONNECT_MS = 2_000

/** A limiter that is away at the start is met like one that goes away later (spec 7.1). */
async function connectedRedis(url: string, { monotonicMs }: Clock, log: Log): Promise<RateLimitStore> {
  // Loaded only where it is used: so is its client.
  const { createRedisStore } = await import('../http/rate-limit/redis-store.ts')
  const store = createRedisStore(url, {
    monotonicMs,
    onAway: (error) =>
      log.error(
        { err: error },
        'redis connection lost: ordinary requests pass without rate limits, critical ones return 503',
      ),
    onBack: () => log.info('redis connection restored: rate limits work again'),
  })
  await Promise.race([store.connected().catch(() => {}), wait(CONNECT_MS)])
  return store
}

/** Where rate limits are counted: in Redis, shared by all processes, or in this one's memory. */
export const openLimiter = async (
  redisUrl: string | undefined,
  clock: Clock,
  log: Log,
): Promise<RateLimitStore> => (redisUrl ? connectedRedis(redisUrl, clock, log) : createMemoryStore())
