import { Redis } from 'ioredis'
import { systemClock } from '../../core/clock.ts'
import { createKnownBuckets } from './known-buckets.ts'
import type { RateLimitStore } from './port.ts'
import { LimiterUnavailable } from './port.ts'
import {
  addCharge,
  addCheck,
  addUnreported,
  argumentOf,
  newCall,
  type RedisCall,
  readReply,
} from './redis-call.ts'
import { TAKE_SCRIPT } from './take-script.ts'

/**
 * Maximum of checks in one call, and of buckets that it only charges: while a script runs, Redis serves no
 * other client.
 */
const MAX_CHECKS = 256
const MAX_CHARGES = 256
/**
 * Tokens taken without asking Redis are reported after this time, which is longer than the gap between
 * requests of a busy workspace.
 */
const CHARGE_AFTER_MS = 100

/**
 * Returns whether the server is a sharded cluster, which accepts only the buckets of one workspace in a call.
 * Nothing was charged.
 */
const isSharded = (error: unknown): boolean => error instanceof Error && error.message.startsWith('CROSSSLOT')

type TakeCommand = (keyCount: number, ...keysAndArgument: string[]) => Promise<number[]>

/**
 * `timeoutMs`: maximum duration of a check. `time: 'caller'`: uses the `nowMs` of each call, not the server's
 * clock; processes with different clocks must not share such buckets. `monotonicMs`: the clock of `nowMs`.
 * `onAway`: called with the fault when the connection fails, once until `onBack`.
 */
export type RedisStoreOptions = {
  timeoutMs?: number
  time?: 'server' | 'caller'
  monotonicMs?: () => number
  onAway?: (error: Error) => void
  onBack?: () => void
}

/** The store that several processes share. */
export type RedisStore = RateLimitStore & {
  /** Resolves when the store is connected; waits without a limit. */
  connected(): Promise<void>
}

/**
 * Opens a store in Redis or Valkey at `url` and (re)connects in the background. Meanwhile, checks fail
 * immediately with `LimiterUnavailable`, without a queue. Checks of buckets that recently had plenty of
 * tokens are answered immediately and charged shortly after (docs/decisions/rate-limits.md).
 */
export function createRedisStore(url: string, options: RedisStoreOptions = {}): RedisStore {
  const {
    timeoutMs = 250,
    time = 'server',
    monotonicMs = systemClock.monotonicMs,
    onAway = () => {},
    onBack = () => {},
  } = options
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: timeoutMs,
    connectTimeout: 2000,
    // When the server hangs, a few checks time out. Then the connection is closed, and checks fail
    // immediately.
    socketTimeout: 2 * timeoutMs,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 2000) * (0.75 + Math.random() / 2),
  })
  let isAway = false
  redis.on('error', (error) => {
    if (isAway) return
    isAway = true
    onAway(error)
  })
  redis.on('ready', () => {
    if (isAway) onBack()
    isAway = false
  })
  redis.defineCommand('parleyTake', { lua: TAKE_SCRIPT })
  const runScript = (redis as typeof redis & { parleyTake: TakeCommand }).parleyTake.bind(redis)

  const knownBuckets = createKnownBuckets()
  // Without the server, the tokens that other processes take are unknown.
  redis.on('close', knownBuckets.forget)
  let remembers = true
  let maxChecks = MAX_CHECKS
  let gathered: RedisCall | undefined
  /** The time of the collected checks and of unreported tokens. */
  let gatheredAtMs = -1
  let isEnding = false
  let chargeTimer: NodeJS.Timeout | undefined
  let lastSent: Promise<void> = Promise.resolve()

  async function send(call: RedisCall, isApart = false): Promise<void> {
    const { checks, buckets, atMs } = call
    const nowMs = () => (time === 'caller' ? atMs : monotonicMs())
    const sentMs = Math.floor(nowMs())
    try {
      const reply = await runScript(buckets.size, ...buckets.keys(), argumentOf(call))
      readReply(call, reply, { sentMs, heardMs: Math.ceil(nowMs()) })
    } catch (cause) {
      if (isSharded(cause) && buckets.size > 1 && !isApart) return sendSeparately(call)
      knownBuckets.forget()
      for (const { reject } of checks)
        reject(new LimiterUnavailable("The rate limiter can't be reached.", { cause }))
    }
  }

  /**
   * Sends a separate call for each bucket to charge and for each check; from now on, nothing is remembered.
   */
  async function sendSeparately({ checks, buckets, atMs }: RedisCall): Promise<void> {
    remembers = false
    maxChecks = 1
    const charges = [...buckets.values()].filter(({ charge }) => charge > 0)
    const sent = [
      ...charges.map(({ take, charge }) => send(addCharge(newCall(atMs), take, undefined, charge), true)),
      ...checks.map((check) => send(addCheck(newCall(atMs), { ...check, notes: [] }), true)),
    ]
    sendGathered()
    knownBuckets.forget()
    await Promise.all(sent)
  }

  function sendGathered(): void {
    const unreported = knownBuckets.drainUnreported()
    let from = 0
    for (; unreported.length - from > MAX_CHARGES; from += MAX_CHARGES)
      lastSent = send(addUnreported(newCall(gatheredAtMs), unreported.slice(from, from + MAX_CHARGES)))
    const call = addUnreported(gathered ?? newCall(gatheredAtMs), unreported.slice(from))
    gathered = undefined
    if (call.buckets.size > 0) lastSent = send(call)
  }

  /** Sends the checks of one turn of the event loop together: a call costs both sides more than a check. */
  function sendThisTurn(): void {
    if (isEnding) return
    isEnding = true
    setImmediate(() => {
      isEnding = false
      sendGathered()
    })
  }

  function sendSoon(): void {
    if (knownBuckets.isPressing()) sendThisTurn()
    chargeTimer ??= setTimeout(() => {
      chargeTimer = undefined
      sendGathered()
    }, CHARGE_AFTER_MS).unref()
  }

  return {
    take(takes, nowMs, exact = false) {
      const localMs = Math.floor(nowMs)
      const atMs = time === 'caller' ? localMs : -1
      if (gatheredAtMs !== atMs) sendGathered()
      gatheredAtMs = atMs
      const verdict = remembers && !exact ? knownBuckets.take(takes, localMs) : undefined
      if (verdict) {
        if (verdict.allowed) sendSoon()
        return verdict
      }
      return new Promise((resolve, reject) => {
        if (gathered && gathered.checks.length >= maxChecks) sendGathered()
        gathered ??= newCall(atMs)
        sendThisTurn()
        const notes = remembers ? takes.map((take) => knownBuckets.bucketFor(take, localMs)) : []
        addCheck(gathered, { takes, notes, resolve, reject })
      })
    },
    connected: () =>
      redis.status === 'ready'
        ? Promise.resolve()
        : new Promise((resolve) => redis.once('ready', () => resolve())),
    async close() {
      clearTimeout(chargeTimer)
      sendGathered()
      remembers = false
      await lastSent
      redis.disconnect()
    },
  }
}
