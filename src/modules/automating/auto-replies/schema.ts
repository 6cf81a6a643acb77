/** Automatic replies to customers' messages (DECISIONS.md). */
import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { requiredText } from '../../messaging/contacts/schema.ts'
import { TEXT_MAX } from '../../messaging/messages/schema.ts'

/** Max auto-replies of a workspace. */
export const AUTO_REPLIES_MAX = 100
const KEYWORDS_MAX = 20
const KEYWORD_MAX = 100
const NUMBERS_MAX = 50
const YEAR_MINUTES = 525_600

const AUTO_REPLY_KINDS = ['welcome', 'away', 'keyword'] as const
export const MATCHES = ['exact', 'contains', 'starts', 'word'] as const
const SCHEDULES = ['business_hours', 'always'] as const
/** Default cooldown of an away message: four hours. */
const AWAY_COOLDOWN_MINUTES = 240

/** A word or phrase as the caller writes it. */
const Keyword = z.string().trim().pipe(requiredText(KEYWORD_MAX))
export const Keywords = z
  .array(Keyword)
  .max(KEYWORDS_MAX, `Must have at most ${KEYWORDS_MAX} keywords.`)
  .refine(
    (keywords) => new Set(keywords.map((keyword) => keyword.toLowerCase())).size === keywords.length,
    'Must have each keyword once.',
  )

const whole = (least: number, max: number) =>
  z
    .int(`Must be a whole number from ${least} to ${max}.`)
    .min(least, `Must be a whole number from ${least} to ${max}.`)
    .max(max, `Must be a whole number from ${least} to ${max}.`)

const Reply = z.strictObject({
  text: requiredText(TEXT_MAX).meta({
    description:
      "Text that is sent. `{{contact.name}}` is replaced by the customer's name, or by nothing if it is unknown.",
    example: 'Hello {{contact.name}}, we are back at 10.',
  }),
})

const fields = {
  kind: z.enum(AUTO_REPLY_KINDS),
  enabled: z.boolean('Must be true or false.'),
  position: whole(0, 10_000).meta({
    description: 'Order among the auto-replies that match; the lowest is sent.',
  }),
  phoneNumberIds: z
    .array(Id.transform((id) => id.toLowerCase()))
    .min(1, 'Must have at least one number. Use null for all numbers.')
    .max(NUMBERS_MAX, `Must have at most ${NUMBERS_MAX} numbers.`)
    .nullable()
    .meta({ description: 'Ids of your numbers on which it answers; null for all.' }),
  reply: Reply,
  keywords: Keywords.meta({ description: 'For the kind `keyword`: words or phrases, in any case.' }),
  match: z.enum(MATCHES).meta({
    description:
      'How a keyword must match: the whole message, anywhere, at the beginning, or as a whole word.',
  }),
  daysSilent: whole(1, 365).nullable().meta({
    description:
      'For the kind `welcome`: days of silence after which a customer is welcomed again; null for the first message only.',
  }),
  cooldownMinutes: whole(0, YEAR_MINUTES).meta({
    description:
      'Minutes until the same chat can get the same reply again. Default: 240 for `away`, otherwise 0.',
  }),
  schedule: z.enum(SCHEDULES).meta({
    description:
      '`business_hours`: `away` answers while the business is closed, and the other kinds while it is open. `always`: at any time.',
  }),
}

type Raise = (path: string, message: string) => void

/** Checks the rules that depend on several fields. */
export function checkAutoReply({ kind, keywords }: { kind: string; keywords: string[] }, raise: Raise): void {
  if (kind === 'keyword' && keywords.length === 0) raise('keywords', 'Must have at least one keyword.')
  if (kind !== 'keyword' && keywords.length > 0)
    raise('keywords', 'Must be left out unless `kind` is keyword.')
}

/** Descriptions of the fields. */
const AUTO_REPLY_FIELDS = {
  kind: 'When it answers: to the first message (`welcome`), to messages while you are away (`away`), or to a keyword (`keyword`).',
  phoneNumberIds: 'Ids of your numbers on which it answers; null for all.',
  reply: 'The reply: a text or a template.',
  'reply.text': "Text that is sent; `{{contact.name}}` is replaced by the customer's name.",
  keywords: 'Words or phrases to look for, in any case; empty unless `kind` is `keyword`.',
  position: 'Order among the auto-replies that match; the lowest is sent.',
  daysSilent:
    'Days of silence after which a returning customer is welcomed again; null for the first message only.',
  cooldownMinutes: 'Minutes until the same chat can get the same reply again.',
}

/** Body of `POST /auto-replies`. */
export const NewAutoReply = z
  .strictObject({
    ...fields,
    enabled: fields.enabled.default(true),
    position: fields.position.default(0),
    phoneNumberIds: fields.phoneNumberIds.default(null),
    keywords: fields.keywords.default([]),
    match: fields.match.default('word'),
    daysSilent: fields.daysSilent.default(null),
    cooldownMinutes: fields.cooldownMinutes.optional(),
    schedule: fields.schedule.optional(),
  })
  .superRefine((body, context) =>
    checkAutoReply(body, (path, message) => context.addIssue({ code: 'custom', path: [path], message })),
  )
  .transform((body) => ({
    ...body,
    cooldownMinutes: body.cooldownMinutes ?? (body.kind === 'away' ? AWAY_COOLDOWN_MINUTES : 0),
    schedule: body.schedule ?? (body.kind === 'away' ? ('business_hours' as const) : ('always' as const)),
  }))
  .meta({ fields: AUTO_REPLY_FIELDS })
export type NewAutoReply = z.output<typeof NewAutoReply>

/** Body of `PATCH /auto-replies/{id}`. The kind can't change. */
export const AutoReplyPatch = z
  .strictObject(fields)
  .omit({ kind: true })
  .partial()
  .meta({ fields: AUTO_REPLY_FIELDS })
export type AutoReplyPatch = z.output<typeof AutoReplyPatch>

/** An auto-reply in answers of the API. */
export const AutoReply = z
  .object({
    id: Id,
    kind: fields.kind,
    enabled: z.boolean(),
    position: z.int(),
    phoneNumberIds: z.array(Id).nullable(),
    reply: z.object({ text: z.string() }),
    keywords: z.array(z.string()),
    match: fields.match,
    daysSilent: z.int().nullable(),
    cooldownMinutes: z.int(),
    schedule: fields.schedule,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'AutoReply',
    description: "An answer that is sent automatically to a customer's message.",
    fields: AUTO_REPLY_FIELDS,
  })
