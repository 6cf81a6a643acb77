/** G16: measures the accuracy of the limiter across two processes, and its cost for a send. */
import { BUCKETS } from '../../src/core/buckets.ts'
import { findRedisBinary, startRedis } from '../../test/support/redis-server.ts'
import type { Arena } from '../ground/arena.ts'
import { getRequest } from '../ground/requests.ts'
import { alternate } from '../ground/rounds.ts'
import { makeLoad, type Service, startService } from '../ground/service.ts'
import type { Figure, Ledger } from '../report.ts'
import { makeShops } from '../seeds/shops.ts'
import { seedSends } from './g1-sends.ts'
import type { Goal } from './goal.ts'

const CONNECTIONS = 64
const TARGET_PERCENT = 5

/** Two processes share one bucket, both loaded as fast as they answer. */
async function overAdmission(arena: Arena, redisUrl: string): Promise<Figure> {
  const database = await arena.database('g16_exact')
  const [shop] = await makeShops(database, 1, 'pro')
  const start = () => startService(arena, database, { roles: 'web', env: { REDIS_URL: redisUrl } })
  const services = [await start(), await start()]
  const loads = [makeLoad(arena), makeLoad(arena)]
  const templates = [getRequest('/phone-numbers', shop!.apiKey)]
  const results = await Promise.all(
    loads.map((load, i) =>
      load.run({ port: services[i]!.port, connections: 8, seconds: arena.quick ? 3 : 10, templates }),
    ),
  )
  for (const service of [...services, ...loads]) await service.stop()
  const sum = (read: (result: (typeof results)[number]) => number) =>
    results.reduce((total, result) => total + read(result), 0)
  const admitted = sum((result) => result.statuses[200] ?? 0)
  const turnedAway = sum((result) => result.statuses[429] ?? 0)
  const lost = sum((result) => result.lost)
  const seconds = Math.max(...results.map((result) => result.seconds))
  const { burst, refill, perSeconds } = BUCKETS.reads
  const allowed = burst + (refill / perSeconds) * seconds
  const percent = (admitted / allowed - 1) * 100
  const ledgers: Ledger[] = [
    {
      what: 'reads',
      whole: sum((r) => r.issued),
      parts: { admitted, 'turned away (429)': turnedAway, lost },
    },
  ]
  return {
    goal: 'G16',
    what: 'over-admission, 2 processes on one Redis',
    denominator: `burst + rate x ${seconds.toFixed(1)} s`,
    bare: allowed,
    ours: percent,
    unit: '%',
    target: `<= ${TARGET_PERCENT} %`,
    met: percent <= TARGET_PERCENT,
    ledgers,
  }
}

async function costOnSends(arena: Arena, redisUrl: string | undefined): Promise<Figure[]> {
  const database = await arena.database('g16_cost')
  const templates = await seedSends(database)
  const load = makeLoad(arena)
  const counts = { issued: 0, accepted: 0, lost: 0 }
  const sends = async ({ port }: Service, seconds = arena.quick ? 2 : 5) => {
    const result = await load.run({ port, connections: CONNECTIONS, seconds, templates })
    counts.issued += result.issued
    counts.accepted += result.statuses[200] ?? 0
    counts.lost += result.lost
    return (result.statuses[200] ?? 0) / result.seconds
  }
  const open = await startService(arena, database, { roles: 'web', limiter: false })
  const stores = [{ name: 'in the process', env: {} as Record<string, string> }]
  if (redisUrl) stores.push({ name: 'in Redis', env: { REDIS_URL: redisUrl } })
  const figures: Figure[] = []
  for (const { name, env } of stores) {
    const limited = await startService(arena, database, { roles: 'web', env })
    for (const service of [open, limited]) await sends(service, 3)
    const rounds = await alternate(
      arena.quick ? 2 : 5,
      () => sends(open),
      () => sends(limited),
    )
    await limited.stop()
    const percent = (1 - rounds.ratio) * 100
    figures.push({
      goal: 'G16',
      what: `cost on sends of the limiter ${name}`,
      denominator: 'sends/s with a store that admits all',
      bare: rounds.bare,
      ours: percent,
      unit: '%',
      ratio: rounds.ratio,
      target: `<= ${TARGET_PERCENT} %`,
      met: percent <= TARGET_PERCENT,
      rounds: rounds.ratios,
    })
  }
  await open.stop()
  await load.stop()
  const [stored] = await database.sql<{ n: string }>('select count(*) as n from messages')
  const { issued, accepted, lost } = counts
  const ledgers: Ledger[] = [
    { what: 'sends', whole: issued, parts: { accepted, lost } },
    { what: 'accepted', whole: accepted, parts: { 'stored messages': Number(stored!.n) } },
  ]
  return figures.map((figure) => ({ ...figure, ledgers }))
}

export const measureLimiter: Goal = async (arena) => {
  const binary = findRedisBinary()
  const redis = binary ? await startRedis(binary) : undefined
  const kill = () => void redis?.kill()
  process.once('exit', kill)
  try {
    const cost = await costOnSends(arena, redis?.url)
    if (!redis)
      return {
        figures: cost,
        skipped: 'no redis-server or valkey-server on this machine: two processes were not compared',
      }
    return { figures: [await overAdmission(arena, redis.url), ...cost] }
  } finally {
    await redis?.kill()
    process.off('exit', kill)
  }
}
