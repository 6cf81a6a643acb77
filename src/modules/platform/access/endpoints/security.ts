import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { cursorPage, cursorQuery } from '../../../../core/paging.ts'
import { Activity } from '../../workspaces/activity-schema.ts'
import { listActivity } from '../../workspaces/operations/activity.ts'
import { changePreferences, readPreferences } from '../operations/preferences.ts'
import { changeSecurity, readSecurity } from '../operations/security.ts'
import { DASHBOARD } from './session.ts'

const ADMIN = { ...DASHBOARD, role: 'admin' } as const

const days = (max: number) => z.number().int().min(1).max(max)
const Security = z.object({
  requireSecondFactor: z.boolean(),
  idleDays: days(7),
  absoluteDays: days(30),
})

export const getSecurity = endpoint({
  ...ADMIN,
  name: 'getSecurity',
  method: 'GET',
  path: '/security',
  summary: 'Get the sign-in rules of the workspace.',
  bucket: 'reads',
  replies: { 200: z.object({ security: Security }) },
  refuses: [],
  handle: async (ctx) => reply(200, { security: await readSecurity(ctx) }),
})

export const patchSecurity = endpoint({
  ...ADMIN,
  name: 'updateSecurity',
  method: 'PATCH',
  path: '/security',
  summary:
    'Change the sign-in rules: end sessions sooner, or, as the owner, require a second factor from all members.',
  fresh: true,
  bucket: 'settings-writes',
  body: Security.partial(),
  replies: { 200: z.object({ security: Security }) },
  refuses: ['conflict'],
  handle: async (ctx, { body }) => reply(200, { security: await changeSecurity(ctx, body) }),
})

const SIGN_INS = [
  'member.signed_in',
  'member.sign_in_refused',
  'member.access_changed',
  'session.revoked',
] as const

export const getSignIns = endpoint({
  ...ADMIN,
  name: 'listSignIns',
  method: 'GET',
  path: '/sign-ins',
  summary: 'List sign-ins, failed sign-ins, and revoked sessions, newest first.',
  bucket: 'reads',
  query: z.object(cursorQuery),
  replies: { 200: cursorPage('signIns', Activity) },
  refuses: [],
  handle: async (ctx, { query }) => {
    const { activity, nextCursor } = await listActivity(ctx, { ...query, kinds: SIGN_INS })
    return reply(200, { signIns: activity, nextCursor })
  },
})

const Preferences = z.record(z.string().min(1).max(100), z.unknown())

export const getPreferences = endpoint({
  ...DASHBOARD,
  name: 'getPreferences',
  method: 'GET',
  path: '/preferences',
  summary: "Get the caller's dashboard preferences in this workspace.",
  role: 'viewer',
  bucket: 'reads',
  replies: { 200: z.object({ preferences: Preferences }) },
  refuses: [],
  handle: async (ctx) => reply(200, { preferences: await readPreferences(ctx) }),
})

export const patchPreferences = endpoint({
  ...DASHBOARD,
  name: 'updatePreferences',
  method: 'PATCH',
  path: '/preferences',
  summary: 'Change dashboard preferences. Null deletes a preference.',
  role: 'viewer',
  bucket: 'settings-writes',
  body: Preferences,
  replies: { 200: z.object({ preferences: Preferences }) },
  refuses: [],
  handle: async (ctx, { body }) => reply(200, { preferences: await changePreferences(ctx, body) }),
})
