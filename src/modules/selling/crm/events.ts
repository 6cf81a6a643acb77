import { z } from 'zod'
import { component } from '../../../core/component.ts'
import { event } from '../../../core/event.ts'
import { Id } from '../../../core/ids.ts'
import { Instant, JsonObject } from '../../../core/values/text.ts'
import { LEAD_FIELDS, LostReason, Owner, STAGE_FIELDS, Stage } from './schema.ts'

/** The way in which a lead was captured (spec 6.3). `whatsapp` is the chat network. */
const LEAD_VIAS = ['form', 'api', 'import', 'manual', 'integration', 'whatsapp'] as const
export type LeadVia = (typeof LEAD_VIAS)[number]

/** A stage in events. */
const StageInEvent = Stage.pick({ id: true, name: true, kind: true }).meta({
  ...component('EventStage', 'A stage in an event.'),
  fields: STAGE_FIELDS,
})

/** A lead in events (spec 6.3). */
export const LeadInEvent = z
  .object({
    id: Id,
    phone: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    stage: StageInEvent,
    owner: Owner.nullable(),
    source: z.string().nullable(),
    rating: z.number(),
    dealValue: z.number(),
    tags: z.array(z.string()),
  })
  .meta({
    ...component('EventLead', 'A lead in an event.'),
    fields: { ...LEAD_FIELDS, phone: 'Phone number, digits only.' },
  })
export type LeadInEvent = z.output<typeof LeadInEvent>

const ravi = {
  id: '0197a1b2-0000-7000-8000-0000000000a1',
  name: 'Ravi Iyer',
  email: 'ravi@example.com',
}
const newStage = { id: '0197a1b2-0000-7000-8000-0000000000b1', name: 'New', kind: 'initial' as const }
const contacted = { id: '0197a1b2-0000-7000-8000-0000000000b2', name: 'Contacted', kind: 'active' as const }
/** The example lead in all examples. */
export const EXAMPLE_LEAD = {
  id: '0197a1b2-0000-7000-8000-0000000000c1',
  phone: '919812345678',
  name: 'Asha Rao',
  email: 'asha@example.com',
  stage: newStage,
  owner: ravi,
  source: 'website',
  rating: 3,
  dealValue: 48_000,
  tags: ['vip'],
}
const timestamp = '2026-06-01T09:30:00.000Z'

const LEAD_EVENT_FIELDS = {
  lead: 'The lead after the change.',
  source: 'Where the lead came from; null if unknown.',
  via: 'How the lead was captured.',
  form: 'Name of the form; null for none.',
  captureCount: 'How many times this number was captured.',
  capturedAt: 'When it was captured, in UTC.',
  created: 'Whether a new lead was created.',
  name: 'Name that was entered; null for none.',
  note: 'Message that was entered; null for none.',
  submittedAt: 'When the form was submitted, in UTC.',
  from: 'The stage before.',
  to: 'The stage now.',
  lostReason: 'Why the lead was lost; null if it was not.',
  'lostReason.label': 'Name of the reason.',
  changedAt: 'When the stage was changed, in UTC.',
  assignedAt: 'When the lead was assigned, in UTC.',
}

export const leadCreated = event({
  name: 'lead.created',
  when: 'A lead was created for a number that was not a lead before.',
  scope: 'crm:read',
  data: z
    .object({
      lead: LeadInEvent,
      source: z.string().nullable(),
      via: z.enum(LEAD_VIAS),
      form: z.string().nullable(),
      createdAt: Instant,
    })
    .meta({ fields: LEAD_EVENT_FIELDS }),
  example: { lead: EXAMPLE_LEAD, source: 'website', via: 'form', form: 'Contact us', createdAt: timestamp },
  touches: ({ lead }) => ({ lead: lead?.id }),
})

export const leadRecaptured = event({
  name: 'lead.recaptured',
  when: 'The number of a known lead was captured again. No second lead is created.',
  scope: 'crm:read',
  data: z
    .object({
      lead: LeadInEvent,
      source: z.string().nullable(),
      via: z.enum(LEAD_VIAS),
      form: z.string().nullable(),
      captureCount: z.number().int(),
      capturedAt: Instant,
    })
    .meta({ fields: LEAD_EVENT_FIELDS }),
  example: {
    lead: EXAMPLE_LEAD,
    source: 'website',
    via: 'form',
    form: 'Contact us',
    captureCount: 2,
    capturedAt: timestamp,
  },
  touches: ({ lead }) => ({ lead: lead?.id }),
})

export const formSubmitted = event({
  name: 'form.submitted',
  when: "A form was submitted to the lead-capture link, also for known numbers. A portal's repeat of the same enquiry does not trigger it.",
  scope: 'crm:read',
  data: z
    .object({
      leadId: Id,
      created: z.boolean(),
      phone: z.string(),
      name: z.string().nullable(),
      email: z.string().nullable(),
      form: z.string().nullable(),
      source: z.string().nullable(),
      via: z.literal('form'),
      note: z.string().nullable(),
      fields: JsonObject.meta({ description: "Recognized fields, by Parley's names." }),
      extra: JsonObject.meta({ description: 'Other fields, as they arrived.' }),
      submittedAt: Instant,
    })
    .meta({ fields: LEAD_EVENT_FIELDS }),
  example: {
    leadId: EXAMPLE_LEAD.id,
    created: true,
    phone: '919812345678',
    name: 'Asha Rao',
    email: 'asha@example.com',
    form: 'Contact us',
    source: 'google',
    via: 'form',
    note: 'Do you deliver to Pune?',
    fields: { phone: '919812345678', name: 'Asha Rao', utm_source: 'google' },
    extra: { size: 'L' },
    submittedAt: timestamp,
  },
  touches: ({ leadId }) => ({ lead: leadId }),
})

export const leadStageChanged = event({
  name: 'lead.stage_changed',
  when: 'A lead moved to another stage. Changes to the pipeline itself do not trigger it.',
  scope: 'crm:read',
  data: z
    .object({
      lead: LeadInEvent,
      from: StageInEvent,
      to: StageInEvent,
      lostReason: LostReason.omit({ position: true }).nullable(),
      changedAt: Instant,
    })
    .meta({ fields: LEAD_EVENT_FIELDS }),
  example: {
    lead: { ...EXAMPLE_LEAD, stage: contacted },
    from: newStage,
    to: contacted,
    lostReason: null,
    changedAt: timestamp,
  },
  touches: ({ lead }) => ({ lead: lead?.id }),
})

export const leadAssigned = event({
  name: 'lead.assigned',
  when: 'A lead got another owner, from a person or from the assignment rule. `to` is null if it was unassigned.',
  scope: 'crm:read',
  data: z
    .object({
      lead: LeadInEvent,
      from: Owner.nullable(),
      to: Owner.nullable(),
      assignedAt: Instant,
    })
    .meta({ fields: LEAD_EVENT_FIELDS }),
  example: { lead: EXAMPLE_LEAD, from: null, to: ravi, assignedAt: timestamp },
  touches: ({ lead }) => ({ lead: lead?.id }),
})
