import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
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
