import { z } from 'zod'
import { ROLES } from '../../../../core/context.ts'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { Id } from '../../../../core/ids.ts'
import { Instant } from '../../../../core/values/text.ts'
import { changeMember, inviteMember, readMembers, removeMember } from '../operations/members.ts'
import { Email, Ok, PersonName } from '../schema.ts'
import { DASHBOARD } from './session.ts'

const ADMIN = { ...DASHBOARD, role: 'admin', subject: 'member', bucket: 'settings-writes' } as const

const WorkspaceMember = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  owner: z.boolean(),
  hasAccount: z.boolean(),
  invitedUntil: Instant.nullable(),
  createdAt: Instant,
})
const Invited = z.object({
  member: WorkspaceMember,
  inviteUrl: z.string().optional(),
  mailed: z.boolean().optional(),
})

export const getMembers = endpoint({
  ...DASHBOARD,
  name: 'listMembers',
  method: 'GET',
  path: '/members',
  summary: 'List the members of the workspace, and the invitations.',
  role: 'admin',
  bucket: 'reads',
  replies: { 200: z.object({ members: z.array(WorkspaceMember) }) },
  refuses: [],
  handle: async (ctx) => reply(200, { members: await readMembers(ctx) }),
})

export const deleteMember = endpoint({
  ...ADMIN,
  name: 'removeMember',
  method: 'DELETE',
  path: '/members/:id',
  summary: 'Remove a member. Their sessions and keys no longer have access to the workspace.',
  fresh: true,
  replies: { 200: Ok },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await removeMember(ctx, params.id)
    return reply(200, { ok: true })
  },
})

export const postMember = endpoint({
  ...DASHBOARD,
  name: 'inviteMember',
  method: 'POST',
  path: '/members',
  summary:
    'Add a member, with a link to create an account. The link is shown only once, and sent by email if Parley sends email.',
  role: 'admin',
  bucket: 'settings-writes',
  fresh: true,
  body: z.strictObject({ email: Email, name: PersonName, role: z.enum(ROLES) }),
  replies: { 201: Invited },
  refuses: ['conflict'],
  handle: async (ctx, { body }) => reply(201, await inviteMember(ctx, body)),
})

export const patchMember = endpoint({
  ...ADMIN,
  name: 'updateMember',
  method: 'PATCH',
  path: '/members/:id',
  summary: "Change a member's role, email address, or name, or invite them again.",
  fresh: true,
  body: z.strictObject({
    email: Email.optional(),
    name: PersonName.optional(),
    role: z.enum(ROLES).optional(),
    invite: z.boolean().optional(),
  }),
  replies: { 200: Invited },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) => reply(200, await changeMember(ctx, params.id, body)),
})
