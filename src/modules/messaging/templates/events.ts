import { z } from 'zod'
import { event } from '../../../core/event.ts'
import { Id } from '../../../core/ids.ts'
import { TEMPLATE_STATUSES } from './schema.ts'

const named = {
  templateId: Id,
  metaTemplateId: z.string().nullable().meta({ description: "The operator's id of the template." }),
  name: z.string(),
  language: z.string(),
}

const namedExample = {
  templateId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10',
  metaTemplateId: '1689556908129832',
  name: 'order_ok',
  language: 'en_US',
}

/** Descriptions of the fields. */
const TEMPLATE_EVENT_FIELDS = {
  name: 'Name of the template.',
  category: 'Category of the template.',
  status: 'State of the template.',
  reason: "The operator's reason; null without one.",
  previousCategory: 'Category before the change.',
}

export const templateApproved = event({
  name: 'template.approved',
  when: 'A template was approved: for the first time, or again after it was rejected, paused, or disabled.',
  scope: 'templates:read',
  data: z
    .object({ ...named, category: z.string(), status: z.enum(TEMPLATE_STATUSES) })
    .meta({ fields: TEMPLATE_EVENT_FIELDS }),
  example: { ...namedExample, category: 'UTILITY', status: 'approved' },
  touches: ({ templateId }) => ({ template: templateId }),
})

export const templateRejected = event({
  name: 'template.rejected',
  when: "The operator rejected a template. `reason` is the operator's reason, if it gave one.",
  scope: 'templates:read',
  data: z
    .object({
      ...named,
      category: z.string(),
      status: z.enum(TEMPLATE_STATUSES),
      reason: z.string().nullable(),
    })
    .meta({ fields: TEMPLATE_EVENT_FIELDS }),
  example: { ...namedExample, category: 'MARKETING', status: 'rejected', reason: 'INVALID_FORMAT' },
  touches: ({ templateId }) => ({ template: templateId }),
})

export const templateCategoryChanged = event({
  name: 'template.category_changed',
  when: 'The operator moved a template to another category, such as UTILITY to MARKETING. Notices of future changes do not trigger it.',
  scope: 'templates:read',
  data: z
    .object({ ...named, previousCategory: z.string(), category: z.string() })
    .meta({ fields: TEMPLATE_EVENT_FIELDS }),
  example: { ...namedExample, previousCategory: 'UTILITY', category: 'MARKETING' },
  touches: ({ templateId }) => ({ template: templateId }),
})
