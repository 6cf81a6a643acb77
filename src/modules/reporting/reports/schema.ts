/** Replies of the reports. */
import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { CostFigures } from '../billing/schema.ts'
import { Day, PERIOD } from './period.ts'
import { Spread } from './spread.ts'

const count = (description: string) => z.number().int().meta({ description })
const countedSince = (max: number, rows: string) =>
  Instant.nullable().meta({
    description: `Null if everything is counted. If there are more than ${max} ${rows}, only the newest are counted: from this moment on.`,
  })
const memberFields = {
  memberId: Id.nullable().meta({
    description: 'The member; null for API keys without a member, the phone app, and Parley itself.',
  }),
  name: z.string().nullable().meta({ description: 'Name of the member; null if they left.' }),
}

const teamFields = {
  teamId: Id.meta({ description: 'The team to which the chat belongs now.' }),
  name: z.string().meta({ description: 'Name of the team.' }),
}

/** The most messages that the report of volume reads. */
export const MAX_COUNTED = 1_000_000

export const VolumeReport = z
  .object({
    ...PERIOD,
    received: count('Messages from customers.'),
    sent: count('Messages to customers, without campaigns.'),
    byDay: z
      .array(
        z.object({ date: Day, received: count('Messages from customers.'), sent: count('Messages sent.') }),
      )
      .meta({ description: 'Every day, oldest first.' }),
    byHour: z
      .array(
        z.object({
          weekday: count('Day of the week: 1 is Monday, 7 is Sunday.'),
          hour: count('Hour of the day, 0 to 23.'),
          received: count('Messages from customers.'),
          sent: count('Messages sent.'),
        }),
      )
      .meta({ description: 'Each hour of the week, from Monday 0:00. 168 rows.' }),
    countedSince: countedSince(MAX_COUNTED, 'messages'),
  })
  .meta({
    id: 'VolumeReport',
    description: 'Messages by day, and by hour of the week.',
    fields: { 'byDay.date': 'The day.' },
  })

/** The most messages that the report of response times reads. */
export const MAX_TALK = 300_000
/** A wait without an answer in these days is not answered. */
export const ANSWER_DAYS = 7

export const ResponseTimeReport = z
  .object({
    ...PERIOD,
    waits: count("Waits that began in the period: each from a customer's first unanswered message."),
    unanswered: count(`Waits without an answer of a person within ${ANSWER_DAYS} days.`),
    first: Spread.meta({
      description: `First answers: no person had written in the chat for ${ANSWER_DAYS} days, or it had been resolved since.`,
    }),
    answers: Spread.meta({ description: 'All answers, including first answers.' }),
    byDay: z
      .array(z.object({ date: Day, first: Spread, answers: Spread }))
      .meta({ description: 'Every day, oldest first. A wait counts on the day on which it began.' }),
    byMember: z
      .array(z.object({ ...memberFields, first: Spread, answers: Spread }))
      .meta({ description: 'Each member who answered; those with the most answers first.' }),
    byTeam: z
      .array(z.object({ ...teamFields, first: Spread, answers: Spread }))
      .meta({ description: 'Each team whose customers got answers; those with the most answers first.' }),
    countedSince: countedSince(MAX_TALK, 'messages'),
  })
  .meta({
    id: 'ResponseTimeReport',
    description: 'Times until a person answered customers.',
    fields: {
      'byDay.date': 'The day.',
      'byDay.first': 'First answers.',
      'byDay.answers': 'All answers.',
      'byMember.first': 'First answers.',
      'byMember.answers': 'All answers.',
      'byTeam.first': 'First answers.',
      'byTeam.answers': 'All answers.',
    },
  })

/** The most assignments, and the most resolved chats, that a report reads. */
export const MAX_CASES = 50_000
/** A case begins at most this many days before it is assigned or resolved. */
export const CASE_DAYS = 30

const Case = { queue: Spread, resolution: Spread }
export const ResolutionReport = z
  .object({
    ...PERIOD,
    queue: Spread.meta({
      description: "Times from the customer's first message until the chat was first assigned to a member.",
    }),
    resolution: Spread.meta({
      description: "Times from the customer's first message until the chat was resolved.",
    }),
    byDay: z.array(z.object({ date: Day, ...Case })).meta({
      description: 'Every day, oldest first. A chat counts on the day of its assignment or resolution.',
    }),
    byMember: z.array(z.object({ ...memberFields, ...Case })).meta({
      description:
        'Each member who was assigned or resolved chats; those with the most resolved chats first.',
    }),
    byTeam: z.array(z.object({ ...teamFields, ...Case })).meta({
      description:
        'Each team with chats that were assigned or resolved; those with the most resolved chats first.',
    }),
    isPartial: z.boolean().meta({
      description: `Whether there were more than ${MAX_CASES} assignments or resolved chats, so that only the newest are counted.`,
    }),
  })
  .meta({
    id: 'ResolutionReport',
    description: 'Times until chats were assigned and resolved.',
    fields: {
      'byDay.date': 'The day.',
      'byDay.queue': 'Times until assigned.',
      'byDay.resolution': 'Times until resolved.',
      'byMember.queue': 'Times until assigned to the member.',
      'byMember.resolution': 'Times until resolved by the member.',
      'byTeam.queue': 'Times until assigned to a member.',
      'byTeam.resolution': 'Times until resolved.',
    },
  })

/** The most rating requests that a report reads. */
export const MAX_RATINGS = 100_000

const Score = {
  asked: count('Chats for which the customer was asked.'),
  rated: count('Those chats that were rated.'),
  average: z
    .number()
    .nullable()
    .meta({ description: 'Average rating, with two decimals; null without ratings.' }),
}
export const SatisfactionReport = z
  .object({
    ...PERIOD,
    ...Score,
    byScore: z
      .array(
        z.object({ score: count('The rating, from 1 to 5.'), ratings: count('Chats with this rating.') }),
      )
      .meta({ description: 'Each rating, from 1 to 5.' }),
    byDay: z
      .array(z.object({ date: Day, ...Score }))
      .meta({ description: 'Every day, oldest first. A rating counts on the day of its question.' }),
    byMember: z
      .array(z.object({ ...memberFields, ...Score }))
      .meta({ description: 'Each member who had resolved a rated chat; those with the most ratings first.' }),
    isPartial: z.boolean().meta({
      description: `Whether there were more than ${MAX_RATINGS} questions, so that only the newest are counted.`,
    }),
  })
  .meta({
    id: 'SatisfactionReport',
    description: 'Ratings of chats, by day and by member.',
    fields: { 'byDay.date': 'The day.' },
  })

/** The most sources that a report lists. */
export const MAX_SOURCES = 50

const money = (description: string) => z.number().meta({ description })
export const SalesReport = z
  .object({
    ...PERIOD,
    leads: count('Leads that were created in the period.'),
    won: count('Those leads that are now won.'),
    lost: count('Those leads that are now lost.'),
    dealValue: money('Sum of their deal values.'),
    wonValue: money('Sum of the deal values of won leads.'),
    paidTotal: money('Sum of their payments.'),
    byStage: z
      .array(
        z.object({
          stageId: Id.meta({ description: 'Id of the stage.' }),
          name: z.string().meta({ description: 'Name of the stage.' }),
          kind: z.enum(['initial', 'active', 'won', 'lost']).meta({ description: 'Kind of the stage.' }),
          leads: count('Leads that are now in the stage.'),
          reached: count(
            'Leads that are now in this stage or a later one. Lost leads count only in their own stage.',
          ),
          dealValue: money('Sum of the deal values of the leads in the stage.'),
          paidTotal: money('Sum of the payments of the leads in the stage.'),
        }),
      )
      .meta({ description: 'Every stage, in the order of the pipeline.' }),
    bySource: z
      .array(
        z.object({
          source: z
            .string()
            .nullable()
            .meta({ description: 'Source of the leads; null for leads without one.' }),
          leads: count('Leads from the source.'),
          won: count('Won leads.'),
          lost: count('Lost leads.'),
          dealValue: money('Sum of the deal values.'),
          wonValue: money('Sum of the deal values of won leads.'),
          paidTotal: money('Sum of the payments.'),
        }),
      )
      .meta({ description: `Sources with the most leads, at most ${MAX_SOURCES}.` }),
    otherLeads: count('Leads from further sources, which are not listed.'),
  })
  .meta({
    id: 'SalesReport',
    description:
      'Leads that were created in a period, by their current stage and by source. Amounts are in the currency of the workspace.',
  })

/** The most campaigns of a report. */
export const MAX_CAMPAIGNS = 50
/** The days after a campaign's message in which payments and orders count. */
export const RETURN_DAYS = 7

export const CampaignReport = z
  .object({
    ...PERIOD,
    currency: z.string().nullable().meta({ description: 'Currency of the costs; null without a rate card.' }),
    campaigns: z
      .array(
        z.object({
          broadcastId: Id.meta({ description: 'Id of the campaign.' }),
          name: z.string().meta({ description: 'Name of the campaign.' }),
          startedAt: Instant.meta({ description: 'When sending started.' }),
          sent: count('Messages sent.'),
          delivered: count('Messages delivered.'),
          read: count('Messages read.'),
          failed: count('Failed messages.'),
          replied: count('Recipients who wrote within 72 hours.'),
          tapped: count('Recipients who tapped a quick reply within 72 hours.'),
          optedOut: count('Recipients who opted out within 72 hours.'),
          orders: count(`Orders of recipients within ${RETURN_DAYS} days.`)
            .nullable()
            .meta({
              description: `Orders of recipients within ${RETURN_DAYS} days; null without \`integrations:read\`.`,
            }),
          payments: z
            .array(
              z.object({
                currency: z.string().meta({ description: 'Currency of the payments.' }),
                count: count('Number of payments.'),
                amountMinor: count('Their sum in the smallest unit of the currency.'),
                amount: z.string().meta({ description: 'The sum as text.', example: '₹1,234.50' }),
              }),
            )
            .nullable()
            .meta({
              description: `Payments of recipients within ${RETURN_DAYS} days, by currency; null without \`payments:read\`.`,
            }),
          cost: CostFigures.nullable().meta({
            description: 'Charges of the operator; null without `billing:read`.',
          }),
        }),
      )
      .meta({ description: `Campaigns that started in the period, newest first, at most ${MAX_CAMPAIGNS}.` }),
    isPartial: z.boolean().meta({
      description: `Whether more than ${MAX_CAMPAIGNS} campaigns started in the period.`,
    }),
  })
  .meta({ id: 'CampaignReport', description: 'Results and returns of the campaigns of a period.' })
