/** Start, pause, resume and cancel a campaign (docs/decisions/campaign-gates.md). */
import { realTime } from '../../../core/clock.ts'
import { type Context, wake } from '../../../core/context.ts'
import { Refusal, refuse } from '../../../core/errors.ts'
import { touch } from '../../../core/event.ts'
import { isUuid } from '../../../core/ids.ts'
import { readMessageRoom, saysNoRoom, whyNoRoom } from '../../messages/sending/operations/queue-campaign.ts'
import { HANDOVER } from '../../messages/sending/operations/send-messages.ts'
import { hasQueuedMessages } from '../../messages/sending/operations/skip-messages.ts'
import { getTemplate } from '../../templates/operations/read-templates.ts'
import { recordActivity } from '../../workspaces/operations/activity.ts'
import { chooseNumber } from '../../workspaces/operations/choose-number.ts'
import { listNumbers } from '../../workspaces/operations/phone-numbers.ts'
import {
  type BroadcastRow,
  findBroadcastRow,
  findBroadcastRowForUpdate,
  paused,
  updateBroadcastRow,
} from '../queries/broadcasts.ts'
import { beginPlanned } from './begin-planned.ts'
import { assessed, BROADCASTS, mustPass, recordConfirmation, running } from './create-broadcast.ts'
import { assessCampaign, refuseNumber } from './gates.ts'

/** The campaign, locked. Refuses `not_found`. */
async function lockBroadcast(ctx: Context, id: string): Promise<BroadcastRow> {
  const row = isUuid(id) ? await findBroadcastRowForUpdate(ctx, id) : undefined
  return row ?? refuse('not_found', 'Campaign not found. See GET /broadcasts.')
}

type Step = 'started' | 'paused' | 'resumed' | 'cancelled'

type Patch = Parameters<typeof updateBroadcastRow>[2]

async function change(ctx: Context, row: BroadcastRow, step: Step, patch: Patch): Promise<BroadcastRow> {
  await recordActivity(ctx, `broadcast.${step}`, { broadcastId: row.id, name: row.name })
  await updateBroadcastRow(ctx, row.id, { ...patch, updatedAt: ctx.now })
  touch(ctx, { broadcast: row.id })
  wake(ctx, BROADCASTS)
  return (await findBroadcastRow(ctx, row.id))!
}

/**
 * Starts a draft, or a scheduled campaign before its time: it passes the gates anew, as things are now. Refuses `conflict`,
 * also where its template was deleted, and `sending_blocked` where its number is gone.
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
  const passed = mustPass(
    await assessCampaign(
      ctx,
      {
        templateId: row.templateId,
        phoneNumberId: row.phoneNumberId,
        // As it was named then: whoever was erased meanwhile drops out.
        segment: row.segment,
        variables: row.variables ?? undefined,
        confirmNewRecipients: confirmed,
        knownOnly: row.knownOnly,
        followUpOf: row.followUpOf ?? undefined,
      },
      { begins: true },
    ),
  )
  if (confirmNewRecipients)
    await recordConfirmation(ctx, { ...row, newRecipients: passed.counts.newRecipients })
  return change(ctx, row, 'started', {
    ...assessed(passed),
    ...running(ctx),
    confirmed,
    startedAt: ctx.now,
  })
}

/** Refuses `conflict` when the campaign is completed and nothing is left to stop. */
async function refuseHandedOver(ctx: Context, row: BroadcastRow): Promise<void> {
  if (row.status === 'completed' && !(await hasQueuedMessages(ctx, row.id)))
    refuse(
      'conflict',
      'The campaign is completed and all its messages are submitted. There is nothing left to stop.',
    )
}

/**
 * Hands nothing more over and queues nothing more until it is resumed: a campaign that runs, or one that is completed
 * and has messages waiting for their number's pace. Refuses `conflict`.
 */
export async function pauseBroadcast(ctx: Context, id: string): Promise<BroadcastRow> {
  const row = await lockBroadcast(ctx, id)
  if (row.status === 'paused' && row.pausedReason === null) return row
  // One that paused by itself stays paused now, until somebody resumes it.
  if (row.status === 'paused') return change(ctx, row, 'paused', paused(null))
  await refuseHandedOver(ctx, row)
  if (row.status !== 'running' && row.status !== 'completed')
    refuse('conflict', `The campaign is ${row.status}. Only a running campaign can be paused.`)
  return change(ctx, row, 'paused', paused(null))
}

/**
 * Goes on where it was paused; one that was completed is so again, and announced once. Refuses `conflict`, what stands in the
 * way of its number or template, `quota_exceeded` while that is why it paused, and where it never began what `beginPlanned` refuses.
 */
export async function resumeBroadcast(ctx: Context, id: string): Promise<BroadcastRow> {
  const row = await lockBroadcast(ctx, id)
  if (row.sending) return row
  if (row.status !== 'paused')
    refuse('conflict', `The campaign is ${row.status}. Only a paused campaign can be resumed.`)
  const patch = await goOn(ctx, row)
  if (patch instanceof Refusal) throw patch
  return change(ctx, row, 'resumed', patch)
}

/** What is written when a paused campaign goes on where it was, or what still stands in its way. */
export async function goOn(ctx: Context, row: BroadcastRow): Promise<Refusal | Patch> {
  const obstacle = await obstacleOf(ctx, row)
  if (obstacle) return new Refusal(obstacle.code, obstacle.why)
  if (saysNoRoom(row.pausedReason) && (await readMessageRoom(ctx)) === 0)
    return new Refusal('quota_exceeded', whyNoRoom(ctx.workspace))
  // One that paused at its time begins only now.
  const begun = row.startedAt ? {} : await beginPlanned(ctx, row)
  if (begun instanceof Refusal) return begun
  wake(ctx, HANDOVER)
  return { ...begun, ...running(ctx), status: row.completedAt ? 'completed' : 'running' }
}

/** `gone`: the number or the template itself, for good. */
type Obstacle = { code: 'number_banned' | 'sending_blocked' | 'conflict'; why: string; gone?: true }

/** What stands in the way of going on: the number cannot send, or the template is not approved any more. */
export async function obstacleOf(
  ctx: Context,
  row: Pick<BroadcastRow, 'phoneNumberId' | 'templateId'>,
): Promise<Obstacle | undefined> {
  const number = chooseNumber(await listNumbers(ctx, [ctx.workspace.id]), ctx.workspace.id, row.phoneNumberId)
  if (number instanceof Error)
    return { code: 'sending_blocked', why: 'The sending number is no longer connected.', gone: true }
  const refused = refuseNumber(number, ctx.now)
  if (refused) return { code: refused.code as 'number_banned' | 'sending_blocked', why: refused.message }
  const template = await getTemplate(ctx, row.templateId).catch(() => undefined)
  if (!template) return { code: 'conflict', why: 'The template was deleted.', gone: true }
  if (template.status === 'approved') return undefined
  return { code: 'conflict', why: `The template is ${template.status}.` }
}

/**
 * Cancels a campaign: what was handed over stays, everything else is skipped in the background. Cancelling twice is the
 * same as once. Refuses `conflict` when nothing is left to stop.
 */
export async function cancelBroadcast(ctx: Context, id: string): Promise<BroadcastRow> {
  const row = await lockBroadcast(ctx, id)
  if (row.status === 'cancelled') return row
  await refuseHandedOver(ctx, row)
  const begun = row.startedAt !== null
  return change(ctx, row, 'cancelled', {
    status: 'cancelled',
    sending: false,
    pausedReason: null,
    cancelledAt: ctx.now,
    runAt: begun ? realTime(ctx.now, ctx.workspace) : null,
  })
}
