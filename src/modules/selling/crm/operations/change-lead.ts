/**
 * Changes a lead (spec 3, 4.5). Changed fields are listed in `changed`, recorded in the timeline, and
 * announced.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../../core/context.ts'
import { invalid, Refusal } from '../../../../core/errors.ts'
import { emit, touch } from '../../../../core/event.ts'
import { mergeAttributes } from '../../../messaging/contacts/operations/merge-attributes.ts'
import { TAGS_MAX } from '../../../messaging/contacts/schema.ts'
import { notifyMembers } from '../../../platform/notifications/operations.ts'
import { leadAssigned, leadStageChanged } from '../events.ts'
import { type LeadRow, updateLeadRows } from '../queries/leads.ts'
import { findEarliestDue } from '../queries/tasks.ts'
import { insertTimelineRows, type TimelineRow } from '../queries/timeline.ts'
import type { LeadChange, LeadPatch } from '../schema.ts'
import { getLeadForUpdate, readLeadWords } from './find-lead.ts'
import { type LeadWords, leadInEvent, lostReasonOf, ownerOf, stageInEvent, stageOf } from './present-lead.ts'
import { missingLostReason, resolveLostReason, resolveOptionalMember, resolveStage } from './references.ts'
import { timelineActor, timelineEntry } from './timeline.ts'

/** Fields whose changes are listed and recorded in the timeline as they are. */
const PLAIN: [LeadChange, keyof LeadRow][] = [
  ['tags_changed', 'tags'],
  ['name_changed', 'name'],
  ['email_changed', 'email'],
  ['source_changed', 'source'],
  ['rating_changed', 'rating'],
  ['deal_value_changed', 'dealValue'],
  ['attributes_changed', 'attributes'],
  ['follow_up_changed', 'manualFollowUpAt'],
]

/** Changes one lead. A patch that changes nothing writes nothing and fires no event. */
export async function updateLead(
  ctx: Context,
  ref: string,
  patch: LeadPatch,
): Promise<{ lead: LeadRow; changed: LeadChange[]; words: LeadWords }> {
  const before = await getLeadForUpdate(ctx, ref)
  const words = await readLeadWords(ctx)
  // A pending task takes precedence over a manually set time (docs/clarifications.md, CRM).
  const due = patch.nextFollowUpAt === undefined ? null : await findEarliestDue(ctx, before.id)
  const after = patched(before, patch, words, due)
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

/** Returns the lead with `patch` applied, or the error. */
function patched(lead: LeadRow, patch: LeadPatch, words: LeadWords, due: Date | null): LeadRow | Refusal {
  const stage =
    patch.stage === undefined ? stageOf(words, lead.stageId) : resolveStage(patch.stage, words.pipeline)
  if (stage instanceof Refusal) return stage
  const lostReasonId = lostReasonAfter(lead, patch, stage, words)
  if (lostReasonId instanceof Refusal) return lostReasonId
  const owner = resolveOptionalMember(patch.owner, words.team, 'owner')
  if (owner instanceof Refusal) return owner
  const removedTags = new Set(patch.removeTags)
  const tags =
    patch.tags ??
    [...new Set([...lead.tags, ...(patch.addTags ?? [])])].filter((tag) => !removedTags.has(tag))
  if (tags.length > TAGS_MAX)
    return invalid([{ path: 'addTags', message: `A lead can have at most ${TAGS_MAX} tags.` }])
  const attributes = mergeAttributes(lead.attributes, patch.attributes, 'lead')
  if (attributes instanceof Refusal) return attributes
  const manualFollowUpAt = patch.nextFollowUpAt === undefined ? lead.manualFollowUpAt : patch.nextFollowUpAt
  return {
    ...lead,
    stageId: stage.id,
    lostReasonId,
    ownerId: owner === undefined ? lead.ownerId : (owner?.id ?? null),
    name: patch.name === undefined ? lead.name : patch.name,
    email: patch.email === undefined ? lead.email : patch.email,
    source: patch.source === undefined ? lead.source : patch.source,
    rating: patch.rating ?? lead.rating,
    dealValue: patch.dealValue ?? lead.dealValue,
    tags,
    attributes,
    manualFollowUpAt,
    nextFollowUpAt: patch.nextFollowUpAt === undefined ? lead.nextFollowUpAt : (due ?? manualFollowUpAt),
  }
}

/** Returns the lost reason after the change. Only a move to a lost stage has a reason (spec 3). */
function lostReasonAfter(
  lead: LeadRow,
  patch: LeadPatch,
  stage: { id: string; kind: string },
  words: LeadWords,
): string | null | Refusal {
  const stays = stage.id === stageOf(words, lead.stageId).id
  if (stage.kind !== 'lost')
    return patch.lostReason === undefined
      ? // The kind of the stage may change from lost and back, so the reason stays.
        stays
        ? lead.lostReasonId
        : null
      : invalid([{ path: 'lostReason', message: 'Must be left out unless the stage is of kind lost.' }])
  if (patch.lostReason !== undefined) {
    const reason = resolveLostReason(patch.lostReason, words.pipeline)
    return reason instanceof Refusal ? reason : reason.id
  }
  if (stays) return lead.lostReasonId
  return missingLostReason(words.pipeline) ?? lostReasonOf(words, lead)?.id ?? null
}

const sameStage = (before: LeadRow, after: LeadRow, words: LeadWords): boolean =>
  stageOf(words, before.stageId).id === after.stageId

const changesOf = (before: LeadRow, after: LeadRow, words: LeadWords): LeadChange[] => [
  ...(sameStage(before, after, words) ? [] : (['stage_changed'] as const)),
  ...(!sameStage(before, after, words) || lostReasonOf(words, before)?.id === lostReasonOf(words, after)?.id
    ? []
    : (['lost_reason_changed'] as const)),
  // A former member no longer counts as owner.
  ...(ownerOf(words, before.ownerId)?.id === ownerOf(words, after.ownerId)?.id
    ? []
    : (['owner_changed'] as const)),
  ...PLAIN.flatMap(([change, field]) => (isDeepStrictEqual(before[field], after[field]) ? [] : [change])),
]

function entriesOf(
  ctx: Context,
  before: LeadRow,
  after: LeadRow,
  changed: LeadChange[],
  words: LeadWords,
): TimelineRow[] {
  const actor = timelineActor(ctx, words.team)
  const lostReason = lostReasonOf(words, after)
  return changed.map((change) => {
    const data: Record<string, unknown> =
      change === 'stage_changed'
        ? { from: stageInEvent(words, before.stageId), to: stageInEvent(words, after.stageId), lostReason }
        : change === 'lost_reason_changed'
          ? { lostReason }
          : change === 'owner_changed'
            ? { from: ownerOf(words, before.ownerId), to: ownerOf(words, after.ownerId) }
            : fieldData(before, after, PLAIN.find(([name]) => name === change)![1])
    return timelineEntry(ctx, after.id, actor, change, data)
  })
}

function fieldData(before: LeadRow, after: LeadRow, field: keyof LeadRow) {
  if (field !== 'attributes') return { from: before[field], to: after[field] }
  // Only the changed custom fields. Copies of all fields would make the timeline larger than the lead.
  const changedFields = (row: LeadRow, other: LeadRow) =>
    Object.fromEntries(
      Object.entries(row.attributes).filter(
        ([key, value]) => !isDeepStrictEqual(value, other.attributes[key]),
      ),
    )
  return { from: changedFields(before, after), to: changedFields(after, before) }
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
