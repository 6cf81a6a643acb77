/**
 * One turn in a lane, in one transaction: the first run that may go on does its next step, and both commit together. Whoever dies
 * on the way has done nothing of it.
 */
import { later, MINUTE_MS, realTime } from '../../../core/clock.ts'
import type { Cause, Context } from '../../../core/context.ts'
import type { DueMoment } from '../../../core/due.ts'
import { Refusal } from '../../../core/errors.ts'
import { enqueue } from '../../../core/job.ts'
import { callWebhook } from '../jobs.ts'
import { type AutomationRow, listAutomationsById } from '../queries/automations.ts'
import {
  findEvent,
  findRunForUpdate,
  listLaneRuns,
  type RunRow,
  type Step,
  tryLane,
} from '../queries/runs.ts'
import type { Action } from '../schema.ts'
import { act } from './act.ts'
import { SkippedStep } from './acting.ts'
import { judge } from './judge.ts'
import { limitReached } from './limits.ts'
import { completed, DELETED, ended, OFF, stepOf, storeRuns } from './settle-run.ts'
import { type RunEvent, readScene, type Scene } from './subjects.ts'

/** Runs that one turn looks at: those whose conditions do not hold end together. */
const RUNS_AT_ONCE = 50

const UNMET = 'Its conditions did not hold.'

/** A step that cannot be done: its transaction rolls back, and that it failed is written in another. */
export class FailedStep extends Error {
  readonly runId: string
  readonly position: number
  readonly action: string
  readonly skipped: boolean
  constructor(run: RunRow, action: string, cause: Refusal | SkippedStep) {
    super(cause.message)
    this.runId = run.id
    this.position = run.steps.length
    this.action = action
    this.skipped = cause instanceof SkippedStep
  }
}

export const causeOf = (run: RunRow, { id, name }: Pick<AutomationRow, 'id' | 'name'>): Cause => ({
  automationId: id,
  name,
  runId: run.id,
  chain: [...run.causes, id],
})

/** A fault of ours, and the run that met it. */
export class FaultyRun extends Error {
  readonly runId: string
  constructor(runId: string, cause: unknown) {
    super(`the run ${runId} met a fault`, { cause })
    this.runId = runId
  }
}

/** How many runs of the lane it moved on; 0: there is nothing to do, or somebody else does it. */
export async function takeTurn(ctx: Context, lane: string, due: DueMoment): Promise<number> {
  if (!(await tryLane(ctx, lane))) return 0
  const runs = await listLaneRuns(ctx, lane, due, RUNS_AT_ONCE)
  if (runs.length === 0) return 0
  const automations = await listAutomationsById(ctx, [...new Set(runs.map((run) => run.automationId))])
  const events = new Map<string, RunEvent | undefined>()
  const eventOf = async ({ eventId }: RunRow) => {
    if (eventId === null) return undefined
    if (!events.has(eventId)) events.set(eventId, await findEvent(ctx, eventId))
    return events.get(eventId)
  }
  const scenes = new Map<string, Scene>()
  const moved: RunRow[] = []
  for (const run of runs) {
    const automation = automations.get(run.automationId)
    if (!automation?.enabled) {
      moved.push(ended(ctx, run, 'skipped', automation ? OFF : DELETED))
      continue
    }
    try {
      // Nothing was done since, so runs of one event look at the same.
      const place = run.eventId ?? run.id
      const scene = scenes.get(place) ?? (await readScene(ctx, run, await eventOf(run)))
      scenes.set(place, scene)
      const begun: RunRow & { limited?: true } =
        run.actions === null ? await begin(ctx, run, automation, scene) : run
      moved.push(begun.finishedAt === null ? await nextStep(ctx, begun, automation, scene) : begun)
      // What it did may change what the others see; and one limit is held at a time.
      if (begun.finishedAt === null || begun.limited) break
    } catch (error) {
      throw error instanceof FailedStep ? error : new FaultyRun(run.id, error)
    }
  }
  await storeRuns(ctx, moved)
  return moved.length
}

/** Whether a run begins at all: its conditions are asked now, and never again. */
async function begin(
  ctx: Context,
  run: RunRow,
  automation: AutomationRow,
  scene: Scene,
): Promise<RunRow & { limited?: true }> {
  const seen = {
    ...run,
    contactId: run.contactId ?? scene.contact?.id ?? null,
    leadId: scene.lead?.id ?? null,
    conversationId: scene.conversation?.id ?? null,
  }
  const { all, why } = await judge(ctx, scene, automation.conditions)
  if (!all) return ended(ctx, seen, 'skipped', why === null ? UNMET : `${UNMET} ${why}`)
  const limit = await limitReached(ctx, seen)
  if (limit !== undefined) return { ...ended(ctx, seen, 'skipped', limit), limited: true }
  return { ...seen, status: 'running', actions: automation.actions, actedAt: ctx.now }
}

async function nextStep(ctx: Context, run: RunRow, automation: AutomationRow, scene: Scene): Promise<RunRow> {
  const action = run.actions![run.steps.length]
  if (!action) return completed(ctx, run)
  const after = await doStep({ ...ctx, cause: causeOf(run, automation) }, run, action, automation, scene)
  if (after.finishedAt !== null || after.status === 'waiting' || after.runAt === null) return after
  const isOver = after.steps.length >= after.actions!.length
  return isOver ? completed(ctx, after) : after
}

/** A run that goes on at once. */
const onward = (ctx: Context, run: RunRow, step: Step): RunRow => ({
  ...run,
  status: 'running',
  steps: [...run.steps, step],
  runAt: realTime(ctx.now, ctx.workspace),
  faults: 0,
})

async function doStep(
  ctx: Context,
  run: RunRow,
  action: Action,
  automation: AutomationRow,
  scene: Scene,
): Promise<RunRow> {
  if (action.type === 'wait') {
    const until = later(ctx.now, action.minutes * MINUTE_MS)
    const step = stepOf(ctx, action.type, 'done', null, { until: until.toISOString() })
    return { ...onward(ctx, run, step), status: 'waiting', runAt: realTime(until, ctx.workspace) }
  }
  if (action.type === 'stop_if') {
    const { all, why } = await judge(ctx, scene, action.conditions)
    if (!all) return onward(ctx, run, stepOf(ctx, action.type, 'done', why, { stopped: false }))
    const step = stepOf(ctx, action.type, 'stopped', null, { stopped: true })
    return ended(ctx, { ...run, steps: [...run.steps, step] }, 'done', null)
  }
  if (action.type === 'call_webhook') {
    await enqueue(ctx, callWebhook, {
      runId: run.id,
      position: run.steps.length,
      at: ctx.now.toISOString(),
    })
    return { ...run, status: 'running', runAt: null }
  }
  try {
    const result = await act({ ctx, scene, names: automation.names }, action)
    return onward(ctx, run, stepOf(ctx, action.type, 'done', null, result))
  } catch (error) {
    if (error instanceof Refusal || error instanceof SkippedStep)
      throw new FailedStep(run, action.type, error)
    throw error
  }
}

/** Writes that a step could not be done: the run goes on without one that was skipped, and ends with one that failed. */
export async function recordFailedStep(ctx: Context, lane: string, failed: FailedStep): Promise<void> {
  if (!(await tryLane(ctx, lane))) return
  const run = await findRunForUpdate(ctx, failed.runId)
  // Somebody else had its turn meanwhile.
  if (!run || run.finishedAt !== null || run.steps.length !== failed.position) return
  const automation = (await listAutomationsById(ctx, [run.automationId])).get(run.automationId)
  if (!automation?.enabled) return
  const scene =
    run.actions === null
      ? await readScene(ctx, run, run.eventId ? await findEvent(ctx, run.eventId) : undefined)
      : undefined
  const begun = scene ? await begin(ctx, run, automation, scene) : run
  if (begun.finishedAt !== null) {
    await storeRuns(ctx, [begun])
    return
  }
  const step = stepOf(ctx, failed.action, failed.skipped ? 'skipped' : 'failed', failed.message)
  const after = onward(ctx, begun, step)
  const isOver = after.steps.length >= after.actions!.length
  await storeRuns(ctx, [
    failed.skipped
      ? isOver
        ? completed(ctx, after)
        : after
      : ended(ctx, after, 'failed', `${failed.action}: ${failed.message}`),
  ])
}

/** Real milliseconds until a run that met a fault of ours is tried again; then it fails. */
const RETRY_MS = [1_000, 10_000, 60_000, 600_000]

/**
 * Puts off the run that met a fault of ours, else the first of the lane; the others wait for it. One that meets faults for long
 * enough fails, so that its lane does not stand still for ever.
 */
export async function putOff(ctx: Context, lane: string, due: DueMoment, fault: unknown): Promise<void> {
  if (!(await tryLane(ctx, lane))) return
  const runs = await listLaneRuns(ctx, lane, due, RUNS_AT_ONCE)
  const first = (fault instanceof FaultyRun && runs.find(({ id }) => id === fault.runId)) || runs[0]
  if (!first) return
  const waitMs = RETRY_MS[first.faults]
  await storeRuns(ctx, [
    waitMs === undefined
      ? ended(ctx, first, 'failed', 'Parley met a fault of its own.')
      : {
          ...first,
          status: 'running',
          faults: first.faults + 1,
          runAt: later(realTime(ctx.now, ctx.workspace), waitMs),
        },
  ])
}
