import { z } from 'zod'
import { ROLES } from '../../../core/context.ts'
import { Id } from '../../../core/ids.ts'
import { SCOPES } from '../../../core/scopes.ts'
import { Instant } from '../../../core/values/text.ts'

/** The optional parts of Parley, which are turned on for each workspace. */
export const MODULES = ['invoicing', 'bookings', 'reviews'] as const
export type Module = (typeof MODULES)[number]

/** The fields of a workspace that all its callers see. */
export const WorkspaceFace = z.object({
  id: Id,
  name: z.string(),
  plan: z.enum(['free', 'pro', 'enterprise', 'unlimited']),
  sandbox: z.boolean(),
  timezone: z.string(),
  countryCode: z.string(),
})

/** The caller (spec 4.3 `GET /me`), without the key itself. */
export const Me = z
  .object({
    workspace: WorkspaceFace,
    key: z.object({
      id: Id,
      label: z.string(),
      role: z.enum(ROLES),
      scopes: z.array(z.enum(SCOPES)).nullable(),
      expiresAt: Instant.nullable(),
    }),
  })
  .meta({
    id: 'Me',
    description: 'The workspace and the API key of the caller.',
    fields: {
      workspace: 'The workspace of the key.',
      'workspace.name': 'Name of the workspace.',
      'workspace.timezone': 'Time zone of the workspace (IANA name), such as `Asia/Kolkata`.',
      'workspace.countryCode': "Calling code of the workspace's country, such as `91`.",
      key: "The API key; never the key's secret.",
      'key.label': 'Label of the key.',
      'key.role': 'Role of the key: `viewer`, `agent`, or `admin`.',
      'key.scopes': 'Scopes the key is limited to; null for all that its role allows.',
    },
  })

/** A member of the workspace (spec 4.10 `GET /team`), whom the CRM accepts by name, email or id. */
export const Member = z
  .object({
    id: Id,
    name: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    owner: z.boolean().meta({ description: 'Whether the member owns the workspace.' }),
  })
  .meta({
    id: 'Member',
    description: "A member of the workspace's team.",
    fields: { name: 'Name of the member.', role: 'Role of the member: `viewer`, `agent`, or `admin`.' },
  })

/** A sending number (spec 4.3); `phoneNumberId` refers to its id. */
export const PhoneNumber = z
  .object({
    id: Id,
    number: z.string().meta({ description: 'Phone number in E.164 with `+`.', example: '+15550001234' }),
    displayName: z.string(),
    username: z.string().nullable().meta({ description: 'Username of the business on the chat network.' }),
    state: z.enum(['active', 'number_banned', 'sending_blocked', 'disconnected']),
    stateReason: z.string().nullable(),
    restrictions: z
      .array(
        z.object({
          messages: z.enum(['business_initiated', 'customer_initiated']),
          until: Instant.nullable().meta({
            description: 'When the restriction ends, in UTC; null until the operator lifts it.',
          }),
        }),
      )
      .meta({
        description:
          'Messages that the operator does not accept although the number is active: messages that start a conversation, or answers to customers who wrote within 24 hours.',
      }),
    quality: z.string(),
    throughput: z
      .number()
      .meta({ description: 'Messages per second that the operator accepts.', example: 80 }),
    messagingLimit: z.string().nullable().meta({
      description: "Number of customers whom you can message first in 24 hours, in the operator's format.",
      example: 'TIER_2K',
    }),
    pausedUntil: Instant.nullable().meta({
      description: 'When sending resumes after a pause, in UTC; null while it is not paused.',
    }),
    pauseReason: z.string().nullable(),
    wabaConnectionId: Id.meta({
      description: 'Id of the business account of the number. Templates belong to business accounts.',
    }),
    historySync: z
      .object({
        state: z.enum(['requested', 'receiving', 'complete', 'declined']),
        progress: z.number().int().nullable(),
        phase: z.number().int().nullable(),
        stored: z.number().int(),
        leftOut: z.number().int(),
        reason: z.string().nullable(),
        requestedAt: Instant.nullable(),
        updatedAt: Instant.nullable(),
      })
      .nullable(),
    simulated: z.boolean(),
    createdAt: Instant,
  })
  .meta({
    id: 'PhoneNumber',
    description: 'A number that you can send from.',
    fields: {
      simulated: 'Whether the number is simulated (sandbox).',
      state: 'Whether messages can be sent from the number.',
      stateReason: "Why messages can't be sent; null while they can.",
      'restrictions.messages':
        'Restricted messages: those that start a conversation, or answers to customers.',
      quality: 'Quality rating of the operator; `unknown` until there is one.',
      pauseReason: 'Why sending is paused; null while it is not.',
      historySync:
        'The chats of the phone app from before the number was connected; null if they were neither requested nor received.',
      'historySync.state':
        'Whether the chats are requested, arriving, or complete, or the business declined to share them.',
      'historySync.progress': 'Share of the history that has arrived, from 0 to 100; null until some has.',
      'historySync.phase':
        'Latest part that has arrived: 0 for the last day, 1 for the last 90 days, 2 for the last 180 days.',
      'historySync.stored': 'Number of messages stored from the history.',
      'historySync.leftOut':
        'Number of messages left out: too old for the retention time, of erased contacts, or past the contact limit.',
      'historySync.reason': 'Why there is no history; null otherwise.',
      'historySync.requestedAt': 'When the history was requested, in UTC.',
      'historySync.updatedAt': 'When the latest part arrived, in UTC.',
    },
  })
