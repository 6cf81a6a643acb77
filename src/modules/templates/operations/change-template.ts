import type { Context } from '../../../core/context.ts'
import { emit } from '../../../core/event.ts'
import { templateApproved, templateCategoryChanged, templateRejected } from '../events.ts'
import type { TemplateRow } from '../queries/templates.ts'
import type { TemplateStatus } from '../schema.ts'

/** Our word for each of the operator's; `deleted` is none of a stored template. What is not here changes nothing. */
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

/** What the operator's word for a state means here; undefined: nothing changes by it, as by FLAGGED. */
export const statusOf = (word: string): TemplateStatus | 'deleted' | undefined =>
  Object.hasOwn(statuses, word) ? statuses[word] : undefined

/** A template that the operator speaks of has reached it, whatever became of the request that submitted it. */
export const submitted = { submission: 'submitted', attempt: null, submittingUntil: null } as const

/** What may become of a template; what is absent stays. */
export type TemplateChange = Partial<
  Pick<
    TemplateRow,
    'status' | 'category' | 'rejectedReason' | 'quality' | 'metaTemplateId' | 'components' | 'parameterFormat'
  >
>

/**
 * The template after `change`. Announces transitions, each once however often it is reported: into approved, into rejected,
 * into another category (spec 6.3).
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
