import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import { createMemoryStore } from '../http/rate-limit/memory-store.ts'
import type { RateLimitStore } from '../http/rate-limit/port.ts'
import type { Log } from '../logging/log.ts'

const CONNECT_MS = 2_000

/** Connects to Redis. An outage at the start is handled like a later one (spec 7.1). */
async function connectRedis(url: string, { monotonicMs }: Clock, log: Log): Promise<RateLimitStore> {
  // Loaded on use, with its client.
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

/** Opens the store of rate limits: Redis, shared by all processes, or this process's memory. */
export const openLimiter = async (
  redisUrl: string | undefined,
  clock: Clock,
  log: Log,
): Promise<RateLimitStore> => (redisUrl ? connectRedis(redisUrl, clock, log) : createMemoryStore())
