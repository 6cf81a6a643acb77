import { later, realTime } from '../../../core/clock.ts'
import { type Context, wake } from '../../../core/context.ts'
import { invalid } from '../../../core/errors.ts'
import { touch } from '../../../core/event.ts'
import { newId } from '../../../core/ids.ts'
import { json } from '../../../core/sql.ts'
import { recordActivity } from '../../workspaces/operations/activity.ts'
import { requireReadableAudience, resolveSegment } from '../audience.ts'
import { type BroadcastRow, findBroadcastRow, insertBroadcastRow } from '../queries/broadcasts.ts'
import { holdSegment } from '../queries/segments.ts'
import type { NewBroadcast } from '../schema.ts'
import { type Assessment, assessCampaign } from './gates.ts'

/** The source of background work that fans campaigns out. */
export const BROADCASTS = 'broadcasts'
/** Further ahead a plan is a slip of the pen. */
const MAX_AHEAD_MS = 366 * 86_400_000

/** Throws the first refusal of the gates. */
export function mustPass(assessment: Assessment): Assessment & { said: NonNullable<Assessment['said']> } {
  const [first] = assessment.refusals
  if (first) throw first
  return { ...assessment, said: assessment.said! }
}

/** What is stored of an assessed campaign: what it says, and whom it was counted for. */
export const assessed = ({ counts, template, audience, said }: ReturnType<typeof mustPass>) => ({
  templateName: template.name,
  category: audience.category,
  segment: json(audience.segment),
  content: json(said.content),
  templateText: said.templateText,
  matched: counts.matched,
  willSend: counts.willSend,
  suppressed: counts.suppressed,
  newRecipients: counts.newRecipients,
})

/** What makes a campaign run from now on. */
export const running = (ctx: Context) =>
  ({
    status: 'running',
    sending: true,
    pausedReason: null,
    runAt: realTime(ctx.now, ctx.workspace),
    updatedAt: ctx.now,
  }) as const

/** Refuses a time at which no campaign can be sent (`invalid`). */
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
 * Creates a campaign (spec 4.4): running, scheduled, or a draft. The audience is counted now and walked in the background
 * once it runs. Refusals: those of the gates (`assessCampaign`), `invalid_reference`, `invalid` for the time.
 */
export async function createBroadcast(ctx: Context, given: NewBroadcast): Promise<BroadcastRow> {
  requireReadableAudience(ctx, given.segment)
  checkSchedule(ctx, given.scheduledAt)
  // Whoever renames a tag of it meanwhile comes to the campaign too.
  if (given.segment.segmentId !== undefined) await holdSegment(ctx, given.segment.segmentId)
  const segment = await resolveSegment(ctx, given.segment)
  const passed = mustPass(await assessCampaign(ctx, { ...given, segment }, { begins: given.sendNow }))
  const id = newId()
  await insertBroadcastRow(ctx, {
    workspaceId: ctx.workspace.id,
    id,
    name: given.name,
    templateId: passed.template.id,
    phoneNumberId: passed.number.id,
    variables: given.variables ? json(given.variables) : null,
    knownOnly: passed.audience.knownOnly,
    confirmed: given.confirmNewRecipients ?? false,
    followUpOf: given.followUpOf?.toLowerCase() ?? null,
    createdBy: ctx.actor.kind === 'platform' ? null : ctx.actor.memberId,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    ...assessed(passed),
    ...beginning(ctx, given),
  })
  const row = (await findBroadcastRow(ctx, id))!
  if (given.confirmNewRecipients) await recordConfirmation(ctx, row)
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
 * Logs who said that recipients who never messaged the business agreed to it (spec 4.4), also where there are none yet: by
 * its time a campaign may have some. With `knownOnly` it never writes to one.
 */
export async function recordConfirmation(
  ctx: Context,
  { id, name, knownOnly, newRecipients }: Pick<BroadcastRow, 'id' | 'name' | 'knownOnly' | 'newRecipients'>,
): Promise<void> {
  if (!knownOnly)
    await recordActivity(ctx, 'broadcast.new_recipients_confirmed', { broadcastId: id, name, newRecipients })
}
