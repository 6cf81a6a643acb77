import { Redis } from 'ioredis'
import type { RateLimitStore, Take, Verdict } from './port.ts'
import { LimiterUnavailable } from './port.ts'
import { addCheck, answerChecks, argumentOf, newCall, type RedisCall } from './redis-call.ts'
import { TAKE_SCRIPT } from './take-script.ts'

/** Most checks of one call: while a script runs, nobody else is served. */
const MAX_CHECKS = 256

/** Whether the server shares its keys out over several nodes: it then takes the buckets of one workspace only, and nothing was charged. */
const isSharded = (error: unknown): boolean => error instanceof Error && error.message.startsWith('CROSSSLOT')

type TakeCommand = (keyCount: number, ...keysAndArgument: string[]) => Promise<number[]>

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

  let gathered: RedisCall | undefined
  let maxChecks = MAX_CHECKS

  async function send(call: RedisCall): Promise<void> {
    const { checks, places, atMs } = call
    try {
      answerChecks(checks, await runScript(places.size, ...places.keys(), argumentOf(call)))
    } catch (cause) {
      if (isSharded(cause) && checks.length > 1) {
        maxChecks = 1
        for (const check of checks) void send(addCheck(newCall(atMs), check))
        return
      }
      for (const { reject } of checks)
        reject(new LimiterUnavailable('The rate limiter cannot be reached.', { cause }))
    }
  }

  function sendGathered(): void {
    const call = gathered
    gathered = undefined
    if (call) void send(call)
  }

  // What is asked in one turn of the event loop goes out together: a call costs both sides more than a check.
  const take = (takes: readonly Take[], nowMs: number): Promise<Verdict> =>
    new Promise((resolve, reject) => {
      const atMs = time === 'caller' ? Math.floor(nowMs) : -1
      if (gathered && (gathered.checks.length >= maxChecks || gathered.atMs !== atMs)) sendGathered()
      if (!gathered) {
        gathered = newCall(atMs)
        setImmediate(sendGathered)
      }
      addCheck(gathered, { takes, resolve, reject })
    })

  return {
    take,
    connected: () =>
      redis.status === 'ready'
        ? Promise.resolve()
        : new Promise((resolve) => redis.once('ready', () => resolve())),
    close: async () => redis.disconnect(),
  }
}
