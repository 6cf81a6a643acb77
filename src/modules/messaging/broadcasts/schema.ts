/** Schemas of campaigns in requests and replies (spec 2.7, 4.4). */
import { z } from 'zod'
import { customerName, customerPhone } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { cursorQuery } from '../../../core/paging.ts'
import { Instant, InstantInput, JsonObject } from '../../../core/values/text.ts'
import { RESULT_HOURS } from './operations/response-rule.ts'
import { AudienceSegment } from './segment-schema.ts'
import {
  BroadcastTest,
  CampaignVariables,
  type Compared,
  VARIANT_NAMES,
  variantFields,
  variantIssues,
} from './variant-schema.ts'

export const NAME_MAX = 200

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
  templateId: Id.optional().meta({
    description: 'Id of an approved template. Required without `variants`.',
  }),
  phoneNumberId: Id.meta({ description: 'Id of the sending number.' }),
  segment: AudienceSegment,
  variables: CampaignVariables.optional().meta({
    description:
      'Values of the template; `components` as in a template message. A text parameter can have `field` (`contact.name`, `contact.phone`, or `contact.attributes.<key>`) instead of `text`, and a `fallback` for recipients without it. Without a `fallback`, they are skipped.',
  }),
  ...variantFields,
  confirmNewRecipients: z.boolean().optional().meta({
    description:
      'Confirms that recipients who never messaged you agreed to receive messages; recorded in the activity log.',
  }),
  knownOnly: z.boolean().optional().meta({
    description: 'Send only to recipients who messaged you or have an opt-in; the others are skipped.',
  }),
  followUpOf: Id.optional().meta({ description: 'Id of the campaign that this one follows up.' }),
}

/** The start of a campaign. Without either field, it is a draft. */
export const timing = {
  sendNow: z.boolean().optional().meta({ description: 'Whether to start immediately.' }),
  scheduledAt: InstantInput.optional().meta({
    description: 'When to start. Without `scheduledAt` and `sendNow`, the campaign is a draft.',
  }),
}
/** The check for `refine`: a campaign starts immediately or later, not both. */
export const oneBeginning = [
  (body: { sendNow?: boolean | undefined; scheduledAt?: Date | undefined }) =>
    !(body.sendNow && body.scheduledAt),
  { path: ['scheduledAt'] as string[], message: 'Must be left out with sendNow.' },
] as const

/** The check for `check`: a campaign has one template, or variants to compare. */
export const oneContent = ({ value, issues }: z.core.ParsePayload<Compared>): void => {
  for (const fault of variantIssues(value)) issues.push({ code: 'custom', input: value, ...fault })
}

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
  .check(oneContent)
  .meta({ fields: { name: 'Name of the campaign.' } })
export type NewBroadcast = z.output<typeof NewBroadcast>

/** Body of `POST /broadcasts/{id}/start`. */
export const StartBody = z.strictObject({
  confirmNewRecipients: campaignFields.confirmNewRecipients,
})

/** Body of `PATCH /broadcasts/{id}`. */
export const BroadcastPatch = z.strictObject({
  scheduledAt: InstantInput.meta({ description: 'When to start; in the future, at most a year ahead.' }),
})

const wholeNumber = z.number().int()
export const AudienceCounts = z
  .object({
    matched: wholeNumber,
    willSend: wholeNumber.meta({ description: 'Contacts left after opt-outs and the marketing limit.' }),
    suppressed: wholeNumber,
  })
  .meta({
    id: 'BroadcastAudience',
    description: 'How many contacts a campaign reaches.',
    fields: { suppressed: 'Contacts that match but do not receive the campaign.' },
  })

/** Reply of creating and starting a campaign. */
export const BroadcastAnswer = z
  .object({
    id: Id,
    status: z.enum(BROADCAST_STATUSES),
    audience: AudienceCounts,
    newRecipients: wholeNumber.meta({ description: 'Recipients who never messaged you.' }),
  })
  .meta({ fields: { status: 'State of the campaign.' } })

/**
 * Live counts: recipients = queued + skipped + waiting. A message that was read was also delivered and sent.
 */
export const BroadcastCounts = z
  .object({
    recipients: wholeNumber.meta({ description: 'Recipients that the campaign has processed so far.' }),
    waiting: wholeNumber.meta({
      description: 'Recipients who never messaged you and wait because of the daily limit.',
    }),
    queued: wholeNumber.meta({
      description: 'Messages that were created. The other counts are their states.',
    }),
    sent: wholeNumber,
    delivered: wholeNumber,
    read: wholeNumber,
    failed: wholeNumber,
    skipped: wholeNumber.meta({
      description: 'Recipients who were deliberately skipped; the list of recipients has the reasons.',
    }),
  })
  .meta({
    id: 'BroadcastCounts',
    description: 'Recipients of a campaign, by state.',
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
      description: 'Why Parley paused it; it resumes when the reason is gone. Null if a member paused it.',
    }),
    templateId: Id,
    templateName: z.string(),
    category: z.string(),
    phoneNumberId: Id,
    variables: CampaignVariables.nullable().meta({
      description: 'Values of the template, as they were sent; null without values.',
    }),
    segment: JsonObject,
    knownOnly: z.boolean(),
    followUpOf: Id.nullable(),
    audience: AudienceCounts,
    newRecipients: wholeNumber,
    counts: BroadcastCounts,
    progress: wholeNumber.meta({
      description:
        'Percentage of the audience whose message is sent or failed, or who are skipped. A completed campaign reaches 100 with its last message.',
    }),
    test: BroadcastTest.nullable().meta({
      description:
        'The comparison of two or three templates; null for a campaign with one. Until the decision, `templateId` is that of variant A.',
    }),
    scheduledAt: Instant.nullable(),
    startedAt: Instant.nullable(),
    completedAt: Instant.nullable().meta({
      description:
        'When every recipient was queued, skipped, or excluded, in UTC; deliveries may still follow.',
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
      segment: 'Audience of the campaign, as it was sent.',
      knownOnly: 'Whether the campaign is sent only to recipients who messaged you or opted in.',
      followUpOf: 'Id of the campaign that this one follows up; null for none.',
      newRecipients: 'Recipients who never messaged you.',
    },
  })

/** The reasons for skipping a recipient, in the order of checking. Each person has one. */
export const SKIP_REASONS = [
  'opted_out',
  'blocked',
  'marketing_cap',
  'no_number',
  'duplicate',
  'known_only',
  'missing_value',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

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

/** The responses of recipients, by which their list is filtered too. */
const RECIPIENT_RESPONSES = ['replied', 'tapped', 'opted_out', 'none'] as const
export type RecipientResponse = (typeof RECIPIENT_RESPONSES)[number]

export const BroadcastRecipient = z
  .object({
    contactId: Id,
    phone: customerPhone(z.string()),
    name: customerName(z.string()).nullable(),
    status: z.enum(RECIPIENT_STATUSES),
    reason: z.string().nullable().meta({
      description:
        'Why it was skipped or failed, such as `opted_out`, `marketing_cap`, `cool_off`, or `cancelled`.',
    }),
    messageId: Id.nullable(),
    errorCode: wholeNumber.nullable().meta({ description: "The operator's error code." }),
    variant: z.enum(VARIANT_NAMES).nullable().meta({
      description: 'Variant of a recipient in the sample of a campaign that compares templates.',
    }),
    response: z
      .enum(RECIPIENT_RESPONSES)
      .nullable()
      .meta({
        description: `Response within ${RESULT_HOURS} hours after the message: \`opted_out\`, otherwise \`tapped\` a quick reply, otherwise \`replied\`, or \`none\`. Null if no message was sent, or if it is deleted.`,
      }),
  })
  .meta({
    id: 'BroadcastRecipient',
    description: 'A recipient of a campaign.',
    fields: {
      name: 'Name of the contact; null if unknown.',
      status: 'State of the message.',
      messageId: 'Id of the message; null until it is created.',
    },
  })

export const RecipientFilter = z.object({
  ...cursorQuery,
  status: z
    .enum(RECIPIENT_STATUSES, `Must be one of ${RECIPIENT_STATUSES.join(', ')}.`)
    .optional()
    .meta({ description: 'Only recipients whose message is in this state.' }),
  response: z
    .enum(RECIPIENT_RESPONSES, `Must be one of ${RECIPIENT_RESPONSES.join(', ')}.`)
    .optional()
    .meta({
      description:
        'Only recipients with this response to their message, as in the results of the campaign: `replied`, `tapped` a quick reply, or `opted_out`. `none`: the message was sent, and they neither replied nor opted out.',
    }),
  format: z
    .enum(['json', 'csv'], 'Must be json or csv.')
    .default('json')
    .meta({ description: '`csv` returns all recipients in one file; `limit` and `cursor` apply to pages.' }),
})
export type RecipientFilter = z.output<typeof RecipientFilter>
