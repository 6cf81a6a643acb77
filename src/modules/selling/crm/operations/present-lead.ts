import type { z } from 'zod'
import { isoOf } from '../../../../core/clock.ts'
import type { MemberRow } from '../../../platform/workspaces/operations/workspace-members.ts'
import type { LeadInEvent } from '../events.ts'
import type { LeadRow } from '../queries/leads.ts'
import type { StageRow } from '../queries/pipeline.ts'
import type { Lead } from '../schema.ts'
import { type Pipeline, standingStage } from './pipeline.ts'

/** The stages, reasons, and members that leads of a workspace refer to. */
export type LeadWords = { pipeline: Pipeline; team: MemberRow[] }

export const stageOf = ({ pipeline }: LeadWords, id: string): StageRow => standingStage(pipeline, id)

/** Returns why a lead is lost. If its stage is no longer a lost stage, it isn't lost and has no reason. */
export const lostReasonOf = (
  words: LeadWords,
  { stageId, lostReasonId }: Pick<LeadRow, 'stageId' | 'lostReasonId'>,
): { id: string; label: string } | null => {
  if (lostReasonId === null || stageOf(words, stageId).kind !== 'lost') return null
  const { lostReasons, removedReasons } = words.pipeline
  const reason = [...lostReasons, ...removedReasons].find((candidate) => candidate.id === lostReasonId)
  return reason ? { id: reason.id, label: reason.label } : null
}

/** Returns the owner in the form for responses. A former member no longer counts as owner. */
export function ownerOf({ team }: LeadWords, id: string | null) {
  const member = id === null ? undefined : team.find((member) => member.id === id)
  return member ? { id: member.id, name: member.name, email: member.email } : null
}

/** Returns a stored lead in the form for responses (spec 2.2). */
export const presentLead = (
  lead: LeadRow,
  words: LeadWords,
  conversationId: string | null,
): z.input<typeof Lead> => {
  const { id, name, color, kind } = stageOf(words, lead.stageId)
  return {
    id: lead.id,
    name: lead.name,
    phone: lead.phone,
    email: lead.email,
    stage: { id, name, color, kind },
    stageChangedAt: isoOf(lead.stageChangedAt),
    lostReason: lostReasonOf(words, lead),
    rating: lead.rating,
    source: lead.source,
    owner: ownerOf(words, lead.ownerId),
    dealValue: lead.dealValue,
    paidTotal: lead.paidTotal,
    tags: lead.tags,
    attributes: lead.attributes,
    nextFollowUpAt: lead.nextFollowUpAt?.toISOString() ?? null,
    captureCount: lead.captureCount,
    contactId: lead.contactId,
    conversationId,
    lastCapturedAt: isoOf(lead.lastCapturedAt),
    createdAt: isoOf(lead.createdAt),
    updatedAt: isoOf(lead.updatedAt),
  }
}

/** Returns the stage for this stage id, in the form for events. */
export const stageInEvent = (words: LeadWords, stageId: string): LeadInEvent['stage'] => {
  const { id, name, kind } = stageOf(words, stageId)
  return { id, name, kind }
}

/** Returns a stored lead in the form for events (spec 6.3). */
export const leadInEvent = (lead: LeadRow, words: LeadWords): LeadInEvent => ({
  id: lead.id,
  phone: lead.phone,
  name: lead.name,
  email: lead.email,
  stage: stageInEvent(words, lead.stageId),
  owner: ownerOf(words, lead.ownerId),
  source: lead.source,
  rating: lead.rating,
  dealValue: lead.dealValue,
  tags: lead.tags,
})
