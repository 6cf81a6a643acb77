/** Schemas of the request and reply of `POST /broadcasts/preview` (docs/decisions/campaign-gates.md). */
import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../../core/errors.ts'
import { Instant } from '../../core/text.ts'
import { SKIP_REASONS } from './audience.ts'
import { AudienceCounts, campaignFields, NAME_MAX, oneBeginning, timing } from './schema.ts'

/** The body of `POST /broadcasts`; the name may be missing. */
export const BroadcastPreview = z
  .strictObject({
    name: z.string().max(NAME_MAX, `Must be at most ${NAME_MAX} characters.`).optional(),
    ...campaignFields,
    ...timing,
  })
  .refine(...oneBeginning)
  .meta({ fields: { name: 'Name of the campaign.' } })
export type BroadcastPreview = z.output<typeof BroadcastPreview>

const whole = z.number().int()

export const Preview = z
  .object({
    audience: AudienceCounts.extend({
      reasons: z
        .partialRecord(z.enum(SKIP_REASONS), whole)
        .meta({ description: 'Of `suppressed`, how many for each reason; each person has one.' }),
    }),
    newRecipients: whole.meta({
      description: 'Of `willSend`: who neither messaged the business nor opted in.',
    }),
    knownRecipients: whole,
    forecast: z.object({
      messages: whole,
      days: whole.meta({
        description: 'Days until the last recipient was written to, the first one included.',
      }),
      minutes: whole.meta({ description: 'How long the number needs for all messages at its pace.' }),
      newRecipientsADay: whole.meta({
        description: 'Never-messaged recipients that the number writes to in a day.',
      }),
      messagesASecond: whole,
    }),
    warnings: z
      .array(
        z.object({
          error: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
          message: z.string(),
          issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
          earliestAt: Instant.optional().meta({
            description: 'Of `follow_up_too_soon`: from when on it passes.',
          }),
        }),
      )
      .meta({ description: 'What `POST /broadcasts` would refuse it for, in the order of its checks.' }),
  })
  .meta({
    id: 'BroadcastPreview',
    description: 'What a campaign would do, and why it would be refused.',
    fields: {
      audience: 'How many contacts the campaign reaches.',
      'audience.suppressed': 'Contacts that match but are not written to.',
      knownRecipients: 'Recipients who messaged you or opted in.',
      forecast: 'How long the campaign would take.',
      'forecast.messages': 'Messages that would be sent.',
      'forecast.messagesASecond': 'Messages that the number sends in a second.',
      'warnings.error': 'Error code, as in any error body.',
    },
  })
