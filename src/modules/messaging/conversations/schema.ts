import { z } from 'zod'
import { customerName, customerPhone } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { cursorQuery, idsQuery } from '../../../core/paging.ts'
import { Instant, InstantInput } from '../../../core/values/text.ts'
import { type ContactInEvent, SearchText, TagName } from '../contacts/schema.ts'
import type { ConversationRow } from './queries/conversations.ts'

export const STATES = ['open', 'pending', 'resolved'] as const
export const CHANNELS = ['chat', 'social'] as const
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
/** Each count of an inbox stops here. */
export const COUNTED_MAX = 10_000
/** Contacts that a search in conversations finds at most. */
export const SEARCHED_CONTACTS_MAX = 1_000

/**
 * The time in which any message may be sent. Named, because SDK generators would give an unnamed schema the
 * name of another field.
 */
export const MessagingWindow = z
  .object({
    open: z.boolean().meta({ description: 'Whether free-form messages can be sent now.' }),
    expiresAt: Instant.nullable(),
  })
  .meta({
    id: 'MessagingWindow',
    description: "The 24 hours after a customer's message in which free-form messages can be sent.",
  })

export const CONVERSATION_FIELDS = {
  contact: 'Contact of the conversation.',
  'contact.id': 'Id of the contact.',
  'contact.name':
    'Name of the contact; null if unknown, and for a key that can send but not read conversations.',
  state: 'Whether the conversation is open, pending, or resolved.',
  priority: 'Priority of the conversation.',
  assignedAgentId: 'Id of the member the conversation is assigned to; null for none.',
  teamId: 'Id of the team that the conversation belongs to; null for none.',
}

/** A conversation in a response (spec 4.3, 4.4). */
export const Conversation = z
  .object({
    id: z.string(),
    channel: z.enum(CHANNELS).meta({
      description:
        'Where the conversation takes place: on one of your numbers (`chat`), or as a direct chat of the photo network (`social`).',
    }),
    contact: z.object({
      id: z.string(),
      phone: customerPhone(z.string()).nullable().meta({
        description: 'Phone number of the contact; null for a key that can send but not read conversations.',
      }),
      name: customerName(z.string()).nullable(),
      userId: z.string().nullable(),
      username: z.string().nullable(),
    }),
    phoneNumberId: z.string().meta({
      description: 'Id of your number; of your account on the photo network if `channel` is `social`.',
    }),
    state: z.enum(STATES),
    priority: z.enum(PRIORITIES),
    isArchived: z.boolean(),
    isSnoozed: z.boolean().meta({
      description:
        'Whether the conversation is snoozed: out of the lists of open conversations until `snoozedUntil`, or until the customer writes.',
    }),
    snoozedUntil: Instant.nullable().meta({
      description: 'Until when the conversation is snoozed, in UTC; null without a time.',
    }),
    snoozedUntilReply: z.boolean().meta({
      description: "Whether the customer's next message ends the snooze.",
    }),
    snoozeEndedAt: Instant.nullable().meta({
      description:
        'When a snooze last ended at its time, in UTC; null if never. The conversation was then unread, at the top of the list.',
    }),
    assignedAgentId: z.string().nullable(),
    teamId: z.string().nullable(),
    window: MessagingWindow.meta({ description: 'The 24 hours in which free-form messages can be sent.' }),
    windowOpen: z.boolean().meta({ description: 'The same as `window.open`.' }),
    windowExpiresAt: Instant.nullable().meta({ description: 'The same as `window.expiresAt`.' }),
    freeEntryExpiresAt: Instant.nullable(),
    lastMessageAt: Instant.nullable(),
    waitingSince: Instant.nullable().meta({
      description:
        'Since when the customer waits for an answer, in UTC; null if the customer has an answer or the conversation was resolved.',
    }),
    tags: z.array(z.string()).meta({ description: 'The tags of the contact.' }),
    unreadCount: z
      .number()
      .int()
      .meta({ description: "Number of the customer's messages since the conversation was last read." }),
    lastReadAt: Instant.nullable().meta({
      description: 'When the conversation was last read, in UTC; see `POST /conversations/{id}/read`.',
    }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'Conversation',
    description: 'A chat with a contact on one of your numbers, or on the photo network.',
    fields: CONVERSATION_FIELDS,
  })

const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, `Must be one of ${names.join(', ')}.`)
const booleanText = z.enum(['true', 'false'], 'Must be true or false.').transform((text) => text === 'true')

/** The networks whose chats a request is about. Programs from before the photo chats get no others. */
export const ChannelChoice = z
  .enum(['chat', 'social', 'all'], 'Must be chat, social, or all.')
  .default('chat')
  .meta({
    description:
      'Only conversations on your numbers (`chat`), only direct chats of the photo network (`social`), or both (`all`). Direct chats also need the scope `social:read`. Default: `chat`.',
  })
export type ChannelChoice = z.output<typeof ChannelChoice>

/** Query of `GET /conversations/counts`. */
export const CountsQuery = z.object({ channel: ChannelChoice })

/** Body of `POST /conversations/take-next`. */
export const TakeNextBody = z.strictObject({ channel: ChannelChoice })

/** Query of `GET /conversations` (DECISIONS.md). */
export const ConversationQuery = z
  .object({
    ...cursorQuery,
    ...idsQuery,
    channel: ChannelChoice,
    state: z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(oneOf(STATES)))
      .optional()
      .meta({
        description: `Only conversations in this state, or in one of several states separated by commas: ${STATES.join(', ')}.`,
        type: 'string',
        example: 'open,pending',
      }),
    assignee: z
      .union(
        [z.enum(['me', 'none']), Id.transform((id) => id.toLowerCase())],
        'Must be me, none, or the id of a member.',
      )
      .optional()
      .meta({
        description: 'Only conversations assigned to `me`, to `none`, or to the member with this id.',
        type: 'string',
      }),
    teamId: z
      .union([z.literal('none'), Id.transform((id) => id.toLowerCase())], 'Must be none or the id of a team.')
      .optional()
      .meta({
        description: 'Only conversations of the team with this id, or of no team (`none`).',
        type: 'string',
      }),
    unread: booleanText.optional().meta({
      description: 'Only conversations with unread messages (`true`), or only the others (`false`).',
    }),
    priority: oneOf(PRIORITIES).optional(),
    archived: booleanText.optional().meta({
      description: 'Only archived conversations (`true`), or only the others (`false`). Default: both.',
    }),
    snoozed: booleanText.optional().meta({
      description: 'Only snoozed conversations (`true`), or only the others (`false`). Default: both.',
    }),
    phoneNumberId: Id.optional().meta({ description: 'Only conversations on this number of yours.' }),
    tag: TagName.optional().meta({ description: 'Only conversations with contacts that have this tag.' }),
    search: SearchText.optional().meta({
      description: `Part of the contact's number, name, or username. Searches the ${SEARCHED_CONTACTS_MAX} newest contacts that match.`,
    }),
    window: oneOf(['open', 'closed']).optional().meta({
      description: 'Only conversations whose 24-hour window is open, or only those whose window is closed.',
    }),
    sort: oneOf(['latest', 'waiting']).default('latest').meta({
      description: '`waiting`: only conversations that wait for an answer, the longest wait first.',
    }),
  })
  .meta({ fields: { priority: 'Only conversations of this priority.' } })
export type ConversationQuery = z.output<typeof ConversationQuery>

/** The counts next to the tabs of an inbox. */
export const ConversationCounts = z
  .object({
    mine: z.number().int(),
    unassigned: z.number().int(),
    open: z.number().int(),
    unread: z.number().int(),
    snoozed: z.number().int(),
  })
  .meta({
    id: 'ConversationCounts',
    description: 'How many open conversations there are, by tab of the inbox; each counted to 10,000.',
    fields: {
      mine: 'Conversations assigned to you.',
      unassigned: 'Unassigned conversations.',
      open: 'All open conversations.',
      unread: 'Conversations with unread messages.',
      snoozed: 'Snoozed conversations.',
    },
  })

/** The fields of a conversation that a person can change (spec 4.4). */
export const ConversationPatch = z
  .strictObject({
    state: z.enum(STATES).optional(),
    priority: z.enum(PRIORITIES).optional(),
    isArchived: z.boolean().optional(),
    assignedAgentId: Id.nullable()
      .optional()
      .meta({ description: 'Id of a member of the workspace; null unassigns.' }),
    teamId: Id.transform((id) => id.toLowerCase())
      .nullable()
      .optional()
      .meta({
        description:
          'Id of a team; see `GET /teams`; null for none. Without `assignedAgentId`, a member outside the team is unassigned.',
      }),
  })
  .meta({ fields: CONVERSATION_FIELDS })
export type ConversationPatch = z.output<typeof ConversationPatch>

/** Body of `POST /conversations/{id}/snooze`. */
export const NewSnooze = z
  .strictObject({
    until: InstantInput.optional().meta({
      description: 'Until when: in the future, at most a year ahead.',
    }),
    untilReply: z.boolean('Must be true or false.').default(false).meta({
      description:
        "Whether the customer's next message ends the snooze. With `until`, the earlier of both ends it.",
    }),
  })
  .refine(({ until, untilReply }) => until !== undefined || untilReply, {
    path: ['until'],
    message: 'Required (or untilReply).',
  })
export type NewSnooze = z.output<typeof NewSnooze>

/** The columns of a chat that isn't snoozed. */
export const AWAKE = { snoozedAt: null, snoozedUntil: null, snoozedUntilReply: false } as const

/** The contact to talk to, and our number. */
export const NewConversation = z
  .strictObject({
    contactId: Id.optional().meta({ description: 'Id of a contact in the workspace.' }),
    phone: z
      .string()
      .min(1, 'Must not be empty.')
      .max(200, 'Must be at most 200 characters.')
      .optional()
      .meta({
        description:
          'Instead of `contactId`: a phone number, or `chan:<user id>` of a known contact. A new phone number becomes a contact.',
        example: '+919812345678',
      }),
    phoneNumberId: Id.optional().meta({
      description: 'Id of your number for the conversation. Default: the first active number.',
    }),
  })
  .refine(({ contactId, phone }) => contactId !== undefined || phone !== undefined, {
    path: ['contactId'],
    message: 'Required (or phone).',
  })
  .refine(({ contactId, phone }) => contactId === undefined || phone === undefined, {
    path: ['phone'],
    message: 'Must be left out when contactId is sent.',
  })
export type NewConversation = z.output<typeof NewConversation>

/** Body of `POST /presence`. */
export const NewPresence = z.strictObject({
  conversationId: Id.nullable().meta({
    description: 'Id of the conversation that the caller is viewing; null for none.',
  }),
  typing: z.boolean('Must be true or false.'),
})
export type NewPresence = z.output<typeof NewPresence>

/**
 * Returns whether any message may be sent at `now` (the workspace's time): the 24 hours aren't over (spec 3).
 */
export const isWindowOpen = (conversation: Pick<ConversationRow, 'windowExpiresAt'>, now: Date): boolean =>
  conversation.windowExpiresAt !== null && conversation.windowExpiresAt > now

/**
 * Returns the same as an SQL expression for the row `conversation` of `conversations`; `at` is an expression.
 */
export const isWindowOpenSql = (conversation: string, time: string): string =>
  `${conversation}.window_expires_at > ${time}`

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

/** The contact of a conversation, as the caller may see it. */
export type PersonShown = z.input<typeof Conversation>['contact'] & { tags: string[] }

/** Returns a stored conversation in the form for responses at `now`. */
export const presentConversation = (
  row: ConversationRow,
  { tags, ...contact }: PersonShown,
  now: Date,
): z.input<typeof Conversation> => ({
  id: row.id,
  channel: row.channel,
  contact,
  phoneNumberId: row.phoneNumberId,
  state: row.state,
  priority: row.priority,
  isArchived: row.isArchived,
  isSnoozed: row.snoozedAt !== null,
  snoozedUntil: iso(row.snoozedUntil),
  snoozedUntilReply: row.snoozedUntilReply,
  snoozeEndedAt: iso(row.snoozeEndedAt),
  assignedAgentId: row.assignedAgentId,
  teamId: row.teamId,
  window: { open: isWindowOpen(row, now), expiresAt: iso(row.windowExpiresAt) },
  windowOpen: isWindowOpen(row, now),
  windowExpiresAt: iso(row.windowExpiresAt),
  freeEntryExpiresAt: iso(row.freeEntryExpiresAt),
  lastMessageAt: iso(row.lastMessageAt),
  waitingSince: iso(row.waitingSince),
  tags,
  unreadCount: row.unreadCount,
  lastReadAt: iso(row.lastReadAt),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** Returns the contact for a key that can send but not read conversations (spec 5.5). */
export const withoutPerson = (contact: ContactInEvent): PersonShown => ({
  ...contact,
  phone: null,
  name: null,
  username: null,
  tags: [],
})
