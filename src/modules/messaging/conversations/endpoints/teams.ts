import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { Id } from '../../../../core/ids.ts'
import { cursorPage, cursorQuery } from '../../../../core/paging.ts'
import { readAvailability, setAvailability } from '../operations/availability.ts'
import * as teams from '../operations/teams.ts'
import { changeTeam, getTeam, listTeams, saveTeam } from '../operations/teams.ts'
import { Availability, NewTeam, Team, TeamPatch } from '../team-schema.ts'

const read = {
  tag: 'Conversations',
  section: '4.10',
  scope: 'conversations:read',
  role: 'viewer',
  bucket: 'reads',
} as const
const write = {
  tag: 'Conversations',
  section: '4.10',
  scope: 'conversations:write',
  role: 'admin',
  bucket: 'settings-writes',
} as const

const OneTeam = z.object({ team: Team })

export const getTeams = endpoint({
  ...read,
  name: 'listTeams',
  method: 'GET',
  path: '/teams',
  summary: 'List teams, newest first.',
  query: z.object(cursorQuery),
  replies: { 200: cursorPage('teams', Team) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listTeams(ctx, query)),
})

export const getOneTeam = endpoint({
  ...read,
  name: 'getTeam',
  method: 'GET',
  path: '/teams/:id',
  summary: 'Get one team, with its members.',
  subject: 'team',
  replies: { 200: OneTeam },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { team: await getTeam(ctx, params.id) }),
})

export const postTeam = endpoint({
  ...write,
  name: 'createTeam',
  method: 'POST',
  path: '/teams',
  summary: 'Create a team of members who share conversations.',
  description: 'If the name is taken, or a number belongs to another team, 409 returns the id of that team.',
  body: NewTeam,
  example: { name: 'Support', assignment: 'round_robin', capacity: 10 },
  replies: { 201: OneTeam },
  refuses: ['conflict', 'invalid_reference'],
  handle: async (ctx, { body }) => reply(201, { team: await saveTeam(ctx, body) }),
})

export const patchTeam = endpoint({
  ...write,
  name: 'updateTeam',
  method: 'PATCH',
  path: '/teams/:id',
  summary: 'Change a team. New members and new numbers replace all earlier ones.',
  subject: 'team',
  body: TeamPatch,
  example: { capacity: 5 },
  replies: { 200: OneTeam },
  refuses: ['not_found', 'conflict', 'invalid_reference'],
  handle: async (ctx, { params, body }) => reply(200, { team: await changeTeam(ctx, params.id, body) }),
})

export const deleteTeam = endpoint({
  ...write,
  name: 'deleteTeam',
  method: 'DELETE',
  path: '/teams/:id',
  summary: 'Delete a team. Its conversations stay, without a team.',
  subject: 'team',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.literal(true) }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await teams.deleteTeam(ctx, params.id)
    return reply(200, { ok: true, deleted: true })
  },
})

const SomeMember = { memberId: Id.meta({ description: 'Id of the member.' }) }

export const getTeamAvailability = endpoint({
  ...read,
  name: 'getTeamAvailability',
  method: 'GET',
  path: '/teams/availability',
  summary: 'Get whether you receive conversations of your teams in turn.',
  replies: {
    200: z.object({
      memberId: Id.nullable().meta({ description: 'Your id; null for a key that belongs to no member.' }),
      available: z.boolean().nullable().meta({
        description: 'False while you are away; null for a key that belongs to no member.',
      }),
    }),
  },
  refuses: [],
  handle: async (ctx) => reply(200, await readAvailability(ctx)),
})

export const postTeamAvailability = endpoint({
  ...write,
  name: 'setTeamAvailability',
  method: 'POST',
  path: '/teams/availability',
  summary: 'Make yourself available or away, or another member as an admin.',
  description:
    'Members who are away receive no conversations of their teams in turn. Their open conversations stay theirs, until the customer reopens them. A key that belongs to no member must send `memberId`; otherwise the response is 409 `conflict`.',
  role: 'agent',
  bucket: 'inbox-update',
  body: Availability,
  example: { available: false },
  replies: {
    200: z.object({
      ...SomeMember,
      available: z.boolean().meta({ description: 'Whether the member receives conversations in turn.' }),
    }),
  },
  refuses: ['conflict', 'forbidden', 'invalid_reference'],
  handle: async (ctx, { body }) => reply(200, await setAvailability(ctx, body)),
})
