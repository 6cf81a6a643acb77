/** Schemas of the request and reply of `POST /broadcasts/preview`. */
import { z } from 'zod'
import { customerName, customerPhone, customerText } from '../../../core/customer-details.ts'
import { ERRORS, type ErrorCode } from '../../../core/errors.ts'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import {
  AudienceCounts,
  campaignFields,
  NAME_MAX,
  oneBeginning,
  oneContent,
  SKIP_REASONS,
  timing,
} from '../../messaging/broadcasts/schema.ts'
import { ExpectedCost } from '../billing/schema.ts'

/** The body of `POST /broadcasts`; the name may be missing. */
export const BroadcastPreview = z
  .strictObject({
    name: z.string().max(NAME_MAX, `Must be at most ${NAME_MAX} characters.`).optional(),
    ...campaignFields,
    ...timing,
  })
  .refine(...oneBeginning)
  .check(oneContent)
  .meta({ fields: { name: 'Name of the campaign.' } })
export type BroadcastPreview = z.output<typeof BroadcastPreview>

const wholeNumber = z.number().int()

export const Preview = z
  .object({
    audience: AudienceCounts.extend({
      reasons: z.partialRecord(z.enum(SKIP_REASONS), wholeNumber).meta({
        description: 'Number of contacts in `suppressed` for each reason. Each contact has one reason.',
      }),
    }),
    newRecipients: wholeNumber.meta({
      description: 'Number of contacts in `willSend` who neither messaged you nor opted in.',
    }),
    knownRecipients: wholeNumber,
    forecast: z.object({
      messages: wholeNumber,
      days: wholeNumber.meta({
        description: 'Days until the last recipient receives the campaign, the first day included.',
      }),
      minutes: wholeNumber.meta({
        description: 'Minutes that the number needs for all messages at its sending rate.',
      }),
      newRecipientsADay: wholeNumber.meta({
        description: 'Number of recipients who never messaged you that the number can message in a day.',
      }),
      messagesASecond: wholeNumber,
    }),
    currency: z.string().nullable().meta({ description: 'Currency of the rate card; null without one.' }),
    cost: ExpectedCost.nullable().meta({
      description:
        'Expected charges if every message arrives, at the rates of the day of sending; null for a key without `billing:read`.',
    }),
    costByMarket: z
      .array(
        ExpectedCost.extend({
          market: z.string().meta({
            description: 'Country of the recipients as in the rates, such as `IN`; `ZZ` if it is unknown.',
            example: 'IN',
          }),
        }),
      )
      .meta({
        description:
          'Expected charges by country, most messages first. Empty for a key without `billing:read`.',
      }),
    examples: z
      .array(
        z.object({
          contactId: Id,
          name: customerName(z.string()).nullable(),
          phone: customerPhone(z.string()),
          values: z.record(z.string(), customerText(z.string())).meta({
            description: 'Values by the path of their parameter, such as `components[0].parameters[0]`.',
          }),
          text: customerText(z.string())
            .nullable()
            .meta({ description: 'Body of the message as this recipient reads it.' }),
        }),
      )
      .meta({
        description:
          'The messages of up to three recipients, if the template has values from fields of contacts.',
      }),
    warnings: z
      .array(
        z.object({
          error: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
          message: z.string(),
          issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
          earliestAt: Instant.optional().meta({
            description: 'For `follow_up_too_soon`: when the campaign can be sent, in UTC.',
          }),
        }),
      )
      .meta({ description: 'Errors that `POST /broadcasts` would return, in the order of its checks.' }),
  })
  .meta({
    id: 'BroadcastPreview',
    description: 'Preview of a campaign: its audience, its duration, its cost, and its errors.',
    fields: {
      audience: 'How many contacts the campaign reaches.',
      'audience.suppressed': 'Contacts that match but do not receive the campaign.',
      knownRecipients: 'Recipients who messaged you or opted in.',
      forecast: 'How long the campaign would take.',
      'forecast.messages': 'Messages that would be sent.',
      'forecast.messagesASecond': 'Messages that the number sends per second.',
      'examples.name': 'Name of the contact; null if unknown.',
      'warnings.error': 'Error code, as in any error body.',
    },
  })
