/** A call that moves a sandbox's clock holds it under a lease: one call at a time, in all processes. */
import { randomUUID } from 'node:crypto'
import { type Clock, later, SECOND_MS } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'
import { alignAll } from './align-rows.ts'
import { type Patience, refuseTurn } from './clock-queue.ts'
import { holdClock, releaseClock, takeClock } from './queries.ts'

export type HoldOptions = {
  database: Database
  clock: Clock
  sources: WorkSource[]
  /** Waits in real time; rejects when the signal aborts. */
  pause(ms: number, signal?: AbortSignal): Promise<unknown>
  onError(error: unknown): void
}

/** A call: the id of its holder, and the clock's offset at the start of the call and now. */
export type Move = { workspaceId: string; mover: string; startMs: number; offsetMs: number }

const LOOK_MS = 20
/** The duration of the lease, which the holder renews while it lives. */
const LEASE_MS = 20 * SECOND_MS
const RENEW_EVERY_MS = 5 * SECOND_MS

const take = async ({ database, clock }: HoldOptions, workspaceId: string): Promise<Move | undefined> => {
  const now = clock.now()
  const holder = { workspaceId, mover: randomUUID() }
  const startMs = await takeClock(database.query, { ...holder, now, until: later(now, LEASE_MS) })
  return startMs === undefined ? undefined : { ...holder, startMs, offsetMs: startMs }
}

const prolong = ({ database, clock }: HoldOptions, move: Move): Promise<boolean> =>
  holdClock(database.query, move, later(clock.now(), LEASE_MS))

/**
 * Aligns the waiting rows with the current clock, and releases it. A call that has taken it over aligns them
 * itself.
 */
async function release(options: HoldOptions, move: Move): Promise<void> {
  try {
    if (await prolong(options, move)) await alignAll(options, move.workspaceId, move.offsetMs)
    await releaseClock(options.database.query, move)
  } catch (error) {
    // The clock stays moved: the next holder aligns the rows immediately.
    options.onError(error)
    await holdClock(options.database.query, move, options.clock.now()).catch(options.onError)
  }
}

/**
 * Calls `work` while holding the clock; `work` updates `offsetMs`. Before and after it, all waiting rows have
 * one offset.
 */
export async function whileHolding<T>(
  options: HoldOptions,
  workspaceId: string,
  patience: Patience,
  work: (move: Move) => Promise<T>,
): Promise<T> {
  let move = await take(options, workspaceId)
  while (!move) {
    if (patience.callerLeft.aborted || options.clock.monotonicMs() >= patience.giveUpAt) return refuseTurn()
    await options.pause(LOOK_MS)
    move = await take(options, workspaceId)
  }
  const held = move
  const renewal = setInterval(() => {
    prolong(options, held).catch(options.onError)
  }, RENEW_EVERY_MS)
  try {
    // An earlier holder may have died, and a writer may have used an older offset.
    await alignAll(options, workspaceId, held.startMs)
    return await work(held)
  } finally {
    clearInterval(renewal)
    await release(options, held)
  }
}
