import { z } from 'zod'
import { customerData, customerEmail, customerName, customerPhone } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { Instant, InstantInput, JsonObject } from '../../../core/values/text.ts'
import { Attributes, nullableText, requiredText, Tags } from '../../messaging/contacts/schema.ts'

export const STAGE_KINDS = ['initial', 'active', 'won', 'lost'] as const
export type StageKind = (typeof STAGE_KINDS)[number]

/** The team's name for a stage, a lost reason, or a view: 1 to 100 characters, trimmed. */
export const GivenName = requiredText(100).transform((name) => name.trim())

export const STAGE_FIELDS = {
  name: 'Name of the stage.',
  kind: 'Meaning of the stage: `initial`, `active`, `won`, or `lost`.',
}

/** A pipeline stage (spec 2.4a). Clients branch on `kind`, not on names. */
export const Stage = z
  .object({
    id: Id,
    name: z.string(),
    color: z.string().meta({ example: '#3b82f6' }),
    kind: z.enum(STAGE_KINDS),
    position: z.number().int(),
  })
  .meta({ id: 'PipelineStage', description: 'A stage of the sales pipeline.', fields: STAGE_FIELDS })

/** Why a lead was lost (spec 2.4a). */
export const LostReason = z.object({ id: Id, label: z.string(), position: z.number().int() }).meta({
  id: 'LostReason',
  description: 'A reason for losing a lead.',
  fields: { label: 'Name of the reason.' },
})

export const Pipeline = z
  .object({
    stages: z.array(Stage),
    lostReasons: z.array(LostReason),
    initialStageId: Id,
  })
  .meta({
    fields: {
      stages: 'Stages of the pipeline, in order.',
      lostReasons: 'Lost reasons, in order.',
      initialStageId: 'Id of the stage that new leads get.',
    },
  })

/** A member in leads and tasks. */
export const Owner = z
  .object({ id: Id, name: z.string(), email: z.string() })
  .meta({ fields: { id: 'Id of the member.', name: 'Name of the member.' } })

const RATING_MAX = 5
/** The maximum of numeric(14,2). */
const MAX_MONEY = 999_999_999_999.99

/** An amount in the workspace's currency unit, at most two decimals. */
export const Money = z
  .number('Must be a number.')
  .min(0, 'Must not be negative.')
  .max(MAX_MONEY, `Must be at most ${MAX_MONEY}.`)
  .refine((amount) => Number(amount.toFixed(2)) === amount, 'Must have at most two decimals.')

const Rating = z
  .number(`Must be a whole number from 0 to ${RATING_MAX}.`)
  .int(`Must be a whole number from 0 to ${RATING_MAX}.`)
  .min(0, `Must be a whole number from 0 to ${RATING_MAX}.`)
  .max(RATING_MAX, `Must be a whole number from 0 to ${RATING_MAX}.`)

// Addresses that mail can be sent to as written: letters of any language on both sides (RFC 6531), no quotes,
// no address in brackets.
const EMAIL =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*\.)+\p{L}[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}]$/u
export const Email = z
  .email({ pattern: EMAIL, error: 'Must be an email address.' })
  .max(254, 'Must be at most 254 characters.')
/** A reference by name or id (spec 2.1). */
export const NameOrId = z.string().min(1, 'Must not be empty.').max(200, 'Must be at most 200 characters.')

export const LEAD_FIELDS = {
  paidTotal: "Sum of the lead's payments in the workspace's currency.",
  name: 'Name of the lead; null if unknown.',
  'stage.name': 'Name of the stage.',
  'stage.kind': 'Meaning of the stage: `initial`, `active`, `won`, or `lost`.',
  stageChangedAt: 'When the lead moved to its stage, in UTC.',
  lostReason: 'Why the lead was lost; null if it was not.',
  'lostReason.label': 'Name of the reason.',
  rating: 'Rating, from 0 to 5.',
  source: 'Where the lead came from, such as `website`; null if unknown.',
  nextFollowUpAt: 'When the next follow-up is due, in UTC; null for none.',
  lastCapturedAt: 'When the lead was last captured, in UTC.',
  conversationId: 'Id of the conversation with the lead; null without one.',
  body: 'Text of the note.',
}

/** A lead in a response (spec 2.2). */
export const Lead = z
  .object({
    id: Id,
    name: customerName(z.string()).nullable(),
    phone: customerPhone(z.string()).meta({
      description: 'Phone number, digits only.',
      example: '919812345678',
    }),
    email: customerEmail(z.string()).nullable(),
    stage: Stage.omit({ position: true }),
    stageChangedAt: Instant,
    lostReason: LostReason.omit({ position: true }).nullable(),
    rating: z.number().int(),
    source: z.string().nullable(),
    owner: Owner.nullable(),
    dealValue: z.number(),
    paidTotal: z.number(),
    tags: z.array(z.string()),
    attributes: customerData(JsonObject),
    nextFollowUpAt: Instant.nullable(),
    captureCount: z.number().int().meta({ description: 'How many times this number was captured.' }),
    contactId: Id,
    conversationId: Id.nullable(),
    lastCapturedAt: Instant,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'Lead',
    description: 'A possible buyer, with stage, owner, and value.',
    fields: LEAD_FIELDS,
  })

const fields = {
  name: nullableText(200).optional(),
  email: Email.nullable().optional(),
  source: nullableText(120).optional(),
  rating: Rating.optional(),
  dealValue: Money.optional(),
  tags: Tags.optional(),
  attributes: Attributes.optional(),
  nextFollowUpAt: InstantInput.nullable().optional().meta({
    description:
      'When the next follow-up is due. Applies while the lead has no pending task; otherwise the earliest task decides.',
  }),
}

export const NOTE_MAX = 5000
const NoteText = requiredText(NOTE_MAX)

/** Body of `POST /leads` (spec 4.5). */
export const NewLead = z
  .strictObject({
    phone: z.string().min(1, 'Must not be empty.').max(200).meta({
      description: 'A phone number in any common spelling.',
      example: '+919812345678',
    }),
    stage: NameOrId.optional().meta({ description: 'Name or id of the stage. Default: the initial stage.' }),
    owner: NameOrId.nullable().optional().meta({
      description:
        'Name, email address, or id of a member. Default: the assignment rule of the workspace decides.',
    }),
    lostReason: NameOrId.optional().meta({
      description: 'Name or id of the lost reason; only with a stage of kind `lost`.',
    }),
    note: NoteText.optional().meta({ description: 'Note for the timeline. The customer never sees it.' }),
    ...fields,
  })
  .meta({ fields: LEAD_FIELDS })
export type NewLead = z.output<typeof NewLead>

/** Body of `PATCH /leads/{id}` (spec 4.5, DECISIONS.md "Leads"). */
export const LeadPatch = z
  .strictObject({
    stage: NameOrId.optional(),
    lostReason: NameOrId.optional().meta({
      description: 'Name or id of the lost reason; used with a stage of kind `lost`.',
    }),
    owner: NameOrId.nullable()
      .optional()
      .meta({ description: 'Name, email address, or id of a member; null unassigns.' }),
    addTags: Tags.optional(),
    removeTags: Tags.optional(),
    ...fields,
  })
  .refine((patch) => patch.tags === undefined || (patch.addTags ?? patch.removeTags) === undefined, {
    path: ['tags'],
    error: 'Must be left out when addTags or removeTags is sent.',
  })
  .meta({ fields: { ...LEAD_FIELDS, stage: 'Name or id of the stage.' } })
export type LeadPatch = z.output<typeof LeadPatch>

/** Body of `POST /leads/{id}/notes`. */
export const NewLeadNote = z.strictObject({ body: NoteText }).meta({ fields: LEAD_FIELDS })

/** A lead note (spec 2.3). */
export const LeadNote = z
  .object({ id: Id, leadId: Id, body: z.string(), createdAt: Instant })
  .meta({ id: 'LeadNote', description: 'A note on a lead; customers never see it.', fields: LEAD_FIELDS })

/** The possible values of `changed` (spec 4.5). */
export const LEAD_CHANGES = [
  'stage_changed',
  'lost_reason_changed',
  'owner_changed',
  'tags_changed',
  'name_changed',
  'email_changed',
  'source_changed',
  'rating_changed',
  'deal_value_changed',
  'attributes_changed',
  'follow_up_changed',
] as const
export type LeadChange = (typeof LEAD_CHANGES)[number]

/** One entry of a lead's timeline (DECISIONS.md "Leads"). */
export const TimelineEntry = z
  .object({
    id: Id,
    kind: z.string().meta({
      description:
        'Kind of entry: captured, recaptured, note, message_received, message_sent, task_created, task_completed, task_cancelled, task_reopened, task_changed, or a change in `changed` of a lead. Payments, documents, bookings, reviews, and the photo network add their own kinds, such as payment_received, invoice_issued, booking_created, review_received, and social_linked. New kinds may be added.',
    }),
    actor: z
      .object({
        kind: z.enum(['member', 'key', 'platform', 'customer']),
        id: Id.nullable(),
        name: z.string(),
      })
      .meta({
        fields: {
          kind: 'Kind of actor.',
          id: 'Id of the member or the key; null for none.',
          name: 'Name of the actor.',
        },
      })
      .nullable()
      .meta({ description: 'The actor; null if unknown.' }),
    via: z
      .string()
      .meta({ description: 'Source of the change: api, dashboard, import, platform, sandbox, or chat.' }),
    data: customerData(JsonObject).meta({ description: 'Details of the entry, by kind.' }),
    createdAt: Instant,
  })
  .meta({ id: 'TimelineEntry', description: "An entry of a lead's timeline." })
