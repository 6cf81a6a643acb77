import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { cursorPage, cursorQuery } from '../../../../core/paging.ts'
import { ConversationChange, presentChange } from '../change-schema.ts'
import { NewNote, Note, presentNote } from '../note-schema.ts'
import { updateConversation } from '../operations/change-conversation.ts'
import { listChanges } from '../operations/changes.ts'
import { addNote, listNotes } from '../operations/notes.ts'
import {
  countConversations,
  getInboxConversation,
  showConversation,
} from '../operations/read-conversations.ts'
import { markUnread } from '../operations/read-mark.ts'
import { snoozeConversation, unsnoozeConversation } from '../operations/snooze.ts'
import { startConversation } from '../operations/start-conversation.ts'
import { takeNextConversation } from '../operations/take-next.ts'
import {
  COUNTED_MAX,
  Conversation,
  ConversationCounts,
  ConversationPatch,
  CountsQuery,
  NewConversation,
  NewSnooze,
  TakeNextBody,
} from '../schema.ts'

const read = {
  tag: 'Conversations',
  section: '4.4',
  scope: 'conversations:read',
  role: 'viewer',
  bucket: 'reads',
} as const
const write = {
  tag: 'Conversations',
  section: '4.4',
  scope: 'conversations:write',
  role: 'agent',
  bucket: 'inbox-update',
} as const

const OneConversation = z.object({ conversation: Conversation })
const StartedConversation = OneConversation.extend({ created: z.boolean() })

export const getConversationCounts = endpoint({
  name: 'countConversations',
  method: 'GET',
  path: '/conversations/counts',
  summary: 'Count conversations: yours, unassigned, open, unread, and snoozed.',
  description: `Archived conversations do not count. Snoozed conversations count only in \`snoozed\`. In \`mine\`, \`unassigned\`, and \`open\`, resolved conversations do not count either. Each count stops at ${COUNTED_MAX}. For a key that belongs to no member, \`mine\` is 0.`,
  tag: 'Conversations',
  section: '4.3',
  scope: 'conversations:read',
  role: 'viewer',
  bucket: 'reads',
  query: CountsQuery,
  replies: { 200: ConversationCounts },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await countConversations(ctx, query.channel)),
})

export const getOneConversation = endpoint({
  ...read,
  name: 'getConversation',
  method: 'GET',
  path: '/conversations/:id',
  summary: 'Get one conversation, and whether its 24-hour window is open.',
  description:
    "A key that has messages:send but not conversations:read does not receive the contact's number and name.",
  orScope: 'messages:send',
  subject: 'conversation',
  tool: {
    title: 'Read a chat',
    when: 'Use it to see the state of one chat, its teammate, and whether its 24-hour window is open.',
  },
  replies: { 200: OneConversation },
  refuses: ['not_found'],
  handle: async (ctx, { params }) =>
    reply(200, { conversation: await showConversation(ctx, await getInboxConversation(ctx, params.id)) }),
})

export const patchConversation = endpoint({
  ...write,
  name: 'updateConversation',
  method: 'PATCH',
  path: '/conversations/:id',
  summary: 'Assign, prioritize, resolve, or archive a conversation, or put it into a team.',
  subject: 'conversation',
  body: ConversationPatch,
  example: { state: 'resolved', priority: 'high' },
  tool: {
    title: 'Assign or resolve a chat',
    when: 'Use it to assign a chat, set its priority, or resolve, reopen, or archive it.',
  },
  replies: { 200: OneConversation },
  refuses: ['not_found', 'invalid_reference'],
  handle: async (ctx, { params, body }) =>
    reply(200, { conversation: await showConversation(ctx, await updateConversation(ctx, params.id, body)) }),
})

export const getConversationNotes = endpoint({
  ...read,
  name: 'listConversationNotes',
  method: 'GET',
  path: '/conversations/:id/notes',
  summary: 'List the internal notes of a conversation, newest first.',
  subject: 'conversation',
  query: z.object(cursorQuery),
  tool: {
    title: 'Read notes of a chat',
    when: 'Use it to read the internal notes of the team about a chat.',
  },
  replies: { 200: cursorPage('notes', Note) },
  refuses: ['not_found'],
  handle: async (ctx, { params, query }) => {
    const { rows, nextCursor } = await listNotes(ctx, params.id, query)
    return reply(200, { notes: rows.map(presentNote), nextCursor })
  },
})

export const getConversationChanges = endpoint({
  ...read,
  name: 'listConversationChanges',
  method: 'GET',
  path: '/conversations/:id/changes',
  summary: 'List the changes of a conversation, newest first.',
  description:
    'Assignments, teams, states, priorities, archiving, snoozes, and tags of the contact, each with its source.',
  section: '4.10',
  subject: 'conversation',
  query: z.object(cursorQuery),
  replies: { 200: cursorPage('changes', ConversationChange) },
  refuses: ['not_found'],
  handle: async (ctx, { params, query }) => {
    const { rows, nextCursor } = await listChanges(ctx, params.id, query)
    return reply(200, { changes: rows.map(presentChange), nextCursor })
  },
})

export const postConversationNote = endpoint({
  name: 'addConversationNote',
  method: 'POST',
  path: '/conversations/:id/notes',
  summary: 'Add an internal note. The customer never sees it.',
  tag: 'Conversations',
  tool: {
    title: 'Add a note to a chat',
    when: 'Use it to leave the team a note in a chat. The customer never sees it.',
  },
  section: '4.4',
  scope: 'conversations:write',
  role: 'agent',
  bucket: 'inbox-notes',
  subject: 'conversation',
  body: NewNote,
  example: { body: 'Asked for a call back after six.' },
  replies: { 201: z.object({ note: Note }) },
  refuses: ['not_found', 'invalid_reference'],
  handle: async (ctx, { params, body }) =>
    reply(201, { note: presentNote(await addNote(ctx, params.id, body)) }),
})

export const postConversation = endpoint({
  name: 'startConversation',
  method: 'POST',
  path: '/conversations',
  summary: 'Start a conversation with a contact on a number, or return the existing one.',
  description:
    'Returns 201 for a new conversation and 200 for an existing one. This sends nothing and opens no window. To a customer who has not written, you can send only an approved template.',
  tag: 'Conversations',
  section: '4.10',
  scope: 'conversations:write',
  role: 'agent',
  bucket: 'inbox-update',
  body: NewConversation,
  example: { phone: '+919812345678' },
  replies: { 200: StartedConversation, 201: StartedConversation },
  refuses: ['invalid_reference', 'plan_limit_reached', 'cannot_send_to_self', 'sending_blocked'],
  handle: async (ctx, { body }) => {
    const { row, created } = await startConversation(ctx, body)
    return reply(created ? 201 : 200, { conversation: await showConversation(ctx, row), created })
  },
})

export const postConversationUnread = endpoint({
  ...write,
  name: 'markConversationUnread',
  method: 'POST',
  path: '/conversations/:id/unread',
  summary: 'Mark a conversation as unread, so that a teammate returns to it.',
  description: 'Changes an `unreadCount` of 0 to 1. The customer and the operator are not informed.',
  subject: 'conversation',
  replies: { 200: OneConversation },
  refuses: ['not_found'],
  handle: async (ctx, { params }) =>
    reply(200, { conversation: await showConversation(ctx, await markUnread(ctx, params.id)) }),
})

export const postConversationSnooze = endpoint({
  ...write,
  name: 'snoozeConversation',
  method: 'POST',
  path: '/conversations/:id/snooze',
  summary: 'Snooze a conversation until a time, or until the customer writes.',
  description:
    'A snoozed conversation is not among the open ones in the inbox. At its time it is open, unread, and at the top of the list. Resolving or archiving it ends the snooze; a second snooze replaces the first.',
  section: '4.10',
  subject: 'conversation',
  body: NewSnooze,
  example: { untilReply: true },
  tool: { title: 'Snooze a chat', when: 'Use it to hide a chat until a time, or until the customer writes.' },
  replies: { 200: OneConversation },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) =>
    reply(200, { conversation: await showConversation(ctx, await snoozeConversation(ctx, params.id, body)) }),
})

export const deleteConversationSnooze = endpoint({
  ...write,
  name: 'unsnoozeConversation',
  method: 'DELETE',
  path: '/conversations/:id/snooze',
  summary: 'End the snooze of a conversation.',
  description: 'The conversation keeps its place in the list. Without a snooze, nothing changes.',
  section: '4.10',
  subject: 'conversation',
  replies: { 200: OneConversation },
  refuses: ['not_found'],
  handle: async (ctx, { params }) =>
    reply(200, { conversation: await showConversation(ctx, await unsnoozeConversation(ctx, params.id)) }),
})

export const postTakeNext = endpoint({
  ...write,
  name: 'takeNextConversation',
  method: 'POST',
  path: '/conversations/take-next',
  summary: 'Assign the unassigned conversation with the longest wait to you.',
  description:
    'Takes a conversation whose customer waits for an answer, and that is neither resolved, archived, nor snoozed: first of your teams, then of no team. Two callers at the same moment get different ones. Without such a conversation, the response is 404 `not_found`; for a key that belongs to no member, it is 409 `conflict`.',
  section: '4.10',
  body: TakeNextBody,
  bodyOptional: true,
  example: { channel: 'all' },
  replies: { 200: OneConversation },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { body }) =>
    reply(200, {
      conversation: await showConversation(ctx, await takeNextConversation(ctx, body.channel ?? 'chat')),
    }),
})
