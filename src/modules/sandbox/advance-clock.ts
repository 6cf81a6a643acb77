/**
 * Moves a sandbox's time forward (RUNNING "Additions"): from one due moment to the next, running
 * what falls due at each, so that everything happens in the order in which it would have.
 */
import { type Clock, MINUTE_MS, SECOND_MS, workspaceTime } from '../../core/clock.ts'
import type { Database, Workspace } from '../../core/context.ts'
import type { WorkSource } from '../../core/work.ts'
import type { Directory } from '../workspaces/directory.ts'
import { moveClock } from './queries.ts'

export type AdvanceOptions = {
  database: Database
  clock: Clock
  directory: Directory
  sources: WorkSource[]
  /** Waits real time; only for work that somebody else has under way. */
  pause(ms: number): Promise<void>
}

/** Longest wait for work of this workspace that another worker has under way. */
const UNDER_WAY_MOST_MS = MINUTE_MS
const UNDER_WAY_LOOK_MS = 5

/** Runs what is due now until nothing is, here or with another worker. */
async function drain(options: AdvanceOptions, workspaceId: string): Promise<void> {
  const giveUpAt = options.clock.monotonicMs() + UNDER_WAY_MOST_MS
  while (options.clock.monotonicMs() < giveUpAt) {
    let ran = 0
    for (const source of options.sources) ran += await source.runDue({ workspaceId })
    if (ran > 0) continue
    const running = await Promise.all(
      options.sources.map(async (source) => source.running?.(workspaceId) ?? 0),
    )
    if (running.every((count) => count === 0)) return
    await options.pause(UNDER_WAY_LOOK_MS)
  }
}

/** The next moment (real time) at which something of the workspace falls due. */
async function nextDue(options: AdvanceOptions, workspaceId: string): Promise<Date | undefined> {
  const moments = await Promise.all(options.sources.map(async (source) => source.nextDue?.(workspaceId)))
  return moments
    .filter((at) => at !== undefined)
    .reduce<Date | undefined>((first, at) => (first && first <= at ? first : at), undefined)
}

async function step(options: AdvanceOptions, workspaceId: string, ms: number): Promise<void> {
  await options.database.system(async (tx) => {
    await moveClock(tx, workspaceId, ms)
    for (const source of options.sources) await source.shift?.(tx, workspaceId, ms)
  })
  options.directory.forget(workspaceId)
}

async function advance(options: AdvanceOptions, workspace: Workspace, seconds: number): Promise<Date> {
  let leftMs = seconds * SECOND_MS
  await drain(options, workspace.id)
  while (leftMs > 0) {
    const due = await nextDue(options, workspace.id)
    const untilDueMs = due ? Math.max(1, due.getTime() - options.clock.now().getTime()) : leftMs
    const ms = Math.min(untilDueMs, leftMs)
    await step(options, workspace.id, ms)
    leftMs -= ms
    await drain(options, workspace.id)
  }
  const moved = await options.directory.workspace(workspace.id)
  return workspaceTime(options.clock, moved ?? workspace)
}

/**
 * Builds the function that moves a sandbox's clock by `seconds` and returns its new time. Calls for
 * one workspace run one after the other.
 */
export function clockMover(
  options: AdvanceOptions,
): (workspace: Workspace, seconds: number) => Promise<Date> {
  const last = new Map<string, Promise<unknown>>()
  return (workspace, seconds) => {
    const before = last.get(workspace.id) ?? Promise.resolve()
    const moved = before.then(
      () => advance(options, workspace, seconds),
      () => advance(options, workspace, seconds),
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
