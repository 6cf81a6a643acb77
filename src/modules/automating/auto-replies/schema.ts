/** Automatic replies to customers' messages (DECISIONS.md). */
import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant, InstantInput } from '../../../core/values/text.ts'
import { areTooComplex, findPatternFault, PATTERN_MAX } from '../../../core/values/text-patterns.ts'
import { requiredText } from '../../messaging/contacts/schema.ts'
import { TEXT_MAX } from '../../messaging/messages/schema.ts'

/** Max auto-replies of a workspace. */
export const AUTO_REPLIES_MAX = 100
const KEYWORDS_MAX = 20
const KEYWORD_MAX = 100
const NUMBERS_MAX = 50
const YEAR_MINUTES = 525_600

const AUTO_REPLY_KINDS = ['welcome', 'away', 'keyword'] as const
/** How a keyword that is no regular expression matches. */
export const WORD_MATCHES = ['exact', 'contains', 'starts', 'word'] as const
export const MATCHES = [...WORD_MATCHES, 'regex'] as const
/** Max auto-replies with regular expressions, because each of them reads every message. */
export const PATTERN_REPLIES_MAX = 20
const SCHEDULES = ['business_hours', 'always'] as const
/** Default cooldown of an away message: four hours. */
const AWAY_COOLDOWN_MINUTES = 240

/** A word or phrase as the caller writes it. */
const listOf = (maxLength: number) =>
  z
    .array(z.string().trim().pipe(requiredText(maxLength)))
    .max(KEYWORDS_MAX, `Must have at most ${KEYWORDS_MAX} keywords.`)
const EACH_ONCE = 'Must have each keyword once.'
const areDistinct = (keywords: string[]): boolean =>
  new Set(keywords.map((keyword) => keyword.toLowerCase())).size === keywords.length
export const Keywords = listOf(KEYWORD_MAX).refine(areDistinct, EACH_ONCE)

const PATTERNS_TOO_COMPLEX = 'Must be simpler together. Use fewer patterns, or fewer and shorter repetitions.'
type RaiseAt = (path: (string | number)[], message: string) => void

/** Checks regular expressions; `path` is that of their list. */
export function checkPatterns(patterns: string[], path: (string | number)[], raise: RaiseAt): void {
  // The schema reports them. Reading the syntax of a very long text would hold the event loop; a character has at most two units.
  if (patterns.some((pattern) => pattern.length > 2 * PATTERN_MAX)) return
  for (const [index, pattern] of patterns.entries()) {
    const fault = findPatternFault(pattern)
    if (fault) {
      raise([...path, index], fault)
      return
    }
  }
  // Upper and lower case can differ in meaning, as in \d and \D.
  if (new Set(patterns).size !== patterns.length) raise(path, EACH_ONCE)
  else if (areTooComplex(patterns)) raise(path, PATTERNS_TOO_COMPLEX)
}
/** Regular expressions in a request. */
export const Patterns = listOf(PATTERN_MAX).superRefine((patterns, context) =>
  checkPatterns(patterns, [], (path, message) => context.addIssue({ code: 'custom', path, message })),
)

/** The time in which something applies, in a request. Null: without a beginning or an end. */
export const validity = {
  validFrom: InstantInput.nullable().meta({
    description: 'Start of the time in which it applies; null for no start.',
    example: '2026-12-01T00:00:00+05:30',
  }),
  validUntil: InstantInput.nullable().meta({
    description: 'End of the time in which it applies; null for no end.',
    example: '2026-12-04T00:00:00+05:30',
  }),
}
export const LATER_THAN_START = 'Must be later than validFrom.'
/** Returns whether the end of a validity is after its start. */
export const isPeriod = ({
  validFrom,
  validUntil,
}: {
  validFrom?: Date | null | undefined
  validUntil?: Date | null | undefined
}): boolean => !validFrom || !validUntil || validFrom < validUntil

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
  keywords: listOf(PATTERN_MAX).meta({
    description:
      'For the kind `keyword`: words or phrases in any case, at most 100 characters each. With the match `regex`: regular expressions in RE2 syntax, at most 200 characters each.',
  }),
  match: z.enum(MATCHES).meta({
    description:
      'How a keyword must match: the whole message, anywhere, at the beginning, or as a whole word. `regex`: a regular expression, in any case, in the first 1,000 characters of the message.',
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
  ...validity,
}

type Checked = {
  kind: string
  keywords: string[]
  match: (typeof MATCHES)[number]
  validFrom: Date | null
  validUntil: Date | null
}

/** Checks keywords by their match. */
export function checkKeywords(
  { keywords, match }: Pick<Checked, 'keywords' | 'match'>,
  raise: RaiseAt,
): void {
  if (match === 'regex') {
    checkPatterns(keywords, ['keywords'], raise)
    return
  }
  const long = keywords.findIndex((keyword) => Array.from(keyword).length > KEYWORD_MAX)
  if (long >= 0) raise(['keywords', long], `Must be at most ${KEYWORD_MAX} characters.`)
  if (!areDistinct(keywords)) raise(['keywords'], EACH_ONCE)
}

/** Checks the rules that depend on several fields. */
export function checkAutoReply(reply: Checked, raise: RaiseAt): void {
  const { kind, keywords } = reply
  if (kind === 'keyword' && keywords.length === 0) raise(['keywords'], 'Must have at least one keyword.')
  if (kind !== 'keyword' && keywords.length > 0)
    raise(['keywords'], 'Must be left out unless `kind` is keyword.')
  checkKeywords(reply, raise)
  if (!isPeriod(reply)) raise(['validUntil'], LATER_THAN_START)
}

/** Descriptions of the fields. */
const AUTO_REPLY_FIELDS = {
  kind: 'When it answers: to the first message (`welcome`), to messages while you are away (`away`), or to a keyword (`keyword`).',
  phoneNumberIds: 'Ids of your numbers on which it answers; null for all.',
  reply: 'The reply: a text or a template.',
  'reply.text': "Text that is sent; `{{contact.name}}` is replaced by the customer's name.",
  keywords:
    'Words, phrases, or regular expressions to look for, in any case; empty unless `kind` is `keyword`.',
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
    validFrom: validity.validFrom.default(null),
    validUntil: validity.validUntil.default(null),
  })
  .superRefine((body, context) =>
    checkAutoReply(body, (path, message) => context.addIssue({ code: 'custom', path, message })),
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
    validFrom: Instant.nullable().meta({ description: 'When it starts to answer; null for no start.' }),
    validUntil: Instant.nullable().meta({ description: 'When it stops answering; null for no end.' }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'AutoReply',
    description: "An answer that is sent automatically to a customer's message.",
    fields: AUTO_REPLY_FIELDS,
  })

/** Body of `POST /auto-replies/test`. */
export const KeywordTest = z
  .strictObject({
    keywords: listOf(PATTERN_MAX)
      .min(1, 'Must have at least one keyword.')
      .meta({
        description: 'Keywords or regular expressions to test.',
        example: ['order #?\\d{4,8}'],
      }),
    match: fields.match.default('word'),
    text: z
      .string()
      .max(TEXT_MAX, `Must be at most ${TEXT_MAX} characters.`)
      .meta({ description: 'Example of a message.', example: 'Where is order #4711?' }),
  })
  .superRefine((body, context) =>
    checkKeywords(body, (path, message) => context.addIssue({ code: 'custom', path, message })),
  )
export type KeywordTest = z.output<typeof KeywordTest>

/** The result of a test of keywords. */
export const KeywordTestResult = z.object({
  matches: z.boolean().meta({ description: 'Whether a message with this text matches.' }),
  keyword: z.string().nullable().meta({ description: 'The first keyword that matches; null for none.' }),
})

/** Why an auto-reply does not answer a message. */
const SKIPPED = [
  'off',
  'other_number',
  'not_started',
  'ended',
  'closed',
  'open',
  'hours_unknown',
  'no_keyword',
  'not_first',
  'earlier_reply',
  'answered_before',
] as const
export type Skipped = (typeof SKIPPED)[number]

/** Body of `POST /auto-replies/preview`. */
export const AnswerPreview = z.strictObject({
  text: requiredText(TEXT_MAX).meta({
    description: 'The message as a customer writes it.',
    example: 'What is the price?',
  }),
  daysSinceLast: whole(0, 3_650).nullable().default(null).meta({
    description: "Days since the customer's previous message in the chat; null for a first message.",
  }),
  phoneNumberId: Id.transform((id) => id.toLowerCase())
    .nullable()
    .default(null)
    .meta({ description: 'Id of your number that receives the message; null for your first number.' }),
  at: InstantInput.nullable().default(null).meta({
    description: 'When the message arrives; null for now.',
    example: '2026-12-01T22:00:00+05:30',
  }),
  customerName: z
    .string()
    .max(200, 'Must be at most 200 characters.')
    .nullable()
    .default(null)
    .meta({ description: 'Name for `{{contact.name}}`; null if it is unknown.', example: 'Asha Rao' }),
})
export type AnswerPreview = z.output<typeof AnswerPreview>

/** The result of `POST /auto-replies/preview`. */
export const AnswerPreviewResult = z
  .object({
    answeredBy: z.enum(['consent_word', 'keyword', 'bot', 'greeting']).nullable().meta({
      description:
        'The kind of answer: to a consent word such as STOP, by a keyword, by a bot that starts, or by a welcome and an away message; null for none.',
    }),
    bot: z
      .object({ id: Id, name: z.string() })
      .nullable()
      .meta({ description: 'The bot that starts, or null.' }),
    messages: z
      .array(z.object({ autoReplyId: Id, text: z.string().meta({ description: 'Text that is sent.' }) }))
      .meta({ description: 'The messages of auto-replies that are sent, in order.' }),
    autoReplies: z
      .array(
        z.object({
          autoReplyId: Id,
          skipped: z.enum(SKIPPED).nullable().meta({
            description:
              'Why it does not answer; null if it answers. `closed` and `open`: the business is. `earlier_reply` and `answered_before`: it would answer, but one above it does, or a consent word, a keyword, or a bot takes the message.',
          }),
          keyword: z
            .string()
            .nullable()
            .meta({ description: 'The first keyword that matches; null for none.' }),
        }),
      )
      .meta({ description: 'Every auto-reply, in the order in which they are checked.' }),
  })
  .meta({
    id: 'AnswerPreviewResult',
    description:
      'The automatic answer to a message, with the reason of each auto-reply that does not answer.',
    fields: { 'bot.name': 'Name of the bot.' },
  })

export type AnswerPreviewResult = z.input<typeof AnswerPreviewResult>

/** How often auto-replies answered. */
export const AutoReplyCounts = z.object({
  since: Instant.meta({ description: 'Start of the 30 days.' }),
  counts: z
    .array(
      z.object({
        autoReplyId: Id,
        sent: z.int().meta({ description: 'Messages that it sent in the last 30 days.' }),
        lastSentAt: Instant.meta({ description: 'When it last sent a message.' }),
      }),
    )
    .meta({ description: 'Auto-replies that sent something; the others are missing.' }),
})
