import type { OperatorTemplate } from '../../../operator/port.ts'
import { statusOf, type TemplateChange } from './change-template.ts'

/** Converts the operator's template to our columns. An unknown state counts as pending. */
export function fromOperatorTemplate(theirs: OperatorTemplate): TemplateChange {
  const status = statusOf(theirs.status)
  return {
    metaTemplateId: theirs.id,
    category: theirs.category,
    components: theirs.components,
    parameterFormat: theirs.parameterFormat,
    quality: theirs.quality,
    rejectedReason: theirs.rejectedReason,
    status: status === undefined || status === 'deleted' ? 'pending' : status,
  }
}
