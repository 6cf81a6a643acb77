/**
 * The log shows when a shared rate limiter becomes unreachable: requests, which then pass without limits,
 * don't show it.
 */
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { findRedisBinary, startRedis } from '../support/redis-server.ts'
import { newInstallation } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const binary = findRedisBinary()
if (binary === undefined)
  console.warn('SKIPPED: no redis-server on this machine, so what is logged of it is NOT tested.')

test.skipIf(binary === undefined)(
  'the log says once that the limiter is unreachable and once that it is back',
  async () => {
    const redis = await startRedis(binary as string)
    const database = await createTestDatabase()
    const installation = await newInstallation({
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      LOG_LEVEL: 'info',
    })
    onTestFinished(async () => {
      await installation.remove()
      await database.drop()
      await redis.kill()
    })
    const server = await installation.start()
    const count = (words: string) => server.output().split(words).length - 1
    await redis.kill()
    await until(() => count('redis connection lost') > 0, 'the log reports that the limiter is gone')
    await redis.start()
    await until(
      () => count('redis connection restored: rate limits work again') > 0,
      'the log reports that the limiter is back',
    )
    expect(count('redis connection lost')).toBe(1)
    expect(count(`connect ECONNREFUSED ${new URL(redis.url).host}`)).toBe(1)
  },
)
