/**
 * The step that calls a webhook. The call is signed like webhook events, and its id is the run and the step.
 */
import { realTime } from '../../../../core/clock.ts'
import { type Context, type OutsideContext, wake } from '../../../../core/context.ts'
import { listAutomationsById } from '../queries/automations.ts'
import { findEvent, findRunForUpdate, findRunRow, type RunRow, type Step } from '../queries/runs.ts'
import { AUTOMATIONS } from '../wakes.ts'
import { completed, OFF, stepOf, storeRuns } from './settle-run.ts'

declare module '../../../../core/context.ts' {
  interface Outside {
    /**
     * Posts a signed call and returns the answer's status. Throws with a public reason if there is no answer.
     * Refuses private addresses.
     */
    callWebhook(call: { url: string; id: string; body: string; secretSealed: Buffer }): Promise<number>
  }
}

type Payload = { runId: string; position: number; at: string }
type Call = { url: string; id: string; body: string; secretSealed: Buffer }

/**
 * Returns the call, with the same bytes in every attempt. Returns undefined if the call is not needed
 * anymore.
 */
async function callOf(ctx: Context, { runId, position, at }: Payload): Promise<Call | 'off' | undefined> {
  const run = await findRunRow(ctx, runId)
  const action = run?.actions?.[position]
  if (!run || run.finishedAt !== null || run.steps.length !== position || action?.type !== 'call_webhook')
    return undefined
  const automation = (await listAutomationsById(ctx, [run.automationId])).get(run.automationId)
  if (!automation?.enabled || !automation.secretSealed) return 'off'
  const event = run.eventId === null ? undefined : await findEvent(ctx, run.eventId)
  const id = `${run.id}-${position}`
  const body = JSON.stringify({
    id,
    event: 'automation.called',
    createdAt: at,
    data: {
      automationId: run.automationId,
      runId: run.id,
      step: position,
      subject: { contactId: run.contactId, leadId: run.leadId, conversationId: run.conversationId },
      event: event
        ? { id: event.id, event: event.name, createdAt: event.createdAt.toISOString(), data: event.data }
        : null,
    },
  })
  return { url: action.url, id, body, secretSealed: automation.secretSealed }
}

export async function callOut(
  ctx: OutsideContext,
  payload: Payload,
): Promise<(ctx: Context) => Promise<void>> {
  const call = await ctx.transaction((txCtx) => callOf(txCtx, payload))
  if (call === undefined) return async () => {}
  if (call === 'off')
    return (txCtx) => settle(txCtx, payload, (run) => ({ ...run, status: 'skipped', reason: OFF }))
  const status = await ctx.outside.callWebhook(call)
  if (status < 200 || status >= 300) throw new Error(`The receiver answered with status ${status}.`)
  return (txCtx) =>
    settle(txCtx, payload, (run) => withStep(run, stepOf(txCtx, 'call_webhook', 'done', null, { status })))
}

export const giveUpCall = (ctx: Context, payload: Payload, reason: string): Promise<void> =>
  settle(ctx, payload, (run) => ({
    ...withStep(run, stepOf(ctx, 'call_webhook', 'failed', reason)),
    status: 'failed',
    reason: `call_webhook: ${reason}`,
  }))

const withStep = (run: RunRow, step: Step): RunRow => ({ ...run, steps: [...run.steps, step] })

/** Stores the result of the call. The run continues or ends. */
async function settle(
  ctx: Context,
  { runId, position }: Payload,
  change: (run: RunRow) => RunRow,
): Promise<void> {
  const run = await findRunForUpdate(ctx, runId)
  if (!run || run.finishedAt !== null || run.steps.length !== position) return
  const after = change(run)
  const isEnd = after.status !== 'running'
  const isOver = !isEnd && after.steps.length >= (after.actions?.length ?? 0)
  await storeRuns(ctx, [
    isEnd
      ? { ...after, runAt: null, finishedAt: ctx.now }
      : isOver
        ? completed(ctx, after)
        : { ...after, runAt: realTime(ctx.now, ctx.workspace) },
  ])
  // The next runs of the lane can now continue.
  wake(ctx, AUTOMATIONS)
}
