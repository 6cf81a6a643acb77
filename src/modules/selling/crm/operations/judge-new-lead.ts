/** Decides whether the body of a capture is a lead, and what its names mean. Reads nothing. */
import { invalid, Refusal } from '../../../../core/errors.ts'
import { mergeAttributes } from '../../../messaging/contacts/operations/merge-attributes.ts'
import { notANumber } from '../../../messaging/contacts/operations/settle-numbers.ts'
import type { NewLead } from '../schema.ts'
import { initialStage } from './pipeline.ts'
import type { LeadWords } from './present-lead.ts'
import { missingLostReason, resolveLostReason, resolveOptionalMember, resolveStage } from './references.ts'

/** The meaning of the names in a capture. */
export type NewLeadTerms = {
  e164: string
  stageId: string
  lostReasonId: string | null
  /** Undefined: the workspace's rule decides. */
  ownerId: string | null | undefined
  attributes: Record<string, unknown>
}

/**
 * Resolves the names in a capture. Returns `invalid` for unknown names. `e164`: the number it was settled to,
 * if any.
 */
export function judgeNewLead(
  body: NewLead,
  words: LeadWords,
  e164: string | undefined,
): NewLeadTerms | Refusal {
  if (e164 === undefined)
    return body.phone.startsWith('chan:')
      ? invalid([{ path: 'phone', message: 'A lead must have a phone number. This customer has none.' }])
      : notANumber('phone', body.phone)
  const stage =
    body.stage === undefined ? initialStage(words.pipeline) : resolveStage(body.stage, words.pipeline)
  if (stage instanceof Refusal) return stage
  const reason =
    body.lostReason === undefined ? undefined : resolveLostReason(body.lostReason, words.pipeline)
  if (reason instanceof Refusal) return reason
  if (reason && stage.kind !== 'lost')
    return invalid([{ path: 'lostReason', message: 'Must be left out unless the stage is of kind lost.' }])
  if (!reason && stage.kind === 'lost') {
    const refusal = missingLostReason(words.pipeline)
    if (refusal) return refusal
  }
  const owner = resolveOptionalMember(body.owner, words.team, 'owner')
  if (owner instanceof Refusal) return owner
  const ownerId = owner === null ? null : owner?.id
  const attributes = mergeAttributes({}, body.attributes, 'lead')
  if (attributes instanceof Refusal) return attributes
  return { e164, stageId: stage.id, lostReasonId: reason?.id ?? null, ownerId, attributes }
}
