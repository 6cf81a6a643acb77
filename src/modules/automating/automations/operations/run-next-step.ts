/**
 * One turn in a lane, in one transaction: the first due run does its next step, and both commit together. If
 * the process dies, the step leaves nothing behind.
 */
import { later, MINUTE_MS, realTime } from '../../../../core/clock.ts'
import type { Cause, Context } from '../../../../core/context.ts'
import type { DueMoment } from '../../../../core/due.ts'
import { Refusal } from '../../../../core/errors.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { holdOffErasures } from '../../../messaging/contacts/operations/erase-contact.ts'
import type { Action } from '../action-schema.ts'
import { callWebhook } from '../jobs.ts'
import { type AutomationRow, listAutomationsById } from '../queries/automations.ts'
import { findEvent, listLaneRuns, type RunRow, type Step, tryLane } from '../queries/runs.ts'
import { SkippedStep } from './action-context.ts'
import { evaluateConditions } from './evaluate-conditions.ts'
import { limitReached } from './limits.ts'
import { runAction } from './run-action.ts'
import { completed, DELETED, ended, OFF, stepOf, storeRuns } from './settle-run.ts'
import { type RunEvent, readScene, type Scene } from './subjects.ts'

/** The max runs in one turn. Runs whose conditions don't match end together. */
const RUNS_AT_ONCE = 50

const UNMET = "Its conditions didn't match."

/** A step that fails. Its transaction rolls back, and the next one records the failure. */
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
  /** Returns whether the step is the next step of this run. */
  isOf(run: RunRow): boolean {
    return run.id === this.runId && run.steps.length === this.position
  }
}

export const causeOf = (run: RunRow, { id, name }: Pick<AutomationRow, 'id' | 'name'>): Cause => ({
  automationId: id,
  name,
  runId: run.id,
  chain: [...run.causes, id],
})

/** An internal error, and the run in which it happened. */
export class FaultyRun extends Error {
  readonly runId: string
  constructor(runId: string, cause: unknown) {
    super(`the run ${runId} failed`, { cause })
    this.runId = runId
  }
}

/**
 * Takes a turn and returns how many runs it changed; 0 if none is due or another process has the lane.
 * `previousError` is from the previous turn, which was rolled back: this turn records the error and evaluates
 * the earlier runs again.
 */
export async function takeTurn(
  ctx: Context,
  lane: string,
  due: DueMoment,
  previousError?: FailedStep | FaultyRun,
): Promise<number> {
  if (!(await tryLane(ctx, lane))) return 0
  // A step locks the customer's lead before the run; an erasure locks them in the opposite order.
  await holdOffErasures(ctx)
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
    if (previousError instanceof FaultyRun && previousError.runId === run.id) {
      moved.push(postponed(ctx, run))
      break
    }
    try {
      // No step has run in between, so runs of one event can share a scene.
      const sceneKey = run.eventId ?? run.id
      const scene = scenes.get(sceneKey) ?? (await readScene(ctx, run, await eventOf(run)))
      scenes.set(sceneKey, scene)
      const startedRun: RunRow & { limited?: true } =
        run.actions === null ? await begin(ctx, run, automation, scene) : run
      if (startedRun.finishedAt !== null) moved.push(startedRun)
      else if (previousError instanceof FailedStep && previousError.isOf(startedRun))
        moved.push(withoutStep(ctx, startedRun, previousError))
      else moved.push(await nextStep(ctx, startedRun, automation, scene))
      // A step may change the scene of later runs, and only one limit is locked at a time.
      if (startedRun.finishedAt === null || startedRun.limited) break
    } catch (error) {
      throw error instanceof FailedStep ? error : new FaultyRun(run.id, error)
    }
  }
  await storeRuns(ctx, moved)
  return moved.length
}

/** Starts a run, or ends it if its conditions don't match. The conditions are evaluated only once. */
async function begin(
  ctx: Context,
  run: RunRow,
  automation: AutomationRow,
  scene: Scene,
): Promise<RunRow & { limited?: true }> {
  const runWithSubjects = {
    ...run,
    contactId: run.contactId ?? scene.contact?.id ?? null,
    leadId: scene.lead?.id ?? null,
    conversationId: scene.conversation?.id ?? null,
  }
  const { matches, reason } = await evaluateConditions(ctx, scene, automation.conditions)
  if (!matches) return ended(ctx, runWithSubjects, 'skipped', reason === null ? UNMET : `${UNMET} ${reason}`)
  const limit = await limitReached(ctx, runWithSubjects)
  if (limit !== undefined) return { ...ended(ctx, runWithSubjects, 'skipped', limit), limited: true }
  return { ...runWithSubjects, status: 'running', actions: automation.actions, actedAt: ctx.now }
}

async function nextStep(ctx: Context, run: RunRow, automation: AutomationRow, scene: Scene): Promise<RunRow> {
  const action = run.actions![run.steps.length]
  if (!action) return completed(ctx, run)
  const after = await doStep({ ...ctx, cause: causeOf(run, automation) }, run, action, automation, scene)
  if (after.finishedAt !== null || after.status === 'waiting' || after.runAt === null) return after
  const isOver = after.steps.length >= after.actions!.length
  return isOver ? completed(ctx, after) : after
}

/** Returns a run that continues immediately. */
const continueRun = (ctx: Context, run: RunRow, step: Step): RunRow => ({
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
    return { ...continueRun(ctx, run, step), status: 'waiting', runAt: realTime(until, ctx.workspace) }
  }
  if (action.type === 'stop_if') {
    const { matches, reason } = await evaluateConditions(ctx, scene, action.conditions)
    if (!matches) return continueRun(ctx, run, stepOf(ctx, action.type, 'done', reason, { stopped: false }))
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
    const result = await runAction({ ctx, scene, names: automation.names }, action)
    return continueRun(ctx, run, stepOf(ctx, action.type, 'done', null, result))
  } catch (error) {
    if (error instanceof Refusal || error instanceof SkippedStep)
      throw new FailedStep(run, action.type, error)
    throw error
  }
}

/** Returns a run after a step that was not done: a skipped step continues the run, a failed step ends it. */
function withoutStep(ctx: Context, run: RunRow, { action, skipped, message }: FailedStep): RunRow {
  const after = continueRun(ctx, run, stepOf(ctx, action, skipped ? 'skipped' : 'failed', message))
  if (!skipped) {
    ctx.logged.push({
      message: 'automation failed',
      fields: { workspaceId: ctx.workspace.id, automationId: run.automationId, runId: run.id, action },
    })
    return ended(ctx, after, 'failed', `${action}: ${message}`)
  }
  return after.steps.length >= after.actions!.length ? completed(ctx, after) : after
}

/** Real milliseconds until the next attempt after an internal error. After the last attempt the run fails. */
const RETRY_MS = [1_000, 10_000, 60_000, 600_000]

/**
 * Postpones a run after an internal error. After too many attempts the run fails, so that its lane is not
 * blocked forever.
 */
function postponed(ctx: Context, run: RunRow): RunRow {
  const waitMs = RETRY_MS[run.faults]
  if (waitMs === undefined) return ended(ctx, run, 'failed', 'Parley had an internal error.')
  const runAt = later(realTime(ctx.now, ctx.workspace), waitMs)
  return { ...run, status: 'running', faults: run.faults + 1, runAt }
}

/** Postpones the first run of a lane, if the error belongs to no known run. The other runs wait for it. */
export async function postponeFirstRun(ctx: Context, lane: string, due: DueMoment): Promise<void> {
  if (!(await tryLane(ctx, lane))) return
  const [first] = await listLaneRuns(ctx, lane, due, 1)
  if (first) await storeRuns(ctx, [postponed(ctx, first)])
}
