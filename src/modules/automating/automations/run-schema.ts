/** Shapes of an automation's runs. */
import { z } from 'zod'
import { customerData } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { Instant, JsonObject } from '../../../core/values/text.ts'
import { must } from './action-schema.ts'

export const RUN_STATUSES = ['waiting', 'running', 'done', 'skipped', 'failed'] as const
const STEP_STATUSES = ['done', 'skipped', 'failed', 'waiting', 'stopped'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]
export type StepStatus = (typeof STEP_STATUSES)[number]

export const stepFields = {
  action: z.string().meta({ description: 'The `type` of the action.' }),
  status: z.enum(STEP_STATUSES),
  reason: z.string().nullable(),
  result: customerData(JsonObject)
    .nullable()
    .meta({ description: 'Ids of records that the action created or found.' }),
}

/** One run of an automation, kept for 30 days. */
export const Run = z
  .object({
    id: Id,
    eventId: Id.nullable().meta({
      description: 'Id of the event that started the run; null if a schedule or a silence started it.',
    }),
    subject: z.object({ contactId: Id.nullable(), leadId: Id.nullable(), conversationId: Id.nullable() }),
    status: z.enum(RUN_STATUSES),
    reason: z.string().nullable().meta({ description: 'Why it was skipped or failed.' }),
    steps: z.array(z.object({ ...stepFields, at: Instant })),
    createdAt: Instant,
    finishedAt: Instant.nullable(),
  })
  .meta({
    id: 'AutomationRun',
    description: 'One run of an automation; kept for 30 days.',
    fields: {
      subject: 'Contact, lead, and conversation of the run.',
      'subject.contactId': 'Id of the contact; null for none.',
      'subject.leadId': 'Id of the lead; null for none.',
      'subject.conversationId': 'Id of the conversation; null for none.',
      status: 'State of the run.',
      steps: 'Result of each action, in order.',
      'steps.status': 'Result of the action.',
      'steps.reason': 'Why the action was skipped or failed; null otherwise.',
      'steps.at': 'When the action ran, in UTC.',
      finishedAt: 'When the run ended, in UTC; null while it is not finished.',
    },
  })

/** Query of `GET /automations/{id}/runs`. */
export const RunFilter = z.object({
  status: z
    .enum(RUN_STATUSES, must(RUN_STATUSES))
    .optional()
    .meta({ description: 'Only runs in this state.' }),
  contactId: Id.optional().meta({ description: 'Only runs about this contact.' }),
})
