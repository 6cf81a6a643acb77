/** Schemas of a bot's nodes, each of which sends, asks, or does something (DECISIONS.md). */
import { z } from 'zod'
import { component } from '../../../core/component.ts'
import { Id } from '../../../core/ids.ts'
import { HeaderName, HeaderValue, headerList } from '../../../core/values/own-headers.ts'
import { JsonObject } from '../../../core/values/text.ts'
import { AttributeName, requiredText, TAGS_MAX, TagName } from '../../messaging/contacts/schema.ts'
import { PRIORITIES, STATES } from '../../messaging/conversations/schema.ts'
import { TEXT_MAX } from '../../messaging/messages/schema.ts'

/** The longest text above buttons, and the largest number of options. */
const MENU_TEXT_MAX = 1_024
const BUTTONS_MAX = 3
const BUTTON_TITLE_MAX = 20
const ROWS_MAX = 10
const ROW_TITLE_MAX = 24
const ROW_DESCRIPTION_MAX = 72
const NOTE_MAX = 1_000
const DOMAINS_MAX = 20
const URL_MAX = 1_000
const BODY_MAX = 8_000
const SAVED_MAX = 10
const SECONDS_MAX = 10
const RETRIES_MAX = 2

export const ASK_KINDS = ['text', 'number', 'email', 'phone', 'date'] as const
export const COMPARISONS = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'empty',
  'not_empty',
  'greater',
  'less',
] as const

/** The name of a node or of an option. */
const Name = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,40}$/, 'Must be 1 to 40 letters, digits, _ or -.')
  .meta({ example: 'menu' })
const Target = Name.nullable().default(null).meta({ description: 'Id of the next node; null ends the bot.' })

/**
 * A text with placeholders such as `{{contact.name}}` or `{{answers.size}}`, which are filled in when it is
 * sent.
 */
const messageText = (max: number) => requiredText(max)

const PLACES = 'Must be answers.<name>, contact.name or contact.attributes.<key>.'
/** Names under which JavaScript objects cannot keep a value. */
const NOWHERE = ['answers.__proto__', 'contact.attributes.__proto__']
const SaveTo = z
  .string()
  .regex(/^(answers\.[A-Za-z0-9_-]{1,40}|contact\.name|contact\.attributes\..{1,100})$/u, PLACES)
  .refine((place) => !NOWHERE.includes(place), PLACES)
  .meta({ example: 'answers.size' })
const Field = z
  .string()
  .regex(
    /^(answers\.[A-Za-z0-9_-]{1,40}|contact\.(name|tags|phone)|contact\.attributes\..{1,100}|message\.text|now\.open)$/u,
    'Must be answers.<name>, contact.name, contact.phone, contact.tags, contact.attributes.<key>, message.text or now.open.',
  )
  .meta({
    example: 'now.open',
    description:
      'Field to check. `now.open` is true or false, by `GET /business-hours`; empty if no hours are set.',
  })

const distinct = (key: 'id' | 'title') => (options: { id: string; title: string }[]) =>
  new Set(options.map((option) => option[key])).size === options.length

const optionsOf = <Option extends z.ZodType<{ id: string; title: string }>>(option: Option, max: number) =>
  z
    .array(option)
    .min(1, 'Must have at least 1.')
    .max(max, `Must have at most ${max}.`)
    .refine(distinct('id'), 'Must have each id once.')
    .refine(distinct('title'), 'Must have each title once.')

const node = <Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.strictObject({ id: Name, type: z.literal(type), ...shape })

const MessageNode = node('message', { text: messageText(TEXT_MAX), next: Target })
const ButtonsNode = node('buttons', {
  text: messageText(MENU_TEXT_MAX),
  options: optionsOf(
    z.strictObject({ id: Name, title: requiredText(BUTTON_TITLE_MAX), next: Target }),
    BUTTONS_MAX,
  ),
})
const ListNode = node('list', {
  text: messageText(MENU_TEXT_MAX),
  button: requiredText(BUTTON_TITLE_MAX)
    .default('Menu')
    .meta({ description: 'Label of the button that opens the list.' }),
  options: optionsOf(
    z.strictObject({
      id: Name,
      title: requiredText(ROW_TITLE_MAX),
      description: requiredText(ROW_DESCRIPTION_MAX).optional(),
      next: Target,
    }),
    ROWS_MAX,
  ),
})
const AskNode = node('ask', {
  text: messageText(TEXT_MAX),
  saveTo: SaveTo,
  kind: z
    .enum(ASK_KINDS)
    .default('text')
    .meta({ description: 'Kind of answer. Other answers are not understood.' }),
  next: Target,
})
const ConditionNode = node('condition', {
  field: Field,
  is: z.enum(COMPARISONS),
  value: z.string().max(1_000, 'Must be at most 1000 characters.').default(''),
  next: Target.meta({ description: 'Id of the next node if the condition matches; null ends the bot.' }),
  otherwise: Target,
})

const TeamId = Id.nullable().meta({
  description:
    'Id of a team to put the conversation into; see GET /teams. Null or left out: it keeps its team.',
})

const SomeTags = z
  .array(TagName)
  .min(1, 'Must have at least one tag.')
  .max(TAGS_MAX, `Must have at most ${TAGS_MAX} tags.`)
const actionShape = <Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...shape })
export const BotAction = z
  .discriminatedUnion('type', [
    actionShape('add_tags', { tags: SomeTags }),
    actionShape('remove_tags', { tags: SomeTags }),
    actionShape('set_attribute', { key: AttributeName, value: requiredText(1_000).nullable() }),
    actionShape('assign_conversation', { memberId: Id.nullable(), teamId: TeamId.optional() }),
    actionShape('set_conversation', {
      state: z.enum(STATES).optional(),
      priority: z.enum(PRIORITIES).optional(),
    }),
    actionShape('create_lead', {
      stage: requiredText(200)
        .optional()
        .meta({ description: 'Name or id of the stage. Default: the initial stage.' }),
      source: requiredText(120).optional(),
      note: messageText(NOTE_MAX).optional().meta({ description: "Note for the lead's timeline." }),
    }),
    actionShape('add_note', { note: messageText(NOTE_MAX) }),
  ])
  .meta(component('BotAction', 'An action of a bot.'))
export type BotAction = z.output<typeof BotAction>

const ActionNode = node('action', { action: BotAction, next: Target })
const AiNode = node('ai', {
  instructions: requiredText(4_000).meta({
    description:
      'Information about the business for the assistant. It can only answer or hand the chat over.',
  }),
  domains: z
    .array(
      z
        .string()
        .regex(
          /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
          'Must be a domain, such as shop.example.',
        ),
    )
    .max(DOMAINS_MAX, `Must have at most ${DOMAINS_MAX} domains.`)
    .default([])
    .meta({ description: 'Domains that its answers can link to.' }),
  otherwise: Target.meta({
    description:
      'Id of the next node if the assistant hands over, fails, or has no answers left; null hands the chat to a teammate.',
  }),
})
const HandoverNode = node('handover', {
  assign: Id.nullable().default(null).meta({ description: 'Id of a member; see GET /team.' }),
  teamId: TeamId.optional(),
  note: messageText(NOTE_MAX).nullable().default(null),
})
const EndNode = node('end', {})

export const REQUEST_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const HTTPS_RULE =
  'Must be an https address. Placeholders can only follow the host, as in https://shop.example/{{answers.order}}.'
const PLACEHOLDER = /\{\{[^{}]*\}\}/g
/** Returns whether the scheme and the host are fixed, so that no customer chooses the receiver. */
const hasFixedHost = (url: string): boolean =>
  /^https:\/\/[^/?#@\s{}\\]+(?:[/?#]|$)/i.test(url) && URL.canParse(url.replace(PLACEHOLDER, 'x'))

const RequestHeader = z.strictObject({
  name: HeaderName.refine(
    (name) => name.toLowerCase() !== 'idempotency-key',
    'Must not be a header that Parley or the connection sets.',
  ),
  value: HeaderValue.optional().meta({
    description:
      'Value of the header, stored encrypted and never returned. Left out: the stored value of this node stays. Required for a new name, and when the address moves to another host.',
    example: 'Bearer 6f1f2c',
  }),
})
/** Steps into an answer, such as `items.0.name`. */
const AnswerPath = z
  .string()
  .regex(
    /^[^.\s]{1,60}(\.[^.\s]{1,60}){0,9}$/u,
    'Must be names or positions separated by dots, such as order.status or items.0.name.',
  )
  .meta({ description: 'Path in the JSON answer.', example: 'order.status' })
const whole = (least: number, max: number) =>
  z
    .int(`Must be a whole number from ${least} to ${max}.`)
    .min(least, `Must be a whole number from ${least} to ${max}.`)
    .max(max, `Must be a whole number from ${least} to ${max}.`)

export const RequestNode = node('request', {
  method: z.enum(REQUEST_METHODS).default('GET').meta({ description: 'HTTP method.' }),
  url: z
    .string()
    .max(URL_MAX, `Must be at most ${URL_MAX} characters.`)
    .refine(hasFixedHost, HTTPS_RULE)
    .meta({
      description:
        'Address on the public internet. Placeholders such as `{{answers.order}}` are filled in and encoded.',
      example: 'https://shop.example/orders/{{answers.order}}',
    }),
  headers: headerList(RequestHeader).default([]).meta({ description: 'Own headers of the request.' }),
  body: JsonObject.refine(
    (body) => JSON.stringify(body).length <= BODY_MAX,
    `Must be at most ${BODY_MAX} characters as JSON.`,
  )
    .nullable()
    .default(null)
    .meta({ description: 'JSON body; placeholders in its texts are filled in. Null for none.' }),
  timeoutSeconds: whole(1, SECONDS_MAX)
    .default(5)
    .meta({ description: 'Seconds until an attempt fails without an answer.' }),
  retries: whole(0, RETRIES_MAX).default(0).meta({
    description:
      'Number of retries after a timeout, a connection error, or a temporary status. Each attempt has the same `Idempotency-Key`.',
  }),
  save: z
    .array(z.strictObject({ path: AnswerPath, saveTo: SaveTo }))
    .max(SAVED_MAX, `Must have at most ${SAVED_MAX} values.`)
    .default([])
    .meta({ description: 'Values of the JSON answer to save.' }),
  next: Target,
  onFailure: Target.meta({
    description:
      'Id of the next node if the request fails, or its answer is not JSON; null hands the chat to a teammate.',
  }),
}).refine(({ method, body }) => method !== 'GET' || body === null, {
  path: ['body'],
  error: 'Must be left out for GET.',
})

export const BotNode = z
  .discriminatedUnion('type', [
    MessageNode,
    ButtonsNode,
    ListNode,
    AskNode,
    ConditionNode,
    ActionNode,
    AiNode,
    RequestNode,
    HandoverNode,
    EndNode,
  ])
  .meta(component('BotNode', 'A step of a bot.'))
export type BotNode = z.output<typeof BotNode>
export { Name as NodeName }
