import { Redis } from 'ioredis'
import type { RateLimitStore, Take, Verdict } from './port.ts'
import { LimiterUnavailable } from './port.ts'

// One round trip per check, atomic in the server. A key lives exactly until its bucket is full.
const TAKE_SCRIPT = `
local now = tonumber(ARGV[1])
if now < 0 then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local found = redis.call('MGET', unpack(KEYS))
local debts = {}
local wait = 0
for i = 1, #KEYS do
  local burst, refill, worth = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  local debt = 0
  if found[i] then
    debt = math.max(0, tonumber(found[i]) - now * refill)
    -- A clock that was set back leaves more than an empty bucket's worth: it is written off, or refusals would not end.
    if debt > burst * worth then
      debt = burst * worth
      redis.call('SET', KEYS[i], string.format('%.0f', now * refill + debt), 'PX', math.ceil(debt / refill))
    end
  end
  debts[i] = debt
  wait = math.max(wait, math.max(0, debt - (burst - 1) * worth) / refill)
end
local limit, closest, reset
for i = 1, #KEYS do
  local burst, refill, worth = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  local debt = debts[i]
  if wait == 0 then
    debt = debt + worth
    redis.call('SET', KEYS[i], string.format('%.0f', now * refill + debt), 'PX', math.ceil(debt / refill))
  end
  local tokens = burst - debt / worth
  local seconds = math.ceil(debt / refill / 1000)
  if not closest or tokens < closest or (tokens == closest and seconds > reset) then
    limit, closest, reset = burst, tokens, seconds
  end
end
return { wait == 0 and 1 or 0, limit, math.floor(closest), reset, math.ceil(wait / 1000) }
`

type TakeCommand = (keyCount: number, ...keysAndNumbers: (string | number)[]) => Promise<number[]>

/**
 * `timeoutMs` is how long a check may last. `time: 'caller'` counts by the `nowMs` of each call instead of the
 * server's clock; nodes with different clocks must not share buckets that way. `onError` hears connection faults.
 */
export type RedisStoreOptions = {
  timeoutMs?: number
  time?: 'server' | 'caller'
  onError?: (error: Error) => void
}

/** The shared store of many processes. */
export type RedisStore = Omit<RateLimitStore, 'take'> & {
  take(takes: readonly Take[], nowMs: number): Promise<Verdict>
  /** Resolves when the store has been reached; waits for as long as that takes. */
  connected(): Promise<void>
}

/**
 * Opens a store in Redis or Valkey at `url`. It connects, and reconnects, in the background: a check made
 * meanwhile fails at once with `LimiterUnavailable` rather than wait in a queue.
 */
export function createRedisStore(url: string, options: RedisStoreOptions = {}): RedisStore {
  const { timeoutMs = 250, time = 'server', onError = () => {} } = options
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: timeoutMs,
    connectTimeout: 2000,
    // A server that hangs costs a few checks their time-out, then the connection is given up and checks fail at once.
    socketTimeout: 2 * timeoutMs,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 2000) * (0.75 + Math.random() / 2),
  })
  redis.on('error', onError)
  redis.defineCommand('parleyTake', { lua: TAKE_SCRIPT })
  const runScript = (redis as unknown as { parleyTake: TakeCommand }).parleyTake.bind(redis)

  async function take(takes: readonly Take[], nowMs: number): Promise<Verdict> {
    const keys = takes.map((wanted) => `parley:rate:${wanted.key}:${wanted.refill}`)
    const numbers = takes.flatMap((wanted) => [wanted.burst, wanted.refill, wanted.perSeconds * 1000])
    const givenTime = time === 'caller' ? Math.floor(nowMs) : -1
    const reply = await runScript(keys.length, ...keys, givenTime, ...numbers).catch((cause: unknown) => {
      throw new LimiterUnavailable('The rate limiter cannot be reached.', { cause })
    })
    const [allowed, limit, remaining, resetSeconds, retryAfterSeconds] = reply as [
      number,
      number,
      number,
      number,
      number,
    ]
    return { allowed: allowed === 1, limit, remaining, resetSeconds, retryAfterSeconds }
  }

  return {
    take,
    connected: () =>
      redis.status === 'ready'
        ? Promise.resolve()
        : new Promise((resolve) => redis.once('ready', () => resolve())),
    close: async () => redis.disconnect(),
  }
}
