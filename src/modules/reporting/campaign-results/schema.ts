import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { CERTAINTIES } from '../../messaging/broadcasts/operations/compare-variants.ts'
import { RESULT_HOURS } from '../../messaging/broadcasts/operations/response-rule.ts'
import { VARIANT_NAMES } from '../../messaging/broadcasts/variant-schema.ts'
import { CostFigures } from '../billing/schema.ts'

/** The rates that compare variants. */
export const COMPARED = ['read', 'replied', 'tapped'] as const

const count = z.number().int()

/** A number of recipients, and its share. */
const Result = z
  .object({
    count: count.meta({ description: 'Number of messages, or of their recipients.' }),
    rate: z.number().nullable().meta({
      description: 'The count divided by `sent.count`, from 0 to 1; null if nothing was sent.',
      example: 0.4211,
    }),
  })
  .meta({ id: 'BroadcastResult', description: 'A number of recipients, and its share of the messages sent.' })

/** The results of a variant in the sample. Its rates are shares of its own messages sent. */
const VariantResult = z
  .object({
    name: z.enum(VARIANT_NAMES).meta({ description: 'Name of the variant: A, B, or C.' }),
    templateName: z.string(),
    messages: count.meta({ description: 'Messages that were created, without skipped ones.' }),
    sent: z.object({
      count: count.meta({ description: 'Number of messages sent.' }),
      rate: z
        .number()
        .nullable()
        .meta({ description: 'The count divided by `messages`; null without them.' }),
    }),
    delivered: Result,
    read: Result,
    replied: Result,
    tapped: Result,
    optedOut: Result,
    failed: Result,
  })
  .meta({
    id: 'VariantResult',
    description: 'The results of a variant in the sample, as counts and as shares of its messages sent.',
    fields: {
      sent: 'Messages sent.',
      delivered: 'Messages delivered.',
      read: 'Messages read.',
      replied: 'Recipients who replied.',
      tapped: 'Recipients who tapped a quick reply of the message.',
      optedOut: 'Recipients who opted out.',
      failed: 'Messages that failed.',
    },
  })

/** A comparison of the variants by one rate. */
const Comparison = z
  .object({
    metric: z.enum(COMPARED).meta({ description: 'Rate that is compared.' }),
    leader: z.enum(VARIANT_NAMES).nullable().meta({
      description: 'Variant with the highest rate; null if the best two have the same rate.',
    }),
    certainty: z.enum(CERTAINTIES).meta({
      description:
        'How sure it is that the leader is better than the second: `too_few` results to tell, `no_difference` beyond chance, `likely` (90 percent), or `clear` (95 percent).',
    }),
  })
  .meta({ id: 'VariantComparison', description: 'A comparison of the variants of a campaign by one rate.' })

/** Reply of `GET /broadcasts/{id}/results`. */
export const BroadcastResults = z
  .object({
    broadcastId: Id,
    messages: count.meta({ description: 'Messages that were created, without skipped ones.' }),
    sent: z.object({
      count: count.meta({ description: 'Number of messages sent.' }),
      rate: z.number().nullable().meta({
        description: 'The count divided by `messages`, from 0 to 1; null if there are none.',
        example: 0.9957,
      }),
    }),
    delivered: Result,
    read: Result,
    replied: Result,
    tapped: Result,
    optedOut: Result,
    failed: Result,
    failures: z.array(
      z.object({
        code: count.nullable().meta({ description: "The operator's error code; null if it gave none." }),
        title: z.string().nullable(),
        category: z
          .string()
          .meta({ description: 'Kind of the error, as in a message: `recipient`, `policy`, and others.' }),
        count: count.meta({ description: 'Failed messages with this error.' }),
        rate: z.number().nullable().meta({
          description: 'The count divided by `sent.count`, from 0 to 1; null if nothing was sent.',
        }),
      }),
    ),
    variants: z.array(VariantResult).meta({
      description: 'Results of the sample by variant; empty for a campaign with one template.',
    }),
    comparisons: z.array(Comparison).meta({
      description: 'Comparisons of the variants by each rate; empty for a campaign with one template.',
    }),
    skips: z.array(
      z.object({
        reason: z.string().meta({
          description: 'Why recipients were skipped, such as `opted_out`, as in the list of recipients.',
        }),
        count: count.meta({ description: 'Recipients who were skipped for this reason.' }),
      }),
    ),
    currency: z.string().nullable().meta({ description: 'Currency of the rate card; null without one.' }),
    cost: CostFigures.nullable(),
  })
  .meta({
    id: 'BroadcastResults',
    description: 'The results of a campaign, as counts and as shares of the messages sent.',
    fields: {
      broadcastId: 'Id of the campaign.',
      sent: 'Messages sent.',
      delivered: 'Messages delivered.',
      read: 'Messages read.',
      replied: `Recipients who wrote within ${RESULT_HOURS} hours after their message, reactions and opt-outs excluded.`,
      tapped:
        "Recipients who tapped a quick reply of the message. The operator doesn't report taps on links.",
      optedOut: `Recipients who opted out within ${RESULT_HOURS} hours after their message.`,
      failed: 'Messages that failed.',
      failures: 'Failed messages by the error of the operator, most frequent first, at most 50.',
      'failures.title': "The operator's text for the error.",
      skips: 'Skipped recipients by reason, most frequent first.',
      cost: "The operator's charges for the delivered messages; null for a key without `billing:read`.",
    },
  })
