/**
 * Changes a lead (spec 3, 4.5). Changed fields are listed in `changed`, recorded in the timeline, and
 * announced.
 */
import type { Context } from '../../../../core/context.ts'
import { refuseHiddenChange } from '../../../../core/customer-details.ts'
import { Refusal } from '../../../../core/errors.ts'
import { emit, touch } from '../../../../core/event.ts'
import { notifyMembers } from '../../../platform/notifications/operations.ts'
import { leadAssigned, leadStageChanged } from '../events.ts'
import { type LeadRow, updateLeadRows } from '../queries/leads.ts'
import { findEarliestDue } from '../queries/tasks.ts'
import { insertTimelineRows, type TimelineRow } from '../queries/timeline.ts'
import type { LeadChange, LeadPatch } from '../schema.ts'
import { getLeadForUpdate, readLeadWords } from './find-lead.ts'
import { changeData, changesOf, judgeLeadChange } from './judge-lead-change.ts'
import { type LeadWords, leadInEvent, lostReasonOf, ownerOf, stageInEvent } from './present-lead.ts'
import { timelineActor, timelineEntry } from './timeline.ts'

/** Changes one lead. A patch that changes nothing writes nothing and fires no event. */
export async function updateLead(
  ctx: Context,
  ref: string,
  patch: LeadPatch,
): Promise<{ lead: LeadRow; changed: LeadChange[]; words: LeadWords }> {
  const before = await getLeadForUpdate(ctx, ref)
  refuseHiddenChange(ctx, 'email', before.email, patch.email)
  const words = await readLeadWords(ctx)
  // A pending task takes precedence over a manually set time (docs/clarifications.md, CRM).
  const due = patch.nextFollowUpAt === undefined ? null : await findEarliestDue(ctx, before.id)
  const after = judgeLeadChange(before, patch, words, due)
  if (after instanceof Refusal) throw after
  const changed = changesOf(before, after, words)
  if (changed.length === 0) return { lead: before, changed, words }
  const lead = {
    ...after,
    stageChangedAt: changed.includes('stage_changed') ? ctx.now : before.stageChangedAt,
    updatedAt: ctx.now,
  }
  await Promise.all([
    updateLeadRows(ctx.tx, [lead]),
    insertTimelineRows(ctx.tx, entriesOf(ctx, before, lead, changed, words)),
  ])
  announce(ctx, before, lead, changed, words)
  touch(ctx, { lead: lead.id })
  if (changed.includes('owner_changed'))
    await notifyMembers(ctx, [
      {
        kind: 'lead_assigned',
        memberId: ownerOf(words, lead.ownerId)?.id,
        title: lead.name ?? lead.phone,
        subjectId: lead.id,
        contactId: lead.contactId,
      },
    ])
  return { lead, changed, words }
}

function entriesOf(
  ctx: Context,
  before: LeadRow,
  after: LeadRow,
  changed: LeadChange[],
  words: LeadWords,
): TimelineRow[] {
  const actor = timelineActor(ctx, words.team)
  return changed.map((change) =>
    timelineEntry(ctx, after.id, actor, change, changeData(change, before, after, words)),
  )
}

function announce(
  ctx: Context,
  before: LeadRow,
  lead: LeadRow,
  changed: LeadChange[],
  words: LeadWords,
): void {
  const subjects = { contactId: lead.contactId }
  const eventLead = leadInEvent(lead, words)
  const timestamp = ctx.now.toISOString()
  if (changed.includes('stage_changed'))
    emit(
      ctx,
      leadStageChanged,
      {
        lead: eventLead,
        from: stageInEvent(words, before.stageId),
        to: stageInEvent(words, lead.stageId),
        lostReason: lostReasonOf(words, lead),
        changedAt: timestamp,
      },
      subjects,
    )
  if (changed.includes('owner_changed'))
    emit(
      ctx,
      leadAssigned,
      {
        lead: eventLead,
        from: ownerOf(words, before.ownerId),
        to: ownerOf(words, lead.ownerId),
        assignedAt: timestamp,
      },
      subjects,
    )
}
