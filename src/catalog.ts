/** The table of contents: every endpoint, event and job of the service, in the order of the specification. */
import type { Endpoint } from './core/endpoint.ts'
import type { EventKind } from './core/event.ts'
import type { JobKind } from './core/job.ts'
import type { Sealer } from './core/sealing.ts'
import { getOpenapi } from './http/openapi.ts'
import {
  deleteContact,
  getContacts,
  getOneContact,
  patchContact,
  postContact,
} from './modules/contacts/endpoints.ts'
import { contactCreated, contactDeleted, contactUpdated } from './modules/contacts/events.ts'
import {
  getConversationNotes,
  getConversations,
  getOneConversation,
  patchConversation,
  postConversationNote,
} from './modules/conversations/endpoints.ts'
import { conversationClosed, conversationOpened } from './modules/conversations/events.ts'
import { getMessageById, getMessages, postSend } from './modules/messages/endpoints.ts'
import { messageFailed, messageReceived, messageStatus } from './modules/messages/events.ts'
import { getSandboxClock, postSandboxClock, postSandboxInbound } from './modules/sandbox/endpoints.ts'
import { webhookEndpoints } from './modules/webhooks/endpoints.ts'
import { getMe, getPhoneNumbers } from './modules/workspaces/endpoints.ts'

export const EVENTS: EventKind[] = [
  messageReceived,
  messageStatus,
  messageFailed,
  contactCreated,
  contactUpdated,
  contactDeleted,
  conversationOpened,
  conversationClosed,
]

/** The endpoints as they are served; secrets are sealed with `sealer`. */
export const endpoints = (sealer: Sealer): Endpoint[] => [
  getOpenapi,
  postSend,
  getMe,
  getMessages,
  getMessageById,
  getConversations,
  getContacts,
  getPhoneNumbers,
  postContact,
  getOneContact,
  patchContact,
  deleteContact,
  getOneConversation,
  patchConversation,
  getConversationNotes,
  postConversationNote,
  ...webhookEndpoints({ events: EVENTS, sealer }),
  postSandboxInbound,
  getSandboxClock,
  postSandboxClock,
]

const readOnly = (): never => {
  throw new Error('this list of endpoints is for reading; it is not served')
}

/** The same list for documents and tests. */
export const ENDPOINTS: Endpoint[] = endpoints({ seal: readOnly, open: readOnly })

export const JOB_KINDS: JobKind[] = []
