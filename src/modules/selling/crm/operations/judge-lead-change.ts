/** Decides what a patch makes of a lead, and which of its fields changed (spec 3, 4.5). Reads nothing. */
import { isDeepStrictEqual } from 'node:util'
import { invalid, Refusal } from '../../../../core/errors.ts'
import { mergeAttributes } from '../../../messaging/contacts/operations/merge-attributes.ts'
import { TAGS_MAX } from '../../../messaging/contacts/schema.ts'
import type { LeadRow } from '../queries/leads.ts'
import type { LeadChange, LeadPatch } from '../schema.ts'
import { type LeadWords, lostReasonOf, ownerOf, stageInEvent, stageOf } from './present-lead.ts'
import { missingLostReason, resolveLostReason, resolveOptionalMember, resolveStage } from './references.ts'

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

/** Returns the lead with `patch` applied, or the error. `due`: the due time of its earliest pending task. */
export function judgeLeadChange(
  lead: LeadRow,
  patch: LeadPatch,
  words: LeadWords,
  due: Date | null,
): LeadRow | Refusal {
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

/** Returns the names of the changed fields. */
export const changesOf = (before: LeadRow, after: LeadRow, words: LeadWords): LeadChange[] => [
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

/** Returns the data of a change for the timeline. */
export function changeData(
  change: LeadChange,
  before: LeadRow,
  after: LeadRow,
  words: LeadWords,
): Record<string, unknown> {
  const lostReason = lostReasonOf(words, after)
  if (change === 'stage_changed')
    return { from: stageInEvent(words, before.stageId), to: stageInEvent(words, after.stageId), lostReason }
  if (change === 'lost_reason_changed') return { lostReason }
  if (change === 'owner_changed')
    return { from: ownerOf(words, before.ownerId), to: ownerOf(words, after.ownerId) }
  return fieldData(before, after, PLAIN.find(([name]) => name === change)![1])
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
