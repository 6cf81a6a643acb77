import { z } from 'zod'
import { windowDays } from '../../core/day-window.ts'
import { Id } from '../../core/ids.ts'
import { Instant } from '../../core/text.ts'

const Day = z.iso.date().meta({ example: '2026-06-01' })
const used = (what: string) =>
  z.object({
    used: z.number().int().meta({ description: what }),
    limit: z.number().int().nullable().meta({ description: 'Null: no limit.' }),
  })

/** Answer of `GET /billing`. */
export const BillingPlan = z
  .object({
    plan: z.enum(['free', 'pro', 'enterprise', 'unlimited']),
    sandbox: z.boolean(),
    trial: z.object({ endsAt: Instant }).nullable().meta({ description: 'Null: the plan is not on trial.' }),
    upgradeUrl: z
      .string()
      .nullable()
      .meta({ description: 'Where the plan can be changed; null: there is none above it.' }),
    modules: z.array(z.string()).meta({ description: 'Those that are switched on.', example: ['invoicing'] }),
    addons: z.array(z.string()).meta({ example: ['social'] }),
    limits: z.object({
      contacts: used('Contacts stored.'),
      messages: used('Messages accepted since the month began.').extend({
        periodStart: Instant,
        periodEnd: Instant.meta({ description: "When the next month of the workspace's time zone begins." }),
      }),
      documents: used('Sales documents issued since the month began.'),
      webhookEndpoints: used('Webhook endpoints.'),
    }),
  })
  .meta({
    id: 'BillingPlan',
    description: 'The plan of the workspace with its limits and use.',
    fields: {
      'trial.endsAt': 'When the trial ends, in UTC.',
      addons: 'Add-ons of the plan.',
      limits: 'Use of the plan, by what is counted.',
      'limits.contacts': 'Contacts.',
      'limits.messages': 'Messages of the month.',
      'limits.messages.periodStart': "When the month began in the workspace's time zone, in UTC.",
      'limits.documents': 'Sales documents of the month.',
      'limits.webhookEndpoints': 'Webhook endpoints.',
    },
  })

const ENTRY_KINDS = ['topup', 'charge', 'refund', 'adjustment'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

const minor = (description: string) => z.number().int().meta({ description })

/** An entry of the wallet. Entries never change. */
export const WalletEntry = z
  .object({
    id: Id,
    kind: z.enum(ENTRY_KINDS),
    amountMinor: minor('In minor units; below 0 what was taken out.'),
    balanceAfterMinor: minor('What was in the wallet afterwards.'),
    description: z.string(),
    reference: z.string().nullable().meta({ description: 'Of a charge: its day and category.' }),
    createdAt: Instant,
  })
  .meta({
    id: 'WalletEntry',
    description: 'An entry of the wallet; it never changes.',
    fields: { kind: 'What the entry is.', description: 'What the entry is for.' },
  })

/** Answer of `GET /wallet`. */
export const Wallet = z
  .object({
    enabled: z.boolean(),
    currency: z.string().meta({ example: 'INR' }),
    balanceMinor: minor('In minor units.'),
    balance: z.string().meta({ example: '₹1,234.50' }),
    entries: z.array(WalletEntry).meta({ description: 'Newest first.' }),
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

const whole = (description: string) => z.number().int().meta({ description })
const CostFigures = z
  .object({
    messages: whole('Messages that arrived and whose price the operator reported, each once.'),
    free: whole('Those that the operator does not charge for.'),
    charged: whole('Those that it charges for, at a known rate.'),
    unpriced: whole(
      'Those that it charges for at a rate that is not known, and those of which it does not say.',
    ),
    costMinor: z.number().int().nullable().meta({
      description: 'What the charged ones cost, in minor units, rounded once; null where no rate is known.',
    }),
    cost: z.string().nullable().meta({ example: '₹78.46' }),
  })
  .meta({
    id: 'CostFigures',
    description: 'Charged and free messages with their cost.',
    fields: { cost: 'Cost of the charged messages as text, such as `₹78.46`; null without a rate.' },
  })

/** Answer of `GET /costs`. */
export const Costs = z
  .object({
    currency: z.string().nullable().meta({ description: 'Of the rate card; null without one.' }),
    rateCard: z
      .object({ validFrom: Day, importedAt: Instant })
      .nullable()
      .meta({ description: 'The rates that are in force today; null: none were imported.' }),
    days: whole('Of the window.'),
    from: Day,
    to: Day,
    timezone: z.string().meta({ description: "The workspace's time zone, which days are of." }),
    total: CostFigures,
    byDay: z.array(CostFigures.extend({ date: Day })).meta({
      description: 'Every day, oldest first; a message counts on the day on which its report came.',
    }),
    byCategory: z
      .array(CostFigures.extend({ category: z.string().meta({ example: 'marketing' }) }))
      .meta({ description: "By the operator's category, for those that have any." }),
  })
  .meta({
    id: 'Costs',
    description: 'What messages of a period cost by the rates of the operator.',
    fields: {
      'rateCard.validFrom': 'First day on which the rates apply, such as `2026-06-01`.',
      'rateCard.importedAt': 'When the rates were imported, in UTC.',
      from: 'First day counted, such as `2026-06-01`.',
      to: 'Last day counted, such as `2026-06-30`.',
      total: 'Figures of the whole period.',
      'byCategory.category': 'Category of the operator, such as `marketing`.',
    },
  })
