import { later, realTime } from '../../../../core/clock.ts'
import { type Context, wake } from '../../../../core/context.ts'
import { invalid } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { json } from '../../../../database/sql/sql.ts'
import { recordActivity } from '../../../platform/workspaces/operations/activity.ts'
import { requireReadableAudience, requireReadableValues, resolveSegment } from '../audience.ts'
import { type BroadcastRow, findBroadcastRow, insertBroadcastRow } from '../queries/broadcasts.ts'
import { holdSegment } from '../queries/segments.ts'
import type { NewBroadcast } from '../schema.ts'
import { type Assessment, assessCampaign } from './gates.ts'
import {
  contentColumns,
  type FilledTemplate,
  plannedContents,
  storeVariants,
  testColumns,
  variablesColumn,
} from './variants.ts'

/** Name of the work source for the fan-out of campaigns. */
export const BROADCASTS = 'broadcasts'
/** A later time is probably a mistake. */
const MAX_AHEAD_MS = 366 * 86_400_000

type Passed = Omit<Assessment, 'contents'> & { contents: FilledTemplate[] }

/** Throws the first refusal of the gates. */
export function requirePassed(assessment: Assessment): Passed {
  const [first] = assessment.refusals
  if (first) throw first
  return {
    ...assessment,
    contents: assessment.contents.map(({ template, sendable }) => ({ template, sendable: sendable! })),
  }
}

/** Returns the columns of an assessed campaign: its content, and its counted audience. */
export const assessedColumns = ({ counts, audience, contents }: Passed) => ({
  ...contentColumns(contents[0]!),
  category: audience.category,
  segment: json(audience.segment),
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
  const contents = plannedContents(input)
  requireReadableValues(ctx, contents)
  checkSchedule(ctx, input.scheduledAt)
  // The lock makes a concurrent rename of the segment's tag rename the tag in this campaign too.
  if (input.segment.segmentId !== undefined) await holdSegment(ctx, input.segment.segmentId)
  const segment = await resolveSegment(ctx, input.segment)
  const assessment = requirePassed(
    await assessCampaign(ctx, { ...input, contents, segment }, { begins: input.sendNow }),
  )
  const id = newId()
  await insertBroadcastRow(ctx, {
    workspaceId: ctx.workspace.id,
    id,
    name: input.name,
    templateId: contents[0]!.templateId,
    phoneNumberId: assessment.number.id,
    variables: variablesColumn(contents[0]!.variables),
    ...testColumns(input),
    knownOnly: assessment.audience.knownOnly,
    confirmed: input.confirmNewRecipients ?? false,
    followUpOf: input.followUpOf?.toLowerCase() ?? null,
    createdBy: ctx.actor.kind === 'platform' ? null : ctx.actor.memberId,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    ...assessedColumns(assessment),
    ...beginning(ctx, input),
  })
  if (input.variants) await storeVariants(ctx, { id, variants: input.variants, filled: assessment.contents })
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
