/** Schema of the reply of `POST /send/preview`. */
import { z } from 'zod'
import { customerData, customerText } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { ExpectedCost } from '../billing/schema.ts'

/** The result of a send that is only checked. */
export const SendPreview = z
  .object({
    wouldSend: z.boolean().meta({ description: 'Whether `POST /send` would accept the message now.' }),
    refusals: z
      .array(
        z.object({
          error: z.string().meta({ description: 'The error code, such as `outside_24h_window`.' }),
          message: z.string().meta({ description: 'The reason, and the next step.' }),
          issues: z
            .array(
              z.object({
                path: z.string().meta({ description: 'The field with the error.' }),
                message: z.string().meta({ description: 'The error.' }),
              }),
            )
            .meta({ description: 'The fields with errors.' }),
        }),
      )
      .meta({
        description: 'Each reason against it, as in error bodies; the first is the one of `POST /send`.',
      }),
    message: z
      .object({
        content: customerData(z.record(z.string(), z.unknown())).meta({
          description: 'The message in the format of the operator.',
        }),
        text: customerText(z.string()).nullable().meta({ description: 'The text that the customer reads.' }),
      })
      .nullable()
      .meta({ description: 'Null if the content itself has an error.' }),
    phoneNumberId: Id.nullable().meta({ description: 'The sending number.' }),
    contactId: Id.nullable().meta({
      description: 'Null for a customer whom the workspace does not have yet.',
    }),
    conversationId: Id.nullable(),
    windowExpiresAt: Instant.nullable().meta({ description: 'The end of the 24-hour window.' }),
    category: z
      .string()
      .nullable()
      .meta({ description: 'Price category: `service`, or that of the template.' }),
    billable: z.boolean().nullable().meta({
      description: "Whether the operator charges for it by its rules. The operator's report decides.",
    }),
    currency: z.string().nullable().meta({ description: 'Currency of the rate card; null without one.' }),
    cost: ExpectedCost.nullable().meta({
      description:
        'Expected charge at the rates of today; null for a key without `billing:read`, and if the content has an error.',
    }),
    leavesAt: Instant.nullable().meta({
      description:
        'The earliest time at which Parley would hand the message to the operator; null if it would not be sent.',
    }),
    waitsFor: z.string().nullable().meta({
      description: 'Why it would leave later than now; null if it would not.',
      example: "The operator couldn't be reached.",
    }),
  })
  .meta({
    id: 'SendPreview',
    description: 'The result of a check: whether the message would be sent, and why not.',
  })
