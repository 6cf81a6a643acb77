import { z } from 'zod'
import { windowDays } from '../../../core/day-window.ts'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'

const Day = z.iso.date().meta({ example: '2026-06-01' })
const limitedUse = (description: string) =>
  z.object({
    used: z.number().int().meta({ description }),
    limit: z.number().int().nullable().meta({ description: 'Limit of the plan; null for none.' }),
  })

/** Answer of `GET /billing`. */
export const BillingPlan = z
  .object({
    plan: z.enum(['free', 'pro', 'enterprise', 'unlimited']),
    sandbox: z.boolean(),
    trial: z
      .object({ endsAt: Instant })
      .nullable()
      .meta({ description: 'Trial of the plan; null if the plan is not on trial.' }),
    upgradeUrl: z
      .string()
      .nullable()
      .meta({ description: 'Where the plan can be changed; null if there is no higher plan.' }),
    modules: z.array(z.string()).meta({ description: 'Modules that are turned on.', example: ['invoicing'] }),
    addons: z.array(z.string()).meta({ example: ['social'] }),
    limits: z.object({
      contacts: limitedUse('Contacts stored.'),
      messages: limitedUse('Messages accepted since the start of the month.').extend({
        periodStart: Instant,
        periodEnd: Instant.meta({
          description: "When the next month starts in the workspace's time zone, in UTC.",
        }),
      }),
      documents: limitedUse('Sales documents issued since the start of the month.'),
      webhookEndpoints: limitedUse('Webhook endpoints.'),
    }),
  })
  .meta({
    id: 'BillingPlan',
    description: 'The plan of the workspace with its limits and use.',
    fields: {
      'trial.endsAt': 'When the trial ends, in UTC.',
      addons: 'Add-ons of the plan.',
      limits: 'Use and limit of each counted resource.',
      'limits.contacts': 'Contacts.',
      'limits.messages': 'Messages of the month.',
      'limits.messages.periodStart': "When the month started in the workspace's time zone, in UTC.",
      'limits.documents': 'Sales documents of the month.',
      'limits.webhookEndpoints': 'Webhook endpoints.',
    },
  })

const ENTRY_KINDS = ['topup', 'charge', 'refund', 'adjustment'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

const minorUnits = (description: string) => z.number().int().meta({ description })

/** An entry of the wallet. Entries never change. */
export const WalletEntry = z
  .object({
    id: Id,
    kind: z.enum(ENTRY_KINDS),
    amountMinor: minorUnits('Amount in the smallest unit of the currency; negative for withdrawals.'),
    balanceAfterMinor: minorUnits('Balance after the entry, in the smallest unit of the currency.'),
    description: z.string(),
    reference: z.string().nullable().meta({ description: 'For a charge: its day and category.' }),
    createdAt: Instant,
  })
  .meta({
    id: 'WalletEntry',
    description: 'An entry of the wallet. Entries never change.',
    fields: { kind: 'Kind of entry.', description: 'Purpose of the entry.' },
  })

/** Answer of `GET /wallet`. */
export const Wallet = z
  .object({
    enabled: z.boolean(),
    currency: z.string().meta({ example: 'INR' }),
    balanceMinor: minorUnits('Balance in the smallest unit of the currency.'),
    balance: z.string().meta({ example: '₹1,234.50' }),
    entries: z.array(WalletEntry).meta({ description: 'Entries, newest first.' }),
    nextCursor: z.string().nullable(),
  })
  .meta({
    id: 'Wallet',
    description: 'The prepaid balance that messages are paid from.',
    fields: {
      enabled: 'Whether messages are paid from the wallet.',
      balance: 'The balance as text in the currency, such as `₹1,234.50`.',
    },
  })

export const CostsQuery = z.object({
  days: windowDays,
})

const wholeNumber = (description: string) => z.number().int().meta({ description })
export const CostFigures = z
  .object({
    messages: wholeNumber('Delivered messages whose price the operator reported, each counted once.'),
    free: wholeNumber('Messages that the operator does not charge for.'),
    charged: wholeNumber('Messages that the operator charges for at a known rate.'),
    unpriced: wholeNumber(
      'Messages that the operator charges for at an unknown rate, and messages without a report about charges.',
    ),
    costMinor: z.number().int().nullable().meta({
      description:
        'Cost of the charged messages, in the smallest unit of the currency, rounded once; null if no rate is known.',
    }),
    cost: z.string().nullable().meta({ example: '₹78.46' }),
  })
  .meta({
    id: 'CostFigures',
    description: 'Charged and free messages with their cost.',
    fields: { cost: 'Cost of the charged messages as text, such as `₹78.46`; null without a rate.' },
  })

/** The expected charges for messages that are not sent yet. */
export const ExpectedCost = CostFigures.extend({
  messages: wholeNumber('Messages that would be sent.'),
  costMinor: z.number().int().nullable().meta({
    description:
      'Expected cost of the charged messages, in the smallest unit of the currency, rounded once; null if no rate is known.',
  }),
}).meta({
  id: 'ExpectedCost',
  description: 'Charged and free messages that would be sent, with their expected cost.',
  fields: { cost: 'Expected cost of the charged messages as text, such as `₹78.46`; null without a rate.' },
})

/** Answer of `GET /costs`. */
export const Costs = z
  .object({
    currency: z.string().nullable().meta({ description: 'Currency of the rate card; null without one.' }),
    rateCard: z
      .object({ validFrom: Day, importedAt: Instant })
      .nullable()
      .meta({ description: 'The rates that apply today; null if none were imported.' }),
    days: wholeNumber('Number of days.'),
    from: Day,
    to: Day,
    timezone: z.string().meta({ description: "The workspace's time zone, which defines the days." }),
    total: CostFigures,
    byDay: z.array(CostFigures.extend({ date: Day })).meta({
      description: 'Every day, oldest first. A message counts on the day when its report arrived.',
    }),
    byCategory: z
      .array(CostFigures.extend({ category: z.string().meta({ example: 'marketing' }) }))
      .meta({ description: "Figures by the operator's category, for categories with messages." }),
  })
  .meta({
    id: 'Costs',
    description: "The cost of the messages of a period, at the operator's rates.",
    fields: {
      'rateCard.validFrom': 'First day on which the rates apply, such as `2026-06-01`.',
      'rateCard.importedAt': 'When the rates were imported, in UTC.',
      from: 'First day counted, such as `2026-06-01`.',
      to: 'Last day counted, such as `2026-06-30`.',
      total: 'Figures of the whole period.',
      'byCategory.category': 'Category of the operator, such as `marketing`.',
    },
  })

/** The most rates of `GET /rates`. */
export const MAX_RATES = 5_000

/** Reply of `GET /rates`. */
export const RateList = z
  .object({
    currency: z.string().nullable().meta({ description: 'Currency of the rates; null without rates.' }),
    importedAt: Instant.nullable().meta({
      description: 'When the rates were last imported, in UTC; null without rates.',
    }),
    rates: z
      .array(
        z.object({
          market: z.string().meta({
            description: 'Country, such as `IN`; `*` for all countries without their own rate.',
            example: 'IN',
          }),
          category: z.string().meta({ example: 'marketing' }),
          validFrom: Day,
          isUpcoming: z.boolean().meta({
            description: 'Whether the rate starts after today, so that another rate applies until then.',
          }),
          millionths: wholeNumber('Price of a message, in millionths of a unit of the currency.'),
        }),
      )
      .meta({
        description: `Rates that apply today or later, by country and category, at most ${MAX_RATES}.`,
      }),
    isPartial: z.boolean().meta({ description: `Whether there are more than ${MAX_RATES} rates.` }),
  })
  .meta({
    id: 'RateList',
    description: "The operator's rates for the messages of the workspace.",
    fields: {
      'rates.category': 'Category of the operator, such as `marketing`.',
      'rates.validFrom': 'First day on which the rate applies, such as `2026-06-01`.',
    },
  })
