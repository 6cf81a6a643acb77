/** Moves a campaign to another time, before it starts (DECISIONS.md "Moving a campaign"). */
import { realTime } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { recordActivity } from '../../../platform/workspaces/operations/activity.ts'
import type { BroadcastRow } from '../queries/broadcasts.ts'
import { listVariants } from '../queries/variants.ts'
import { applyChange, lockBroadcast } from './change-broadcast.ts'
import { obstacleOf } from './control-broadcast.ts'
import { assessedColumns, checkSchedule, requirePassed } from './create-broadcast.ts'
import { assessCampaign } from './gates.ts'
import { refillVariants } from './variants.ts'

/**
 * Schedules a draft or scheduled campaign for a time, after checking the gates for that time. Moving it to the same time
 * changes nothing. Refuses `not_found`, `conflict`, `invalid` for the time, and the refusals of the gates.
 */
export async function moveBroadcast(ctx: Context, id: string, scheduledAt: Date): Promise<BroadcastRow> {
  const row = await lockBroadcast(ctx, id)
  if (row.status === 'scheduled' && row.scheduledAt?.getTime() === scheduledAt.getTime()) return row
  if (row.status !== 'draft' && row.status !== 'scheduled')
    refuse('conflict', `The campaign is ${row.status}. Only a draft or scheduled campaign can be moved.`)
  checkSchedule(ctx, scheduledAt)
  const obstacle = await obstacleOf(ctx, row)
  if (obstacle?.gone) refuse(obstacle.code, obstacle.why)
  const variants = row.testPhase === null ? undefined : await listVariants(ctx, row.id)
  const assessment = requirePassed(
    await assessCampaign(ctx, {
      contents: variants ?? [row],
      phoneNumberId: row.phoneNumberId,
      segment: row.segment,
      confirmNewRecipients: row.confirmed,
      knownOnly: row.knownOnly,
      followUpOf: row.followUpOf ?? undefined,
      scheduledAt,
    }),
  )
  if (variants) await refillVariants(ctx, variants, assessment.contents)
  await recordActivity(ctx, 'broadcast.scheduled', {
    broadcastId: row.id,
    name: row.name,
    scheduledAt: scheduledAt.toISOString(),
  })
  return applyChange(ctx, row, {
    ...assessedColumns(assessment),
    status: 'scheduled',
    scheduledAt,
    runAt: realTime(scheduledAt, ctx.workspace),
  })
}
