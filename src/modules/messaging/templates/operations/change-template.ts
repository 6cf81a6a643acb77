import type { Context } from '../../../../core/context.ts'
import { emit } from '../../../../core/event.ts'
import { templateApproved, templateCategoryChanged, templateRejected } from '../events.ts'
import type { TemplateRow } from '../queries/templates.ts'
import type { TemplateStatus } from '../schema.ts'

/**
 * Parley's status for each of the operator's; `deleted` is no status of a stored template. Other values
 * change nothing.
 */
const statuses: Record<string, TemplateStatus | 'deleted'> = {
  APPROVED: 'approved',
  REINSTATED: 'approved',
  UNARCHIVED: 'approved',
  PENDING: 'pending',
  IN_REVIEW: 'pending',
  REJECTED: 'rejected',
  IN_APPEAL: 'rejected',
  PAUSED: 'paused',
  DISABLED: 'disabled',
  ARCHIVED: 'disabled',
  LOCKED: 'disabled',
  LIMIT_EXCEEDED: 'disabled',
  PENDING_DELETION: 'disabled',
  DELETED: 'deleted',
}

/** Returns Parley's status for the operator's word; undefined if it changes nothing, like FLAGGED. */
export const statusOf = (word: string): TemplateStatus | 'deleted' | undefined =>
  Object.hasOwn(statuses, word) ? statuses[word] : undefined

/**
 * The state of a template that the operator has mentioned: it has arrived there, even if the request that
 * submitted it failed.
 */
export const submitted = { submission: 'submitted', attempt: null, submittingUntil: null } as const

/** The fields of a template that may change; absent fields stay. */
export type TemplateChange = Partial<
  Pick<
    TemplateRow,
    'status' | 'category' | 'rejectedReason' | 'quality' | 'metaTemplateId' | 'components' | 'parameterFormat'
  >
>

/**
 * Returns the template after `change`. Emits each transition once, even if it is reported repeatedly: into
 * approved, into rejected, into another category (spec 6.3).
 */
export function changed(ctx: Context, before: TemplateRow, change: TemplateChange): TemplateRow {
  const after: TemplateRow = { ...before, ...change, updatedAt: ctx.now }
  if (after.status !== 'rejected') after.rejectedReason = null
  const named = {
    templateId: after.id,
    metaTemplateId: after.metaTemplateId,
    name: after.name,
    language: after.language,
  }
  if (after.category !== before.category)
    emit(ctx, templateCategoryChanged, {
      ...named,
      previousCategory: before.category,
      category: after.category,
    })
  if (after.status === before.status) return after
  const { category, status } = after
  if (status === 'approved') emit(ctx, templateApproved, { ...named, category, status })
  if (status === 'rejected')
    emit(ctx, templateRejected, { ...named, category, status, reason: after.rejectedReason })
  return after
}
