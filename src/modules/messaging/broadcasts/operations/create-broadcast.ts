import { later, realTime } from '../../../../core/clock.ts'
import { type Context, wake } from '../../../../core/context.ts'
import { invalid } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { json } from '../../../../database/sql/sql.ts'
import { recordActivity } from '../../../platform/workspaces/operations/activity.ts'
import { requireReadableAudience, resolveSegment } from '../audience.ts'
import { type BroadcastRow, findBroadcastRow, insertBroadcastRow } from '../queries/broadcasts.ts'
import { holdSegment } from '../queries/segments.ts'
import type { NewBroadcast } from '../schema.ts'
import { type Assessment, assessCampaign } from './gates.ts'

/** Name of the work source for the fan-out of campaigns. */
export const BROADCASTS = 'broadcasts'
/** A later time is probably a mistake. */
const MAX_AHEAD_MS = 366 * 86_400_000

/** Throws the first refusal of the gates. */
export function requirePassed(
  assessment: Assessment,
): Assessment & { sendable: NonNullable<Assessment['sendable']> } {
  const [first] = assessment.refusals
  if (first) throw first
  return { ...assessment, sendable: assessment.sendable! }
}

/** Returns the columns of an assessed campaign: its content, and its counted audience. */
export const assessedColumns = ({
  counts,
  template,
  audience,
  sendable,
}: ReturnType<typeof requirePassed>) => ({
  templateName: template.name,
  category: audience.category,
  segment: json(audience.segment),
  content: json(sendable.content),
  templateText: sendable.templateText,
  matched: counts.matched,
  willSend: counts.willSend,
  suppressed: counts.suppressed,
  newRecipients: counts.newRecipients,
})

/** Returns the columns of a campaign that runs from now on. */
export const running = (ctx: Context) =>
  ({
    status: 'running',
    sending: true,
    pausedReason: null,
    runAt: realTime(ctx.now, ctx.workspace),
    updatedAt: ctx.now,
  }) as const

/** Refuses (`invalid`) a time in the past or too far ahead. */
export function checkSchedule(ctx: Pick<Context, 'now'>, scheduledAt: Date | undefined): void {
  if (scheduledAt && (scheduledAt <= ctx.now || scheduledAt > later(ctx.now, MAX_AHEAD_MS)))
    throw invalid([{ path: 'scheduledAt', message: 'Must be in the future, at most a year ahead.' }])
}

function beginning(ctx: Context, { sendNow, scheduledAt }: NewBroadcast) {
  if (sendNow) return { ...running(ctx), startedAt: ctx.now }
  if (!scheduledAt) return { status: 'draft' }
  return { status: 'scheduled', scheduledAt, runAt: realTime(scheduledAt, ctx.workspace) }
}

/**
 * Creates a campaign (spec 4.4): running, scheduled, or a draft. Counts the audience now; a background job
 * walks it. Refusals: those of the gates (`assessCampaign`), `invalid_reference`, `invalid` for the time.
 */
export async function createBroadcast(ctx: Context, input: NewBroadcast): Promise<BroadcastRow> {
  requireReadableAudience(ctx, input.segment)
  checkSchedule(ctx, input.scheduledAt)
  // The lock makes a concurrent rename of the segment's tag rename the tag in this campaign too.
  if (input.segment.segmentId !== undefined) await holdSegment(ctx, input.segment.segmentId)
  const segment = await resolveSegment(ctx, input.segment)
  const assessment = requirePassed(
    await assessCampaign(ctx, { ...input, segment }, { begins: input.sendNow }),
  )
  const id = newId()
  await insertBroadcastRow(ctx, {
    workspaceId: ctx.workspace.id,
    id,
    name: input.name,
    templateId: assessment.template.id,
    phoneNumberId: assessment.number.id,
    variables: input.variables ? json(input.variables) : null,
    knownOnly: assessment.audience.knownOnly,
    confirmed: input.confirmNewRecipients ?? false,
    followUpOf: input.followUpOf?.toLowerCase() ?? null,
    createdBy: ctx.actor.kind === 'platform' ? null : ctx.actor.memberId,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    ...assessedColumns(assessment),
    ...beginning(ctx, input),
  })
  const row = (await findBroadcastRow(ctx, id))!
  if (input.confirmNewRecipients) await recordConfirmation(ctx, row)
  if (row.status === 'running')
    await recordActivity(ctx, 'broadcast.started', { broadcastId: id, name: row.name })
  if (row.scheduledAt)
    await recordActivity(ctx, 'broadcast.scheduled', {
      broadcastId: id,
      name: row.name,
      scheduledAt: row.scheduledAt.toISOString(),
    })
  touch(ctx, { broadcast: id })
  wake(ctx, BROADCASTS)
  return row
}

/**
 * Logs who confirmed that new recipients agreed to the campaign (spec 4.4). It does so even if there are none
 * yet, because some may join later. With `knownOnly` there is nothing to confirm.
 */
export async function recordConfirmation(
  ctx: Context,
  { id, name, knownOnly, newRecipients }: Pick<BroadcastRow, 'id' | 'name' | 'knownOnly' | 'newRecipients'>,
): Promise<void> {
  if (!knownOnly)
    await recordActivity(ctx, 'broadcast.new_recipients_confirmed', { broadcastId: id, name, newRecipients })
}
