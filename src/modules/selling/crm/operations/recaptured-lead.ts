import { Refusal } from '../../../../core/errors.ts'
import { mergeAttributes } from '../../../messaging/contacts/operations/merge-attributes.ts'
import type { LeadRow } from '../queries/leads.ts'

/**
 * Returns a known lead after another capture: counted, and with the form's answers for fields that it lacks.
 */
export function recapturedLead(before: LeadRow, answers: Record<string, string>, now: Date): LeadRow {
  const missingAnswers = Object.entries(answers).filter(([name]) => !Object.hasOwn(before.attributes, name))
  const merged =
    missingAnswers.length === 0
      ? before.attributes
      : mergeAttributes(before.attributes, Object.fromEntries(missingAnswers), 'lead')
  return {
    ...before,
    captureCount: before.captureCount + 1,
    lastCapturedAt: now,
    // A full lead keeps its fields. The answers are in its timeline.
    attributes: merged instanceof Refusal ? before.attributes : merged,
  }
}
