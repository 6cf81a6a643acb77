import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant, JsonObject } from '../../../core/values/text.ts'
import { requiredText } from '../../messaging/contacts/schema.ts'
import { TEXT_MAX } from '../../messaging/messages/schema.ts'
import { isPeriod, Keywords, LATER_THAN_START, Patterns, validity } from '../auto-replies/schema.ts'
import { BotNode, NodeName, REQUEST_METHODS, RequestNode } from './node-schema.ts'
import { MAX_RESULT_STARTS, RESULT_DAYS } from './result-schema.ts'

/** The limit of bots in a workspace. */
export const BOTS_MAX = 50
const NODES_MAX = 200
const DAY_MINUTES = 1_440
const TURNS_MAX = 50

const KEYWORDS = 'Words or phrases that start the bot, in any case.'
const PATTERNS =
  'Regular expressions in RE2 syntax that start the bot, in any case, if they are found in the first 1,000 characters of a message.'
const VALID_FROM = 'When the bot starts to answer; null for no start. An active chat continues.'
const VALID_UNTIL = 'When the bot stops starting; null for no end. An active chat continues.'
const NEW_CONVERSATION =
  'Whether the first message of a customer, or the first since the 24-hour window closed, starts the bot.'
const DEFAULT = 'Whether messages that match no keyword reply and no other bot start the bot.'

const orFalse = (description: string) =>
  z
    .boolean('Must be true or false.')
    .nullish()
    .transform((value) => value ?? false)
    .meta({ description })
/** The entries of a bot in a request. An absent or null entry is off. */
const NewEntry = z
  .strictObject({
    keywords: Keywords.nullish()
      .transform((keywords) => keywords ?? [])
      .meta({ description: KEYWORDS }),
    patterns: Patterns.nullish()
      .transform((patterns) => patterns ?? [])
      .meta({ description: PATTERNS }),
    newConversation: orFalse(NEW_CONVERSATION),
    default: orFalse(DEFAULT),
    validFrom: validity.validFrom.optional().meta({ description: VALID_FROM }),
    validUntil: validity.validUntil.optional().meta({ description: VALID_UNTIL }),
  })
  .refine(isPeriod, { path: ['validUntil'], error: LATER_THAN_START })
  .transform(({ validFrom, validUntil, ...entry }) => ({
    ...entry,
    validFrom: validFrom?.toISOString() ?? null,
    validUntil: validUntil?.toISOString() ?? null,
  }))

const Entry = z.object({
  keywords: z.array(z.string()).meta({ description: KEYWORDS }),
  patterns: z.array(z.string()).meta({ description: PATTERNS }),
  newConversation: z.boolean().meta({ description: NEW_CONVERSATION }),
  default: z.boolean().meta({ description: DEFAULT }),
  validFrom: Instant.nullable().meta({ description: VALID_FROM }),
  validUntil: Instant.nullable().meta({ description: VALID_UNTIL }),
})

const Fallback = z.strictObject({
  text: requiredText(TEXT_MAX),
  maxMisses: z
    .int('Must be a whole number from 1 to 10.')
    .min(1, 'Must be a whole number from 1 to 10.')
    .max(10, 'Must be a whole number from 1 to 10.')
    .default(2)
    .meta({
      description:
        'Number of messages in a row that the bot can fail to understand. After the next one, it hands the chat to a teammate.',
    }),
})

const definition = {
  idleMinutes: z
    .int(`Must be a whole number from 1 to ${DAY_MINUTES}.`)
    .min(1, `Must be a whole number from 1 to ${DAY_MINUTES}.`)
    .max(DAY_MINUTES, `Must be a whole number from 1 to ${DAY_MINUTES}.`)
    .meta({ description: 'Minutes of silence from the customer after which the bot ends.' }),
  fallback: Fallback.meta({ description: 'Behavior when the bot does not understand a message.' }),
  start: NodeName.meta({ description: 'Id of the first node.' }),
  nodes: z
    .array(BotNode)
    .min(1, 'Must have at least 1.')
    .max(NODES_MAX, `Must have at most ${NODES_MAX} nodes.`),
}
const identity = {
  name: z.string().trim().pipe(requiredText(120)),
  enabled: z.boolean('Must be true or false.'),
  entry: NewEntry,
}

/** The script of a version of a bot. */
export const BotDefinition = z.strictObject(definition)
export type BotDefinition = z.output<typeof BotDefinition>

const IDLE_MINUTES = 30

const BOT_FIELDS = {
  name: 'Name of the bot.',
  entry: 'Conditions that start the bot.',
  'fallback.text': 'Text that the bot sends when it does not understand.',
  nodes: 'Steps of the bot.',
  'nodes.id': 'Id of the node, unique in the bot.',
  'nodes.text': 'Text that the bot sends; `{{contact.name}}` and `{{answers.size}}` are filled in.',
  'nodes.options': 'Options that the customer can tap.',
  'nodes.options.id': 'Id of the option, unique in the node.',
  'nodes.options.title': 'Label of the option.',
  'nodes.options.description': 'Text below the label.',
  'nodes.saveTo': 'Field that stores the answer, such as `answers.size`.',
  'nodes.save.saveTo': 'Field that stores the value, such as `answers.status`.',
  'nodes.is': 'How the field is compared.',
  'nodes.value': 'Value to compare the field with.',
  'nodes.action': 'Action of the bot.',
  'nodes.action.key': 'Key of the custom field to set.',
  'nodes.action.value': 'Value to set; null removes the field.',
  'nodes.action.memberId': 'Id of the member to assign the conversation to; null for none.',
  'nodes.action.state': 'State to set the conversation to.',
  'nodes.action.priority': 'Priority to give the conversation.',
  'nodes.action.source': 'Where the lead came from.',
  'nodes.action.note': 'Text of the note.',
  'nodes.note': 'Note for the member who takes over; null for none.',
}

/** Body of `POST /bots`. */
export const NewBot = z
  .strictObject({
    ...identity,
    enabled: identity.enabled.default(false),
    entry: NewEntry.default({
      keywords: [],
      patterns: [],
      newConversation: false,
      default: false,
      validFrom: null,
      validUntil: null,
    }),
    ...definition,
    idleMinutes: definition.idleMinutes.default(IDLE_MINUTES),
  })
  .meta({ fields: BOT_FIELDS })
export type NewBot = z.output<typeof NewBot>

/** Body of `PATCH /bots/{id}`. Given fields are replaced as a whole. */
export const BotPatch = z
  .strictObject({ ...identity, ...definition })
  .partial()
  .meta({ fields: BOT_FIELDS })
export type BotPatch = z.output<typeof BotPatch>

/** A bot in replies. */
export const Bot = z
  .object({
    id: Id,
    name: z.string(),
    enabled: z.boolean(),
    version: z.int().meta({
      description:
        'Version number; it grows with every change of the steps. Active chats end with the version that they started with.',
    }),
    entry: Entry,
    ...definition,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Bot', description: 'A bot that talks with customers, step by step.', fields: BOT_FIELDS })

/** A bot in a list: without its nodes. */
export const ListedBot = Bot.omit({ nodes: true, fallback: true, start: true, idleMinutes: true })
  .extend({
    running: z.int().meta({ description: 'Number of chats in which the bot is active.' }),
    starts: z.int().meta({
      description: `How often the bot started in the last ${RESULT_DAYS} days; ${MAX_RESULT_STARTS.toLocaleString('en')} at most.`,
    }),
  })
  .meta({
    id: 'ListedBot',
    description: 'A bot in a list, without its steps.',
    fields: { name: 'Name of the bot.', entry: 'Conditions that start the bot.' },
  })

const Turn = z
  .strictObject({
    text: z
      .string()
      .max(TEXT_MAX, `Must be at most ${TEXT_MAX} characters.`)
      .optional()
      .meta({ description: 'Text that the customer sends.' }),
    option: NodeName.optional().meta({
      description: 'Option that the customer taps at the node where the bot waits.',
    }),
  })
  .refine(({ text, option }) => (text === undefined) !== (option === undefined), {
    path: ['text'],
    message: 'Send either this or `option`.',
  })

/** The customer in a test. */
const TestContact = z
  .strictObject({
    name: z.string().max(200).nullable().default(null),
    tags: z.array(z.string().max(100)).max(50).default([]),
    attributes: z.record(z.string().max(100), z.unknown()).default({}),
  })
  .default({ name: null, tags: [], attributes: {} })

/** Body of `POST /bots/{id}/test`: all turns of the customer; the first starts the chat. */
export const BotTest = z
  .strictObject({
    turns: z
      .array(Turn)
      .min(1, 'Must have at least 1.')
      .max(TURNS_MAX, `Must have at most ${TURNS_MAX} turns.`),
    contact: TestContact,
    responses: z
      .record(NodeName, JsonObject)
      .default({})
      .meta({
        description:
          'JSON answers to the requests of the bot, by node. Tests send no requests: without an answer here, the values are empty.',
        example: { order: { order: { status: 'sent' } } },
      }),
  })
  .meta({
    fields: {
      turns: 'Messages and taps of the customer so far, in order.',
      contact: 'The customer in the test.',
      'contact.name': 'Name of the customer; null for none.',
    },
  })
export type BotTest = z.output<typeof BotTest>

const SaidInTest = z.object({
  type: z.enum(['text', 'buttons', 'list']),
  text: z.string(),
  options: z.array(z.object({ id: z.string(), title: z.string() })),
})

/** The bot's messages and actions in a test. */
export const BotTestResult = z
  .object({
    turns: z.array(
      z.object({
        understood: z.boolean(),
        said: z.array(SaidInTest),
        did: z.array(z.string()).meta({ description: 'Actions that the bot would take, as text.' }),
        asked: z
          .boolean()
          .meta({ description: 'Whether the bot would ask the assistant. Tests do not call the assistant.' }),
      }),
    ),
    state: z.enum(['waiting', 'ended', 'handed_over']),
    node: z.string().nullable().meta({ description: 'Id of the node where the bot waits for the customer.' }),
    answers: z.record(z.string(), z.string()),
  })
  .meta({
    id: 'BotTestResult',
    description: 'Result of a test of a bot. Nothing is sent.',
    fields: {
      turns: 'Expected messages and actions of the bot at each turn, in order.',
      'turns.understood': 'Whether the bot understood the customer.',
      'turns.said': 'Messages that the bot would send, in order.',
      'turns.said.type': 'Form in which the bot would send it.',
      'turns.said.text': 'The text.',
      'turns.said.options': 'Options that the customer could tap.',
      'turns.said.options.title': 'Label of the option.',
      state: 'State of the chat afterwards.',
    },
  })

/** Body of `POST /bots/{id}/test-request`. */
export const RequestTest = z
  .strictObject({
    node: RequestNode.meta({
      description:
        'The step to test, also before it is saved. Headers without a value use the stored values of the step with this id.',
    }),
    answers: z
      .record(z.string().max(100), z.string().max(TEXT_MAX))
      .default({})
      .meta({
        description: 'Examples of answers, by name.',
        example: { order: '4711' },
      }),
    contact: TestContact,
    text: z.string().max(TEXT_MAX, `Must be at most ${TEXT_MAX} characters.`).default('').meta({
      description: "Example of the customer's last message.",
    }),
  })
  .meta({
    fields: {
      'node.save.saveTo': 'Field that stores the value, such as `answers.status`.',
      contact: 'The customer in the test.',
      'contact.name': 'Name of the customer; null for none.',
    },
  })
export type RequestTest = z.output<typeof RequestTest>

/** The result of a test of a request. */
export const RequestTestResult = z
  .object({
    request: z
      .object({
        method: z.enum(REQUEST_METHODS).meta({ description: 'HTTP method.' }),
        url: z.string().meta({ description: 'Address with its placeholders filled in.' }),
        body: z
          .string()
          .nullable()
          .meta({ description: 'Body with its placeholders filled in; null for none.' }),
      })
      .meta({ description: 'The request that was sent, without the values of its headers.' }),
    status: z.int().nullable().meta({ description: 'HTTP status of the answer; null without an answer.' }),
    durationMs: z.int().meta({ description: 'Time until the answer, in milliseconds.' }),
    error: z.string().nullable().meta({ description: 'Why the request failed; null if it succeeded.' }),
    answer: z.unknown().meta({
      description: 'The JSON of the answer, or its text if it is not JSON. Null without an answer.',
    }),
    values: z
      .array(
        z.object({
          path: z.string().meta({ description: 'Path in the answer.' }),
          saveTo: z.string().meta({ description: 'Field that would store the value.' }),
          value: z
            .union([z.string(), z.number(), z.boolean()])
            .nullable()
            .meta({ description: 'The value; null if the path leads nowhere.' }),
        }),
      )
      .meta({ description: 'Values that the bot would save.' }),
  })
  .meta({ id: 'BotRequestTestResult', description: 'Result of a test of a request. Nothing is saved.' })

/** A request that a bot sent. */
export const BotRequest = z
  .object({
    id: Id,
    node: z.string().meta({ description: 'Id of the node.' }),
    version: z.int().meta({ description: 'Version of the bot.' }),
    conversationId: Id,
    method: z.enum(REQUEST_METHODS).meta({ description: 'HTTP method.' }),
    origin: z
      .string()
      .meta({ description: 'Scheme and host of the address.', example: 'https://shop.example' }),
    attempts: z.int().meta({ description: 'Number of attempts.' }),
    status: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the last answer; null without an answer.' }),
    durationMs: z.int().meta({ description: 'Time of all attempts, in milliseconds.' }),
    error: z.string().nullable().meta({ description: 'Why the request failed; null if it succeeded.' }),
    createdAt: Instant,
  })
  .meta({ id: 'BotRequest', description: 'A request that a bot sent to an address, and its result.' })
