import type { OperatorTemplate } from '../../../../operator/port.ts'
import { statusOf, type TemplateChange } from './change-template.ts'

/** Converts the operator's template to our columns. An unknown state counts as pending. */
export function fromOperatorTemplate(template: OperatorTemplate): TemplateChange {
  const status = statusOf(template.status)
  return {
    metaTemplateId: template.id,
    category: template.category,
    components: template.components,
    parameterFormat: template.parameterFormat,
    quality: template.quality,
    rejectedReason: template.rejectedReason,
    status: status === undefined || status === 'deleted' ? 'pending' : status,
  }
}
