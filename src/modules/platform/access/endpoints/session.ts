import { z } from 'zod'
import { accountEndpoint, reply } from '../../../../core/endpoint.ts'
import { Id } from '../../../../core/ids.ts'
import { Instant } from '../../../../core/values/text.ts'
import { revokeSession, signOut } from '../operations/end-sessions.ts'
import { readSession, readSessions } from '../operations/read-session.ts'
import { Ok, SessionView } from '../schema.ts'

declare module '../../../../core/context.ts' {
  interface Outside {
    /** Returns the build of the pages that this process serves, or null if it serves none. */
    dashboardBuild(): string | null
  }
}

/** Properties that all dashboard endpoints of this module share. */
export const DASHBOARD = { auth: 'session', tag: 'Dashboard', section: '5', scope: null } as const

export const getSession = accountEndpoint({
  ...DASHBOARD,
  name: 'getSession',
  method: 'GET',
  path: '/session',
  summary: 'Get the signed-in account, its session, and its workspaces.',
  role: 'viewer',
  bucket: 'reads',
  replies: { 200: SessionView },
  refuses: [],
  handle: async (ctx) => reply(200, { ...(await readSession(ctx)), build: ctx.outside.dashboardBuild() }),
})

export const deleteSession = accountEndpoint({
  ...DASHBOARD,
  name: 'signOut',
  method: 'DELETE',
  path: '/session',
  summary: 'Sign out of this session.',
  role: 'viewer',
  bucket: 'settings-writes',
  replies: { 200: Ok },
  refuses: [],
  handle: async (ctx) => {
    await signOut(ctx)
    return { ...reply(200, { ok: true }), session: null }
  },
})

export const getSessions = accountEndpoint({
  ...DASHBOARD,
  name: 'listSessions',
  method: 'GET',
  path: '/sessions',
  summary: 'List the sessions of the account.',
  role: 'viewer',
  bucket: 'reads',
  replies: {
    200: z.object({
      sessions: z.array(
        z.object({
          id: Id,
          current: z.boolean(),
          method: z.string(),
          device: z.string(),
          address: z.string(),
          lastSeenAt: Instant,
          createdAt: Instant,
        }),
      ),
    }),
  },
  refuses: [],
  handle: async (ctx) => reply(200, { sessions: await readSessions(ctx) }),
})

export const deleteOneSession = accountEndpoint({
  ...DASHBOARD,
  name: 'revokeSession',
  method: 'DELETE',
  path: '/sessions/:id',
  summary: 'Sign the account out of its other sessions.',
  role: 'viewer',
  bucket: 'settings-writes',
  replies: { 200: Ok },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await revokeSession(ctx, params.id)
    return reply(200, { ok: true })
  },
})
