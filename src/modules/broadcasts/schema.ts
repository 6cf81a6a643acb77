/** Schemas of campaigns in requests and replies (spec 2.7, 4.4). */
import { z } from 'zod'
import { Id } from '../../core/ids.ts'
import { cursorQuery } from '../../core/paging.ts'
import { Instant, InstantInput, JsonObject } from '../../core/text.ts'
import { AudienceSegment } from './segment-schema.ts'

export const NAME_MAX = 200
const COMPONENTS_MAX = 20

export const BROADCAST_STATUSES = [
  'draft',
  'scheduled',
  'running',
  'paused',
  'completed',
  'cancelled',
] as const
export type BroadcastStatus = (typeof BROADCAST_STATUSES)[number]

/** The fields that decide the recipients and content of a campaign, which a preview needs. */
export const campaignFields = {
  templateId: Id.meta({ description: 'An approved template.' }),
  phoneNumberId: Id.meta({ description: 'The sending number.' }),
  segment: AudienceSegment,
  variables: z
    .strictObject({
      components: z
        .array(JsonObject)
        .max(COMPONENTS_MAX, `Must have at most ${COMPONENTS_MAX} components.`)
        .optional(),
    })
    .optional()
    .meta({ description: 'The same for every recipient; `components` as in a template send.' }),
  confirmNewRecipients: z.boolean().optional().meta({
    description:
      'Confirms that recipients who never messaged the business agreed to receive messages; recorded in the activity log.',
  }),
  knownOnly: z.boolean().optional().meta({
    description: 'Send only to recipients who messaged you or have an opt-in; the others are skipped.',
  }),
  followUpOf: Id.optional().meta({ description: 'The campaign that this follows up.' }),
}

/** The start of a campaign. Without either field, it is a draft. */
export const timing = {
  sendNow: z.boolean().optional().meta({ description: 'Start at once.' }),
  scheduledAt: InstantInput.optional().meta({
    description: 'Send later; with neither this nor sendNow the campaign is a draft.',
  }),
}
/** The check for `refine`: a campaign starts immediately or later, not both. */
export const oneBeginning = [
  (body: { sendNow?: boolean | undefined; scheduledAt?: Date | undefined }) =>
    !(body.sendNow && body.scheduledAt),
  { path: ['scheduledAt'] as string[], message: 'Must be left out with sendNow.' },
] as const

/** Body of `POST /broadcasts` (spec 4.4). */
export const NewBroadcast = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1, 'Must not be empty.')
      .max(NAME_MAX, `Must be at most ${NAME_MAX} characters.`)
      .meta({ example: 'Diwali offer' }),
    ...campaignFields,
    ...timing,
  })
  .refine(...oneBeginning)
  .meta({ fields: { name: 'Name of the campaign.' } })
export type NewBroadcast = z.output<typeof NewBroadcast>

/** Body of `POST /broadcasts/{id}/start`. */
export const StartBody = z.strictObject({
  confirmNewRecipients: campaignFields.confirmNewRecipients,
})

const whole = z.number().int()
export const AudienceCounts = z
  .object({
    matched: whole,
    willSend: whole.meta({ description: 'After opt-outs and the marketing cap.' }),
    suppressed: whole,
  })
  .meta({
    id: 'BroadcastAudience',
    description: 'How many contacts a campaign reaches.',
    fields: { suppressed: 'Contacts that match but are not written to.' },
  })

/** Reply of creating and starting a campaign. */
export const BroadcastAnswer = z
  .object({
    id: Id,
    status: z.enum(BROADCAST_STATUSES),
    audience: AudienceCounts,
    newRecipients: whole.meta({ description: 'Recipients who never messaged the business.' }),
  })
  .meta({ fields: { status: 'State of the campaign.' } })

/**
 * Live counts: recipients = queued + skipped + waiting. A message that was read was also delivered and sent.
 */
export const BroadcastCounts = z
  .object({
    recipients: whole.meta({ description: 'Whom the campaign has come to so far.' }),
    waiting: whole.meta({ description: 'Never-messaged recipients who wait for a day with room.' }),
    queued: whole.meta({ description: 'Messages made; the following count what became of them.' }),
    sent: whole,
    delivered: whole,
    read: whole,
    failed: whole,
    skipped: whole.meta({ description: 'Deliberately not sent; the list of recipients says why.' }),
  })
  .meta({
    id: 'BroadcastCounts',
    description: 'Recipients of a campaign by what became of them.',
    fields: {
      sent: 'Messages sent.',
      delivered: 'Messages delivered.',
      read: 'Messages read.',
      failed: 'Messages that failed.',
    },
  })

/** A campaign (spec 2.7). */
export const Broadcast = z
  .object({
    id: Id,
    name: z.string(),
    status: z.enum(BROADCAST_STATUSES),
    pausedReason: z.string().nullable().meta({
      description:
        'Why it paused by itself, to go on by itself when that is gone; null when somebody paused it.',
    }),
    templateId: Id,
    templateName: z.string(),
    category: z.string(),
    phoneNumberId: Id,
    segment: JsonObject,
    knownOnly: z.boolean(),
    followUpOf: Id.nullable(),
    audience: AudienceCounts,
    newRecipients: whole,
    counts: BroadcastCounts,
    progress: whole.meta({
      description: 'Percent of the audience that is queued, skipped or excluded; 100 once completed.',
    }),
    scheduledAt: Instant.nullable(),
    startedAt: Instant.nullable(),
    completedAt: Instant.nullable().meta({
      description: 'When every recipient was queued, skipped or excluded; deliveries may still follow.',
    }),
    cancelledAt: Instant.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'Broadcast',
    description: 'A campaign: one template to many recipients.',
    fields: {
      name: 'Name of the campaign.',
      status: 'State of the campaign.',
      category: 'Category of the template, such as `MARKETING`.',
      segment: 'Who the campaign goes to, as it was given.',
      knownOnly: 'Whether only recipients who messaged you or opted in are written to.',
      followUpOf: 'Id of the campaign that this one follows up; null for none.',
      newRecipients: 'Recipients who never messaged you.',
    },
  })

/** The states of a recipient. */
export const RECIPIENT_STATUSES = [
  'waiting',
  'queued',
  'sent',
  'delivered',
  'read',
  'failed',
  'skipped',
] as const
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number]

export const BroadcastRecipient = z
  .object({
    contactId: Id,
    phone: z.string(),
    name: z.string().nullable(),
    status: z.enum(RECIPIENT_STATUSES),
    reason: z.string().nullable().meta({
      description: 'Why skipped or failed, such as opted_out, marketing_cap, cool_off or cancelled.',
    }),
    messageId: Id.nullable(),
    errorCode: whole.nullable().meta({ description: "The operator's code of a failure." }),
  })
  .meta({
    id: 'BroadcastRecipient',
    description: 'A recipient of a campaign.',
    fields: {
      name: 'Name of the contact; null if unknown.',
      status: 'What became of the message.',
      messageId: 'Id of the message; null until one was made.',
    },
  })

export const RecipientFilter = z.object({
  ...cursorQuery,
  status: z
    .enum(RECIPIENT_STATUSES, `Must be one of ${RECIPIENT_STATUSES.join(', ')}.`)
    .optional()
    .meta({ description: 'Only recipients whose message stands there now.' }),
  format: z
    .enum(['json', 'csv'], 'Must be json or csv.')
    .default('json')
    .meta({ description: '`csv` is all of them in one file; `limit` and `cursor` are for pages.' }),
})
export type RecipientFilter = z.output<typeof RecipientFilter>
