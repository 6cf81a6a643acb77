/** Starts, pauses, resumes, and cancels campaigns (DECISIONS.md "Gates"). */
import { realTime } from '../../../../core/clock.ts'
import { type Context, wake } from '../../../../core/context.ts'
import { Refusal, refuse } from '../../../../core/errors.ts'
import { recordActivity } from '../../../platform/workspaces/operations/activity.ts'
import { chooseNumber } from '../../../platform/workspaces/operations/choose-number.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { explainNoRoom, isNoRoom, readMessageRoom } from '../../messages/sending/operations/queue-campaign.ts'
import { HANDOVER } from '../../messages/sending/operations/send-messages.ts'
import { hasQueuedMessages } from '../../messages/sending/operations/skip-messages.ts'
import { getTemplate } from '../../templates/operations/read-templates.ts'
import { type BroadcastRow, paused, type updateBroadcastRow } from '../queries/broadcasts.ts'
import { listVariants } from '../queries/variants.ts'
import { beginPlanned } from './begin-planned.ts'
import { applyChange, lockBroadcast } from './change-broadcast.ts'
import { assessedColumns, recordConfirmation, requirePassed, running } from './create-broadcast.ts'
import { assessCampaign } from './gates.ts'
import { refuseNumber } from './judge-campaign.ts'
import { isUndecided, refillVariants } from './variants.ts'

type Step = 'started' | 'paused' | 'resumed' | 'cancelled'

type Patch = Parameters<typeof updateBroadcastRow>[2]

async function change(ctx: Context, row: BroadcastRow, step: Step, patch: Patch): Promise<BroadcastRow> {
  await recordActivity(ctx, `broadcast.${step}`, { broadcastId: row.id, name: row.name })
  return applyChange(ctx, row, patch)
}

/**
 * Starts a draft, or a scheduled campaign before its time, after checking the gates again. Refuses
 * `conflict`, also if its template was deleted, and `sending_blocked` if its number is gone.
 */
export async function startBroadcast(
  ctx: Context,
  id: string,
  confirmNewRecipients: boolean | undefined,
): Promise<BroadcastRow> {
  const row = await lockBroadcast(ctx, id)
  if (row.status !== 'draft' && row.status !== 'scheduled')
    refuse('conflict', `The campaign is ${row.status}. Only a draft or scheduled campaign can be started.`)
  const obstacle = await obstacleOf(ctx, row)
  if (obstacle?.gone) refuse(obstacle.code, obstacle.why)
  const confirmed = confirmNewRecipients ?? row.confirmed
  const variants = row.testPhase === null ? undefined : await listVariants(ctx, row.id)
  const assessment = requirePassed(
    await assessCampaign(
      ctx,
      {
        contents: variants ?? [row],
        phoneNumberId: row.phoneNumberId,
        // The stored list. Contacts erased since then drop out.
        segment: row.segment,
        confirmNewRecipients: confirmed,
        knownOnly: row.knownOnly,
        followUpOf: row.followUpOf ?? undefined,
      },
      { begins: true },
    ),
  )
  if (variants) await refillVariants(ctx, variants, assessment.contents)
  if (confirmNewRecipients)
    await recordConfirmation(ctx, { ...row, newRecipients: assessment.counts.newRecipients })
  return change(ctx, row, 'started', {
    ...assessedColumns(assessment),
    ...running(ctx),
    confirmed,
    startedAt: ctx.now,
  })
}

/** Refuses `conflict` if the campaign is completed and all its messages were submitted. */
async function refuseHandedOver(ctx: Context, row: BroadcastRow): Promise<void> {
  if (row.status === 'completed' && !(await hasQueuedMessages(ctx, row.id)))
    refuse(
      'conflict',
      'The campaign is completed and all its messages are submitted. There is nothing left to stop.',
    )
}

/**
 * Pauses a running campaign, or a completed one with messages that wait for their number's pace. It queues
 * and submits nothing more until it is resumed. Refuses `conflict`.
 */
export async function pauseBroadcast(ctx: Context, id: string): Promise<BroadcastRow> {
  const row = await lockBroadcast(ctx, id)
  if (row.status === 'paused' && row.pausedReason === null) return row
  // An automatic pause becomes a manual one, which needs a manual resume.
  if (row.status === 'paused') return change(ctx, row, 'paused', paused(null))
  await refuseHandedOver(ctx, row)
  if (row.status !== 'running' && row.status !== 'completed')
    refuse('conflict', `The campaign is ${row.status}. Only a running campaign can be paused.`)
  return change(ctx, row, 'paused', paused(null))
}

/**
 * Resumes a campaign. A completed one is completed again, without a second event. Refuses `conflict`, the
 * obstacle of its number or template, `quota_exceeded` while the allowance is used up, and the refusals of
 * `beginPlanned` if it never started.
 */
export async function resumeBroadcast(ctx: Context, id: string): Promise<BroadcastRow> {
  const row = await lockBroadcast(ctx, id)
  if (row.sending) return row
  if (row.status !== 'paused')
    refuse('conflict', `The campaign is ${row.status}. Only a paused campaign can be resumed.`)
  const patch = await prepareResume(ctx, row)
  if (patch instanceof Refusal) throw patch
  return change(ctx, row, 'resumed', patch)
}

/** Returns the columns that resume a paused campaign, or the refusal while its obstacle remains. */
export async function prepareResume(ctx: Context, row: BroadcastRow): Promise<Refusal | Patch> {
  const obstacle = await obstacleOf(ctx, row)
  if (obstacle) return new Refusal(obstacle.code, obstacle.why)
  if (isNoRoom(row.pausedReason) && (await readMessageRoom(ctx)) === 0)
    return new Refusal('quota_exceeded', explainNoRoom(ctx.workspace))
  // A campaign that paused at its scheduled time starts only now.
  const started = row.startedAt ? {} : await beginPlanned(ctx, row)
  if (started instanceof Refusal) return started
  wake(ctx, HANDOVER)
  return { ...started, ...running(ctx), status: row.completedAt ? 'completed' : 'running' }
}

/** `gone`: the number or the template is gone for good. */
type Obstacle = { code: 'number_banned' | 'sending_blocked' | 'conflict'; why: string; gone?: true }

/** Returns the obstacle of a campaign: its number cannot send, or its template is no longer approved. */
export async function obstacleOf(
  ctx: Context,
  row: Pick<BroadcastRow, 'id' | 'phoneNumberId' | 'templateId' | 'testPhase'>,
): Promise<Obstacle | undefined> {
  const number = chooseNumber(await listNumbers(ctx, [ctx.workspace.id]), ctx.workspace.id, row.phoneNumberId)
  if (number instanceof Error)
    return { code: 'sending_blocked', why: 'The sending number is no longer connected.', gone: true }
  const refused = refuseNumber(number, ctx.now)
  if (refused) return { code: refused.code as 'number_banned' | 'sending_blocked', why: refused.message }
  return isUndecided(row) ? obstacleOfVariants(ctx, row.id) : obstacleOfTemplate(ctx, row.templateId)
}

/** Returns the first obstacle of the templates that a campaign compares, at most three. */
async function obstacleOfVariants(ctx: Context, id: string): Promise<Obstacle | undefined> {
  const templateIds = new Set((await listVariants(ctx, id)).map(({ templateId }) => templateId))
  const found = await Promise.all([...templateIds].map((templateId) => obstacleOfTemplate(ctx, templateId)))
  return found.find((obstacle) => obstacle !== undefined)
}

async function obstacleOfTemplate(ctx: Context, templateId: string): Promise<Obstacle | undefined> {
  const template = await getTemplate(ctx, templateId).catch(() => undefined)
  if (!template) return { code: 'conflict', why: 'The template was deleted.', gone: true }
  if (template.status === 'approved') return undefined
  return { code: 'conflict', why: `The template is ${template.status}.` }
}

/**
 * Cancels a campaign. Submitted messages are not affected; a background job skips the rest. Canceling twice
 * changes nothing. Refuses `conflict` if nothing is left to stop.
 */
export async function cancelBroadcast(ctx: Context, id: string): Promise<BroadcastRow> {
  const row = await lockBroadcast(ctx, id)
  if (row.status === 'cancelled') return row
  await refuseHandedOver(ctx, row)
  const hasStarted = row.startedAt !== null
  return change(ctx, row, 'cancelled', {
    status: 'cancelled',
    sending: false,
    pausedReason: null,
    cancelledAt: ctx.now,
    runAt: hasStarted ? realTime(ctx.now, ctx.workspace) : null,
  })
}
