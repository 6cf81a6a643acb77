/**
 * Moves a sandbox's time forward (docs/running.md "Additions"): from one due moment to the next, running
 * what falls due at each, so that everything happens in the order in which it would have.
 */
import { type Clock, MINUTE_MS, SECOND_MS, workspaceTime } from '../../core/clock.ts'
import type { Database, Outside, Tx, Workspace } from '../../core/context.ts'
import type { WorkSource } from '../../core/work.ts'
import type { Directory } from '../workspaces/directory.ts'
import { moveClock } from './queries.ts'

export type AdvanceOptions = {
  database: Database
  clock: Clock
  directory: Directory
  sources: WorkSource[]
  /** Waits real time; only for work that somebody else has in hand. */
  pause(ms: number): Promise<void>
}

/** Longest wait for work of this workspace that somebody else has in hand. */
const MAX_UNDER_WAY_MS = MINUTE_MS
const UNDER_WAY_LOOK_MS = 5

type Left = { running: boolean; nextDue: Date | undefined }

/**
 * What the workspace has left: work under a lease, and the next moment (real time) at which something falls due; what
 * is in a transaction that has not ended still looks due. All sources are asked of one moment, for work moves on from
 * one to the next.
 */
const lookAtWork = ({ database, sources }: AdvanceOptions, workspaceId: string): Promise<Left> =>
  database.system(async (tx) => {
    await tx.sql('set transaction isolation level repeatable read, read only')
    const counts = await Promise.all(
      sources.map(async (source) => source.running?.(tx.sql, workspaceId) ?? 0),
    )
    const moments = await Promise.all(sources.map(async (source) => source.nextDue?.(tx.sql, workspaceId)))
    return {
      running: counts.some((count) => count > 0),
      nextDue: moments
        .filter((at) => at !== undefined)
        .reduce<Date | undefined>((first, at) => (first && first <= at ? first : at), undefined),
    }
  })

/**
 * Runs what is due now until nothing is, here or in somebody else's hands. Answers the next moment (real time) at which
 * something falls due.
 */
async function drain(options: AdvanceOptions, workspaceId: string): Promise<Date | undefined> {
  const giveUpAt = options.clock.monotonicMs() + MAX_UNDER_WAY_MS
  for (;;) {
    let ran = 0
    for (const source of options.sources) ran += await source.runDue({ workspaceId })
    const givesUp = options.clock.monotonicMs() >= giveUpAt
    if (ran > 0 && !givesUp) continue
    const { running, nextDue } = await lookAtWork(options, workspaceId)
    const isDone = !running && !(nextDue && nextDue <= options.clock.now())
    if (isDone || givesUp) return nextDue
    await options.pause(UNDER_WAY_LOOK_MS)
  }
}

type Lastly = (tx: Tx, now: Date) => Promise<void>

/** Returns the workspace's time after it; `lastly` is called in its transaction. */
async function step(
  options: AdvanceOptions,
  workspace: Workspace,
  { ms, lastly }: { ms: number; lastly: Lastly | undefined },
): Promise<Date> {
  const now = await options.database.system(async (tx) => {
    const clockOffsetMs = (await moveClock(tx, workspace.id, ms)) ?? workspace.clockOffsetMs
    for (const source of options.sources) await source.shift?.(tx, workspace.id, ms)
    const after = workspaceTime(options.clock, { clockOffsetMs })
    await lastly?.(tx, after)
    return after
  })
  options.directory.forget(workspace.id)
  return now
}

async function advance(
  options: AdvanceOptions,
  workspace: Workspace,
  { seconds, lastly }: { seconds: number; lastly: Lastly },
): Promise<Date> {
  let leftMs = seconds * SECOND_MS
  let now = workspaceTime(options.clock, workspace)
  let due = await drain(options, workspace.id)
  while (leftMs > 0) {
    const untilDueMs = due ? Math.max(1, due.getTime() - options.clock.now().getTime()) : leftMs
    const ms = Math.min(untilDueMs, leftMs)
    now = await step(options, workspace, { ms, lastly: ms === leftMs ? lastly : undefined })
    leftMs -= ms
    due = await drain(options, workspace.id)
  }
  return now
}

/**
 * Builds the function that moves a sandbox's clock by `seconds` and returns its new time, which `lastly` hears of in the
 * transaction of the last move. Calls for one workspace run one after the other.
 */
export function clockMover(options: AdvanceOptions): Outside['advanceClock'] {
  const last = new Map<string, Promise<unknown>>()
  return (workspace, seconds, lastly) => {
    const before = last.get(workspace.id) ?? Promise.resolve()
    const moved = before.then(
      () => advance(options, workspace, { seconds, lastly }),
      () => advance(options, workspace, { seconds, lastly }),
    )
    const settled = moved
      .catch(() => {})
      .finally(() => {
        if (last.get(workspace.id) === settled) last.delete(workspace.id)
      })
    last.set(workspace.id, settled)
    return moved
  }
}
