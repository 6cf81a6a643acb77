import { z } from 'zod'
import type { Actor } from '../../../core/context.ts'
import { endpoint, outsideEndpoint, reply } from '../../../core/endpoint.ts'
import { Id } from '../../../core/ids.ts'
import { cursorPage, cursorQuery } from '../../../core/paging.ts'
import type { Scope } from '../../../core/scopes.ts'
import { ACTIVITY_KINDS, Activity } from './activity-schema.ts'
import { listActivity } from './operations/activity.ts'
import { listPhoneNumbers } from './operations/phone-numbers.ts'
import { type RequestedHistory, requestHistory } from './operations/request-history.ts'
import { listTeams } from './operations/workspace-members.ts'
import { Me, Member, PhoneNumber } from './schema.ts'

/** Presents a session like a key: with its member's name and role, and all scopes of that role. */
function keyOf(actor: Actor): z.infer<typeof Me>['key'] {
  if (actor.kind === 'platform') throw new Error('the platform has no member and no key')
  const { role } = actor
  if (actor.kind === 'member')
    return { id: actor.memberId, label: actor.name, role, scopes: null, expiresAt: null }
  const { keyId: id, label, expiresAt } = actor
  return {
    id,
    label,
    role,
    scopes: actor.scopes as Scope[] | null,
    expiresAt: expiresAt?.toISOString() ?? null,
  }
}

export const getMe = endpoint({
  name: 'getMe',
  method: 'GET',
  path: '/me',
  summary:
    "Get the caller's workspace and key: label, role, scopes, and expiry. The key itself is never returned.",
  tag: 'Workspace',
  tool: {
    title: 'Check the connection',
    when: 'Use it first, to learn which workspace, role, and scopes the key has.',
  },
  section: '4.3',
  scope: null,
  role: 'viewer',
  bucket: 'reads',
  replies: { 200: Me },
  refuses: [],
  handle: async (ctx) => {
    const { id, name, plan, sandbox, timezone, countryCode } = ctx.workspace
    return reply(200, {
      workspace: { id, name, plan, sandbox, timezone, countryCode },
      key: keyOf(ctx.actor),
    })
  },
})

export const getPhoneNumbers = endpoint({
  name: 'listPhoneNumbers',
  method: 'GET',
  path: '/phone-numbers',
  summary: "List the workspace's numbers. The first active number is the default sender.",
  tag: 'Workspace',
  tool: {
    title: 'List our numbers',
    when: 'Use it to learn which numbers the company sends from, and whether one has a problem.',
  },
  section: '4.3',
  scope: 'messages:read',
  role: 'viewer',
  bucket: 'reads',
  replies: { 200: z.object({ phoneNumbers: z.array(PhoneNumber) }) },
  refuses: [],
  handle: async (ctx) => reply(200, { phoneNumbers: await listPhoneNumbers(ctx) }),
})

export const postHistorySync = outsideEndpoint({
  name: 'requestHistory',
  method: 'POST',
  path: '/phone-numbers/:id/history-sync',
  summary: 'Request the chats and the address book of a number that you also use in the phone app.',
  description:
    'The operator accepts this once, within 24 hours after the number was connected, and then sends the chats of the last 180 days in parts. They are stored as past messages: no event, no answer, and no notification follows. `historySync` of the number shows the progress. The sandbox sends sample chats.',
  tag: 'Workspace',
  section: '4.10',
  scope: 'messages:send',
  role: 'admin',
  subject: 'phoneNumber',
  bucket: 'settings-writes',
  body: z.strictObject({}),
  bodyOptional: true,
  example: {},
  replies: {
    202: z.object({
      phoneNumber: PhoneNumber,
      addressBookProblem: z
        .string()
        .nullable()
        .meta({ description: 'Why the address book was not requested; null if it was.' }),
    }),
  },
  refuses: ['not_found', 'conflict', 'meta_error', 'number_banned', 'sending_blocked'],
  handle: (request, { params }) =>
    request.answering(
      (requested: RequestedHistory) => reply(202, requested),
      (ctx) => requestHistory(ctx, params.id),
    ),
})

export const getTeam = endpoint({
  name: 'listTeam',
  method: 'GET',
  path: '/team',
  summary: 'List the members of the workspace: the names, email addresses, and ids that leads and tasks use.',
  tag: 'Workspace',
  tool: {
    title: 'List teammates',
    when: 'Use it to find the id of a teammate before you assign a chat, a lead, or a task.',
  },
  section: '4.10',
  scope: 'team:read',
  role: 'viewer',
  bucket: 'reads',
  replies: { 200: z.object({ members: z.array(Member) }) },
  refuses: [],
  handle: async (ctx) => {
    const team = await listTeams(ctx.tx, [ctx.workspace.id])
    return reply(200, {
      members: team.map(({ id, name, email, role, owner }) => ({ id, name, email, role, owner })),
    })
  },
})

export const getActivity = endpoint({
  name: 'listActivity',
  method: 'GET',
  path: '/activity',
  summary: 'List important actions of the last year, newest first.',
  description:
    'Includes started and stopped campaigns, confirmed new recipients, erased contacts, deleted templates, and changes to the pipeline, keys, and members.',
  tag: 'Workspace',
  section: '4.4',
  scope: 'team:read',
  role: 'admin',
  bucket: 'reads',
  query: z.object({
    ...cursorQuery,
    kind: z.enum(ACTIVITY_KINDS).optional().meta({ description: 'Only entries of this kind.' }),
    actorId: Id.optional().meta({ description: 'Only actions of this key or member.' }),
  }),
  replies: { 200: cursorPage('activity', Activity) },
  refuses: [],
  handle: async (ctx, { query: { kind, ...query } }) =>
    reply(200, await listActivity(ctx, { ...query, kinds: kind && [kind] })),
})
