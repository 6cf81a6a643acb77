import { z } from 'zod'
import { event } from '../../../core/event.ts'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { OPT_IN_STATUSES } from './schema.ts'

const CONTACT_SOURCES = ['inbound_message', 'smb_echo', 'user_preferences', 'api_send', 'api'] as const
export type ContactSource = (typeof CONTACT_SOURCES)[number]

/** The fields that `contact.updated` can list as changed (spec 6.3). */
export const CHANGEABLE = [
  'displayName',
  'language',
  'tags',
  'attributes',
  'optInStatus',
  'optInSource',
  'blocked',
] as const

const Via = z.enum(['dashboard', 'api'])

export const contactCreated = event({
  name: 'contact.created',
  when: 'A customer became a contact: by a message, by a send, or through the API. Imports, and contacts created in the dashboard, do not trigger it.',
  scope: 'contacts:read',
  data: z
    .object({
      contactId: Id,
      phone: z.string(),
      name: z.string().nullable(),
      userId: z
        .string()
        .optional()
        .meta({ description: "The network's own id of the customer; only if it is known." }),
      username: z
        .string()
        .optional()
        .meta({ description: "The network's own id of the customer; only if it is known." }),
      source: z.enum(CONTACT_SOURCES),
      createdAt: Instant,
    })
    .meta({
      fields: { name: 'Name of the contact; null if unknown.', source: 'How the contact was created.' },
    }),
  example: {
    contactId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10',
    phone: '+919812345678',
    name: 'Asha Rao',
    userId: 'IN.13491208655302741918',
    username: 'asha.rao',
    source: 'inbound_message',
    createdAt: '2026-06-01T09:30:00.000Z',
  },
  touches: ({ contactId }) => ({ contact: contactId }),
})

export const contactUpdated = event({
  name: 'contact.updated',
  when: 'A person changed a contact in the dashboard or through the API. Automatic changes do not trigger it.',
  scope: 'contacts:read',
  data: z
    .object({
      contactId: Id,
      phone: z.string(),
      name: z.string().nullable(),
      changed: z.array(z.enum(CHANGEABLE)),
      tags: z.array(z.string()),
      optInStatus: z.enum(OPT_IN_STATUSES),
      blocked: z.boolean(),
      via: Via,
      updatedAt: Instant,
    })
    .meta({
      fields: {
        name: 'Name of the contact; null if unknown.',
        changed: 'Names of the changed fields.',
        via: 'Where the change was made.',
      },
    }),
  example: {
    contactId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10',
    phone: '+919812345678',
    name: 'Asha Rao',
    changed: ['tags'],
    tags: ['vip'],
    optInStatus: 'opted_in',
    blocked: false,
    via: 'api',
    updatedAt: '2026-06-01T09:30:00.000Z',
  },
  touches: ({ contactId }) => ({ contact: contactId }),
})

export const contactDeleted = event({
  name: 'contact.deleted',
  when: 'A contact was erased with its chats, messages, and lead history.',
  scope: 'contacts:read',
  outlivesErasure: true,
  data: z
    .object({ contactId: Id, phone: z.string(), via: Via, deletedAt: Instant })
    .meta({ fields: { via: 'Where the contact was deleted.', deletedAt: 'When it was deleted, in UTC.' } }),
  example: {
    contactId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10',
    phone: '+919812345678',
    via: 'api',
    deletedAt: '2026-06-01T09:30:00.000Z',
  },
  touches: ({ contactId }) => ({ contact: contactId }),
})

type MergedChat = { conversationId: string; mergedConversationId: string }
/** Returns the chats' ids; none for an event whose personal data was removed. */
const chatIdsOf = (chats: MergedChat[] | undefined): string[] =>
  chats?.flatMap((chat) => [chat.conversationId, chat.mergedConversationId]) ?? []

export const contactMerged = event({
  name: 'contact.merged',
  when: 'Two contacts were merged into one. `contactId` is kept with everything of both. `mergedContactId`, and the ids of its lead and chats, lead to the kept records.',
  scope: 'contacts:read',
  data: z
    .object({
      contactId: Id,
      phone: z.string(),
      name: z.string().nullable(),
      mergedContactId: Id,
      mergedPhone: z.string().meta({ description: 'Phone number of the merged contact.' }),
      leadId: Id.nullable().meta({ description: 'Id of the lead of the kept contact.' }),
      mergedLeadId: Id.nullable().meta({
        description: 'Id of the lead that was merged into it; null unless both had a lead.',
      }),
      conversations: z.array(z.object({ conversationId: Id, mergedConversationId: Id })).meta({
        description: 'Chats that were merged into another. The other chats only changed their contact.',
      }),
      via: z.enum(['dashboard', 'api', 'platform']),
      mergedAt: Instant,
    })
    .meta({
      fields: {
        name: 'Name of the kept contact; null if unknown.',
        mergedContactId: 'Id of the contact that was merged into the other one.',
        'conversations.mergedConversationId': 'Id of the conversation that was merged into the other one.',
        via: 'Where the contacts were merged.',
        mergedAt: 'When they were merged, in UTC.',
      },
    }),
  example: {
    contactId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10',
    phone: '+5511987654321',
    name: 'Ana Souza',
    mergedContactId: '01978f2f-1a5e-7c02-9b1d-6f2a4c8e0d31',
    mergedPhone: '+551187654321',
    leadId: '01978f2e-a004-7b6e-8f10-2d5c9e7a1b42',
    mergedLeadId: null,
    conversations: [
      {
        conversationId: '01978f2e-9d77-7e15-a3c8-5b0f1d2e3a64',
        mergedConversationId: '01978f2f-1b20-7a48-b6d9-0c3e5f7a9b86',
      },
    ],
    via: 'api',
    mergedAt: '2026-06-01T09:30:00.000Z',
  },
  touches: ({ contactId, mergedContactId, leadId, mergedLeadId, conversations }) => ({
    contact: [contactId, mergedContactId],
    lead: [leadId, mergedLeadId].filter((id) => typeof id === 'string'),
    conversation: chatIdsOf(conversations),
  }),
})
