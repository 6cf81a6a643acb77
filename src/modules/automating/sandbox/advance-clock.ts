/**
 * Moves a sandbox's clock forward (docs/running.md "Additions") from one due time to the next, and runs the
 * due work at each, so that everything happens in order. The offset changes at each step; waiting rows are
 * aligned with the final one when the call ends (docs/decisions/sandbox-clock.md).
 */
import { later, MINUTE_MS, SECOND_MS } from '../../../core/clock.ts'
import type { Advance, Advanced, Outside, Tx } from '../../../core/context.ts'
import type { MovingClock } from '../../../core/due.ts'
import { invalid } from '../../../core/errors.ts'
import type { Directory } from '../../platform/workspaces/directory.ts'
import { clockTurns } from './clock-queue.ts'
import { type HoldOptions, type Move, whileHolding } from './hold-clock.ts'
import { moveClock } from './queries.ts'
import { longestAdvance } from './schema.ts'

/** The limits of one call; the next call continues. */
export type ClockLimits = { steps: number; ms: number }
/** Including its wait, a call ends before its idempotency key is free again. */
export const CLOCK_LIMITS: ClockLimits = { steps: 10_000, ms: 80 * SECOND_MS }
/** The time that a call waits for other calls that move the same clock. */
const MAX_TURN_MS = 30 * SECOND_MS
/** Sandboxes that move in parallel in a process, so that their work leaves the database free for others. */
const MAX_MOVES = 4
/** The longest wait for work of this workspace in other processes. */
const MAX_UNDER_WAY_MS = MINUTE_MS
const UNDER_WAY_LOOK_MS = 5

export type AdvanceOptions = HoldOptions & {
  directory: Directory
  limits: ClockLimits
}

type RemainingWork = { running: boolean; nextDue: Date | undefined }

const movingOf = ({ startMs, offsetMs }: Move): MovingClock => ({ offsetMs, aheadMs: offsetMs - startMs })

/**
 * Reads the workspace's remaining work: leased work, and the real time at which the next work is due;
 * uncommitted work still looks due. All sources are read at one time, because work moves from one to the
 * next.
 */
const lookAtWork = (
  { database, sources }: AdvanceOptions,
  workspaceId: string,
  dueBy: Date,
): Promise<RemainingWork> =>
  database.system(async (tx) => {
    await tx.sql('set transaction isolation level repeatable read, read only')
    const counts = await Promise.all(
      sources.map(async (source) => source.running?.(tx.sql, workspaceId, dueBy) ?? 0),
    )
    const moments = await Promise.all(sources.map(async (source) => source.nextDue?.(tx.sql, workspaceId)))
    return {
      running: counts.some((count) => count > 0),
      nextDue: moments
        .filter((moment) => moment !== undefined)
        .reduce<Date | undefined>((first, moment) => (first && first <= moment ? first : moment), undefined),
    }
  })

/**
 * Runs due work until none is left, here or in other processes, or until `isOver`. Returns the next due time
 * by the offset at the start of the call; new rows, which have the current offset, are aligned with it.
 */
async function drain(options: AdvanceOptions, move: Move, isOver: () => boolean): Promise<Date | undefined> {
  const { workspaceId, startMs } = move
  const { clock, database, sources } = options
  const movingClock = movingOf(move)
  const giveUpAt = clock.monotonicMs() + MAX_UNDER_WAY_MS
  for (;;) {
    let ran = 0
    for (const source of sources) {
      if (movingClock.aheadMs > 0) await source.align?.(database.query, workspaceId, { offsetMs: startMs })
      ran += await source.runDue({ workspaceId, moving: movingClock })
    }
    const givesUp = isOver() || clock.monotonicMs() >= giveUpAt
    if (ran > 0 && !givesUp) continue
    const dueBy = later(clock.now(), movingClock.aheadMs)
    const { running, nextDue } = await lookAtWork(options, workspaceId, dueBy)
    const isDone = !running && !(nextDue && nextDue <= dueBy)
    if (isDone || givesUp) return nextDue
    await options.pause(UNDER_WAY_LOOK_MS)
  }
}

/**
 * Moves the clock forward; returns false if another call has taken it over. `lastly` is called in the
 * transaction.
 */
async function step(
  { database, directory }: AdvanceOptions,
  move: Move,
  ms: number,
  lastly?: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  const offsetMs = await database.system(async (tx) => {
    const movedClock = await moveClock(tx, move, ms)
    if (movedClock !== undefined) await lastly?.(tx)
    return movedClock
  })
  if (offsetMs === undefined) return false
  move.offsetMs = offsetMs
  directory.forget(move.workspaceId)
  return true
}

type AdvanceRequest = Omit<Advance, 'seconds'> & { ms: number }

/**
 * Moves from one due time to the next, at most `ms` in total. The answer is remembered with the last move.
 */
async function advance(
  options: AdvanceOptions,
  move: Move,
  { ms, callerLeft, lastly }: AdvanceRequest,
): Promise<Advanced> {
  const { clock, limits } = options
  const stopAtMs = clock.monotonicMs() + limits.ms
  const isOver = () => callerLeft.aborted || clock.monotonicMs() >= stopAtMs
  const after = (leftMs: number): Advanced => ({
    now: later(clock.now(), move.startMs + ms - leftMs),
    remainingMs: leftMs,
  })
  let leftMs = ms
  let due = await drain(options, move, isOver)
  for (let steps = 0; steps < limits.steps && !isOver(); steps++) {
    const { aheadMs } = movingOf(move)
    const untilDueMs = due ? Math.max(1, due.getTime() - clock.now().getTime() - aheadMs) : leftMs
    const stepMs = Math.min(untilDueMs, leftMs)
    const isLast = stepMs === leftMs
    const clockReply = after(leftMs - stepMs)
    if (!(await step(options, move, stepMs, isLast ? (tx) => lastly(tx, clockReply) : undefined))) break
    leftMs -= stepMs
    due = await drain(options, move, isLast ? () => callerLeft.aborted : isOver)
    if (isLast) return clockReply
  }
  const clockReply = after(leftMs)
  await options.database.system((tx) => lastly(tx, clockReply))
  return clockReply
}

/** Refuses to exceed the last valid year of instants. */
function requireRoom({ clock }: AdvanceOptions, { startMs }: Move, ms: number): void {
  const maxMs = longestAdvance(clock.now(), startMs)
  if (ms <= maxMs) return
  const seconds = Math.max(0, Math.floor(maxMs / SECOND_MS))
  throw invalid([
    {
      path: 'advanceSeconds',
      message: `Must be at most ${seconds}, because a sandbox's clock ends before the year 9998. Create another sandbox.`,
    },
  ])
}

/** Builds the function that moves a sandbox's clock. */
export function clockMover(options: AdvanceOptions): Outside['advanceClock'] {
  const inTurn = clockTurns(options, MAX_MOVES)
  return ({ id }, { seconds, callerLeft, lastly }) => {
    const patience = { callerLeft, giveUpAt: options.clock.monotonicMs() + MAX_TURN_MS }
    return inTurn(id, patience, () =>
      whileHolding(options, id, patience, async (move) => {
        const ms = seconds * SECOND_MS
        requireRoom(options, move, ms)
        return advance(options, move, { ms, callerLeft, lastly })
      }).finally(() => options.directory.forget(id)),
    )
  }
}
