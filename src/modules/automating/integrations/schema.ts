import { z } from 'zod'
import { customerName, customerPhone } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { cursorQuery } from '../../../core/paging.ts'
import { IMPOSSIBLE_HOST, isPossibleHost } from '../../../core/values/host-name.ts'
import { Instant, REWRITTEN_IN_URLS } from '../../../core/values/text.ts'

/** The integrations of a workspace (DECISIONS.md); `simulator` if it has a simulated number. */
export const NAMES = ['shopify', 'woocommerce', 'orders', 'razorpay', 'photo', 'ai', 'simulator'] as const
export type Name = (typeof NAMES)[number]
export const KINDS = ['store', 'gateway', 'network', 'assistant'] as const
export const KIND_OF: Record<Name, (typeof KINDS)[number]> = {
  shopify: 'store',
  woocommerce: 'store',
  orders: 'store',
  razorpay: 'gateway',
  photo: 'network',
  ai: 'assistant',
  simulator: 'store',
}

/** The shops of orders. The simulator can act as either of the first two. */
export const PROVIDERS = ['shopify', 'woocommerce', 'orders'] as const
export type Provider = (typeof PROVIDERS)[number]

export const ORDER_TYPES = ['order_placed', 'order_paid', 'order_shipped', 'order_cancelled'] as const
export type OrderType = (typeof ORDER_TYPES)[number]

const SECRET_MIN = 8
const Secret = z
  .string()
  .min(SECRET_MIN, `Must be at least ${SECRET_MIN} characters.`)
  .max(500, 'Must be at most 500 characters.')
  .regex(/^[\x21-\x7e]+$/, 'Must be printable ASCII without spaces.')
/**
 * The shown form of a secret, which replaces nothing: its last four characters, with or without asterisks.
 */
const LAST_FOUR = /^(?:\*{4})?[\x21-\x7e]{4}$/
const SecretOrLastFour = z
  .union([z.string().regex(LAST_FOUR), Secret], `Must be at least ${SECRET_MIN} characters.`)
  .meta({
    description:
      'A secret. Replies show it as asterisks and its last 4 characters (`****mOuk`). To keep the stored secret, omit this field or send the masked value.',
  })

const WebAddress = z
  .url({ protocol: /^https$/, error: 'Must be an https address.' })
  .max(500, 'Must be at most 500 characters.')
  .refine((text) => !REWRITTEN_IN_URLS.test(text), 'Must not contain spaces.')
  .refine((text) => isPossibleHost(new URL(text).hostname), IMPOSSIBLE_HOST)
  .refine((text) => {
    const { username, password, search, hash } = new URL(text)
    return username === '' && password === '' && search === '' && hash === ''
  }, 'Must not have a user, a query, or a fragment.')
  .transform((text) => text.replace(/\/+$/, ''))

const PRIVATE_HTTP = /^http:\/\/(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[(::1|f[cd]))/
/** An own assistant can run in the company's network, without a certificate. */
const AssistantAddress = z.union(
  [
    z
      .string()
      .max(500)
      .regex(PRIVATE_HTTP)
      .refine((text) => URL.canParse(text) && !REWRITTEN_IN_URLS.test(text) && !/[?#@]/.test(text))
      .transform((text) => text.replace(/\/+$/, '')),
    WebAddress,
  ],
  'Must be an https address, or an http address of a private network.',
)

// A message on `int` would also be used for the bounds.
const minutes = (max: number) => z.int().min(0, 'Must not be negative.').max(max)

const Cod = z.strictObject({
  enabled: z.boolean().default(false),
  templateId: Id.nullable().default(null).meta({
    description:
      'Id of the template that asks while the 24-hour window is closed. Its first two quick replies are yes and no, in this order.',
  }),
  delayMinutes: minutes(10_080)
    .default(0)
    .meta({ description: 'Minutes between the order and the question.' }),
  remindAfterMinutes: minutes(10_080)
    .min(1)
    .nullable()
    .default(null)
    .meta({ description: 'Minutes until the customer is asked a second time; null for never.' }),
  expireHours: z.int().min(1).max(720).default(48).meta({ description: 'Hours in which an answer counts.' }),
  tagStore: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether the order in the shop is tagged with the answer.' }),
})
export type CodSettings = z.output<typeof Cod>

const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'Must be a country code of two letters, such as IN.')
  .nullable()
  .default(null)
  .meta({
    description: "Country of phone numbers without a country code; null for the shop's or the workspace's.",
  })

const storeFields = {
  country: Country,
  createLeads: z.boolean().default(false).meta({ description: 'Whether customers who order become leads.' }),
  cod: Cod.prefault({}).meta({ description: 'How cash-on-delivery orders are confirmed.' }),
}
/** The settings of every shop. */
export type StoreSettings = { country: string | null; createLeads: boolean; cod: CodSettings }

const ShopDomain = z
  .string()
  .max(120)
  .regex(/^[a-z0-9][a-z0-9-]*\.myshopify\.com$/, 'Must be an address, such as asha.myshopify.com.')
const ShopId = z
  .string()
  .min(1, 'Must not be empty.')
  .max(120, 'Must be at most 120 characters.')
  .regex(/^[\x21-\x7e]+$/, 'Must be printable ASCII without spaces.')

const AI_DAILY_MAX = 100_000
const AI_DAILY = 1_000

const fields = {
  shop: ShopDomain.meta({ description: 'Address of the shop (shopify).' }),
  accessToken: SecretOrLastFour.optional(),
  apiSecret: SecretOrLastFour.optional(),
  url: WebAddress,
  consumerKey: SecretOrLastFour.optional(),
  consumerSecret: SecretOrLastFour.optional(),
  shopId: ShopId.default('own').meta({
    description: 'Id of the shop when a report names none (orders).',
  }),
  secret: SecretOrLastFour.optional(),
  keyId: z.string().regex(/^[A-Za-z0-9_]{4,100}$/, 'Must be a key id, such as rzp_live_1a2B3c4D.'),
  keySecret: SecretOrLastFour.optional(),
  webhookSecret: SecretOrLastFour.optional(),
  apiKey: SecretOrLastFour.nullable().optional(),
  model: z
    .string()
    .min(1, 'Must not be empty.')
    .max(200)
    .regex(/^[\x21-\x7e]+$/, 'Must be printable ASCII without spaces.'),
  dailyLimit: z
    .int()
    .min(1)
    .max(AI_DAILY_MAX)
    .default(AI_DAILY)
    .meta({ description: 'Maximum number of answers in a day, with drafts and summaries (ai).' }),
  forAgents: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether agents can ask it for drafts and summaries (ai).' }),
  account: z
    .string()
    .regex(/^\d{5,30}$/, 'Must be the id of the account, such as 17841400000000001.')
    .meta({ description: 'Id of the account at the photo network (photo).' }),
  token: SecretOrLastFour.optional(),
  appSecret: SecretOrLastFour.optional(),
  verifyToken: Secret.optional().meta({
    description:
      'Text that the photo network sends back when you enter the callback address (photo). Omitted: the stored one remains, or Parley creates one.',
  }),
}

/** The settings of each integration. */
export const SETTINGS = {
  shopify: z.strictObject({
    shop: fields.shop,
    accessToken: fields.accessToken,
    apiSecret: fields.apiSecret,
    ...storeFields,
  }),
  woocommerce: z.strictObject({
    url: fields.url,
    consumerKey: fields.consumerKey,
    consumerSecret: fields.consumerSecret,
    ...storeFields,
  }),
  orders: z.strictObject({ shopId: fields.shopId, secret: fields.secret, ...storeFields }),
  razorpay: z.strictObject({
    keyId: fields.keyId,
    keySecret: fields.keySecret,
    webhookSecret: fields.webhookSecret,
  }),
  photo: z.strictObject({
    account: fields.account,
    token: fields.token,
    appSecret: fields.appSecret,
    verifyToken: fields.verifyToken,
  }),
  ai: z.strictObject({
    url: AssistantAddress,
    apiKey: fields.apiKey,
    model: fields.model,
    dailyLimit: fields.dailyLimit,
    forAgents: fields.forAgents,
  }),
  simulator: z.strictObject(storeFields),
} as const satisfies Record<Name, z.ZodObject>

/** The settings that are secrets. */
export const SECRETS: Record<Name, readonly string[]> = {
  shopify: ['accessToken', 'apiSecret'],
  woocommerce: ['consumerKey', 'consumerSecret'],
  orders: ['secret'],
  razorpay: ['keySecret', 'webhookSecret'],
  photo: ['token', 'appSecret', 'verifyToken'],
  ai: ['apiKey'],
  simulator: [],
}

const anyOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).partial()

const COD_FIELDS = {
  enabled: 'Whether customers are asked to confirm cash-on-delivery orders.',
  templateId: 'Id of the template that asks while the 24-hour window is closed; null for none.',
  delayMinutes: 'Minutes between the order and the question.',
  remindAfterMinutes: 'Minutes until the customer is asked a second time; null for never.',
  expireHours: 'Hours in which an answer counts.',
  tagStore: 'Whether the order in the shop is tagged with the answer.',
}

const INTEGRATION_SETTINGS_FIELDS = {
  keyId: 'Public id of the key (razorpay).',
  shop: 'Address of the shop, such as `asha.myshopify.com` (shopify).',
  url: 'Address of the site (woocommerce), or base address of the API (ai).',
  model: 'Name of the language model (ai).',
  dailyLimit: 'Maximum number of answers in a day, with drafts and summaries (ai).',
  forAgents: 'Whether agents can ask it for drafts and summaries (ai).',
  account: 'Id of the account at the photo network (photo).',
  createLeads: 'Whether customers who order become leads.',
  cod: 'How cash-on-delivery orders are confirmed.',
  country: "Country code for numbers without one; null for the shop's or the workspace's.",
  shopId: 'Id of the shop when a delivery names none (orders).',
}

/** Body of `PUT /integrations/{name}`: the settings of that integration. */
export const IntegrationBody = z
  .strictObject({
    settings: anyOf({
      ...fields,
      ...storeFields,
      url: z.string().max(500).meta({
        description: 'Address of the site (woocommerce), or base address of an OpenAI-compatible API (ai).',
      }),
      shopId: ShopId,
      dailyLimit: z.int().min(1).max(AI_DAILY_MAX),
      forAgents: z.boolean(),
      country: z.string().nullable(),
      createLeads: z.boolean(),
      cod: anyOf(Cod.shape).meta({
        id: 'CodSettingsInput',
        description: 'How cash-on-delivery orders are confirmed.',
        fields: COD_FIELDS,
      }),
    })
      .meta({
        id: 'IntegrationSettingsInput',
        description: 'Settings of an integration. Each integration has its own fields.',
        fields: INTEGRATION_SETTINGS_FIELDS,
      })
      .prefault({}),
  })
  .meta({ fields: { settings: 'Settings of the integration. Omitted settings return to their defaults.' } })

const LastFour = z.string().nullable().meta({
  description:
    'Asterisks and the last 4 characters of the secret, such as `****mOuk`; null if none is stored.',
})

/** An integration in a response. */
export const Integration = z
  .object({
    name: z.enum(NAMES),
    kind: z.enum(KINDS),
    status: z.enum(['off', 'active', 'error']),
    settings: z
      .object({
        shop: z.string(),
        accessToken: LastFour,
        apiSecret: LastFour,
        url: z.string(),
        consumerKey: LastFour,
        consumerSecret: LastFour,
        shopId: z.string(),
        secret: LastFour,
        keyId: z.string(),
        keySecret: LastFour,
        webhookSecret: LastFour,
        apiKey: LastFour,
        model: z.string(),
        dailyLimit: z.int(),
        forAgents: z.boolean(),
        account: z.string(),
        token: LastFour,
        appSecret: LastFour,
        country: z.string().nullable(),
        createLeads: z.boolean(),
        cod: z
          .object({
            enabled: z.boolean(),
            templateId: Id.nullable(),
            delayMinutes: z.int(),
            remindAfterMinutes: z.int().nullable(),
            expireHours: z.int(),
            tagStore: z.boolean(),
          })
          .meta({
            id: 'CodSettings',
            description: 'How cash-on-delivery orders are confirmed.',
            fields: COD_FIELDS,
          }),
      })
      .partial()
      .meta({
        id: 'IntegrationSettings',
        fields: INTEGRATION_SETTINGS_FIELDS,
        description: 'Settings of the integration; none while it is disconnected.',
      }),
    intakeUrl: z.string().nullable().meta({
      description:
        "Address that receives the provider's reports; null if there are none, or the integration is off.",
    }),
    shopId: z.string().nullable(),
    accountName: z.string().nullable(),
    lastEventAt: Instant.nullable().meta({ description: 'When Parley last accepted a report, in UTC.' }),
    lastError: z.string().nullable(),
  })
  .meta({
    id: 'Integration',
    description: 'A connection to a shop, a payment gateway, the photo network, or an assistant.',
    fields: {
      name: 'Name of the integration.',
      kind: 'Kind of the connected service.',
      status: 'Whether it works.',
      shopId: 'Id of the shop; null without one.',
      accountName: 'Name of the connected account at the photo network; null without one.',
      lastError: 'The latest error; null if there was none.',
    },
  })
export type Integration = z.output<typeof Integration>

/** The states of an order's question about cash on delivery. */
const COD_STATES = ['waiting', 'asked', 'confirmed', 'disowned', 'expired', 'dropped', 'failed'] as const
export type CodState = (typeof COD_STATES)[number]

/** An order of a shop. */
export const Order = z
  .object({
    id: Id,
    provider: z.enum(PROVIDERS),
    shopId: z.string(),
    reference: z.string(),
    status: z.enum(['placed', 'paid', 'shipped', 'cancelled']),
    contactId: Id.nullable(),
    phone: customerPhone(z.string()).nullable(),
    customerName: customerName(z.string()).nullable(),
    total: z.number().nullable(),
    currency: z.string().nullable(),
    url: z.string().nullable(),
    itemCount: z.int().nullable(),
    cashOnDelivery: z.boolean(),
    cod: z
      .object({
        status: z.enum(COD_STATES),
        askedAt: Instant.nullable(),
        answeredAt: Instant.nullable(),
        reason: z.string().nullable().meta({ description: 'Why the customer could not be asked.' }),
      })
      .nullable()
      .meta({
        description: 'Confirmation of a cash-on-delivery order; null if the customer is not asked.',
      }),
    placedAt: Instant.nullable(),
    paidAt: Instant.nullable(),
    shippedAt: Instant.nullable(),
    cancelledAt: Instant.nullable(),
    createdAt: Instant,
  })
  .meta({
    id: 'Order',
    description: 'An order of a connected shop.',
    fields: {
      reference: 'Number of the order at the shop.',
      status: 'State of the order.',
      phone: 'Phone number of the customer; null if the order has no readable one.',
      contactId: 'Id of the contact; null if the order has no readable phone number.',
      total: 'Total of the order in its currency, at most two decimals; null if unknown.',
      currency: 'Currency code (ISO 4217), such as `INR`; null if unknown.',
      url: 'Address of the order for the customer; null if unknown.',
      itemCount: 'Number of items; null if unknown.',
      cashOnDelivery: 'Whether it is paid in cash on delivery.',
      'cod.status': 'State of the confirmation.',
      'cod.askedAt': 'When the customer was asked, in UTC; null until then.',
      placedAt: 'When it was placed, in UTC; null if unknown.',
      shippedAt: 'When it was shipped, in UTC; null until then.',
    },
  })
export type Order = z.output<typeof Order>

/** The result of a shop's report: the stored outcome, and its status and text in responses. */
export const OUTCOMES = {
  applied: { status: 'applied', reason: null },
  repeat: { status: 'repeat', reason: 'The shop already reported this.' },
  other_topic: { status: 'ignored', reason: "Parley doesn't use reports of this topic." },
  no_order: { status: 'ignored', reason: 'The order or the time is missing.' },
  draft: { status: 'ignored', reason: 'The order is a draft or in the trash.' },
  test: { status: 'ignored', reason: "This is a test. Parley doesn't store it as an order." },
} as const
export type Outcome = keyof typeof OUTCOMES

/** A shop's report in a response, always without customer data. */
export const ShopDelivery = z
  .object({
    id: Id,
    deliveryId: z
      .string()
      .meta({ description: "The shop's id of the report, or a hash of its content if it has none." }),
    provider: z.enum(PROVIDERS),
    shopId: z.string(),
    topic: z.string().meta({ description: "Topic of the report, in the shop's terms." }),
    types: z
      .array(z.enum(ORDER_TYPES))
      .meta({ description: 'Changes to the order in the report; empty for other changes.' }),
    reference: z
      .string()
      .nullable()
      .meta({ description: 'Number of the order at the shop; null if the report was ignored.' }),
    status: z.enum(['waiting', 'applied', 'repeat', 'ignored', 'failed']).meta({
      description:
        'Result. `repeat`: it contained nothing new. `failed`: Parley could not apply it and does not try again.',
    }),
    reason: z.string().nullable().meta({ description: 'Why it was ignored, or not applied yet.' }),
    repeats: z.int().meta({ description: 'Number of times that the shop sent the same report again.' }),
    attempts: z.int().meta({ description: 'Number of failed attempts to apply it.' }),
    nextAttemptAt: Instant.nullable().meta({
      description: 'When Parley next tries to apply it, in UTC; null for never.',
    }),
    receivedAt: Instant,
  })
  .meta({
    id: 'ShopDelivery',
    description: 'A report that a shop sent.',
    fields: { receivedAt: 'When it first arrived, in UTC.' },
  })
export type ShopDelivery = z.output<typeof ShopDelivery>

/** Query of `GET /orders`. */
export const OrderFilter = z.object({
  ...cursorQuery,
  contactId: z
    .string()
    .min(1, 'Must not be empty.')
    .max(200)
    .optional()
    .meta({ description: 'Only orders of this contact: its id or phone number.' }),
  reference: z
    .string()
    .min(1, 'Must not be empty.')
    .max(200)
    .optional()
    .meta({ description: 'Only orders with this number at the shop.' }),
})
export type OrderFilter = z.output<typeof OrderFilter>
