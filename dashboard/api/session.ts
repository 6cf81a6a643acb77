/** Who is signed in, and where they may work. */
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { DashboardApi } from '../../sdk/api.ts'
import { ApiError } from './errors.ts'
import { callDashboard } from './request.ts'
import { noteAccount, shownAccount } from './signed-in.ts'

export type Role = NonNullable<DashboardApi['GET /session']['reply']['member']>['role']
const ROLES: readonly Role[] = ['viewer', 'agent', 'admin']

export type Session = DashboardApi['GET /session']['reply']

/** A session as pages of a workspace see it. */
export type Here = Session & {
  member: NonNullable<Session['member']>
  workspace: NonNullable<Session['workspace']>
}

/** The session of `workspace`; undefined: nobody is signed in. */
export const sessionQuery = (workspace: string | undefined) =>
  queryOptions({
    queryKey: ['session', workspace ?? null],
    queryFn: async (): Promise<Session | null> => {
      try {
        const session = await callDashboard('GET /session', { workspace })
        noteAccount(session.account.id, session.workspaces.length)
        return session
      } catch (error) {
        // Whoever was here before is led to the sign-in (`onSessionEnd`); whoever was not, by the router.
        if (error instanceof ApiError && error.code === 'unauthorized' && shownAccount() === undefined)
          return null
        throw error
      }
    },
    staleTime: 60_000,
  })

/** Who is at work here: for pages inside a workspace, which open only for a member. */
export function useHere(workspace: string): Here {
  const { data, error } = useSuspenseQuery(sessionQuery(workspace))
  // Whoever was let in and is a member no more: what was read before is shown to nobody.
  if (error instanceof ApiError && error.status === 403) throw error
  return data as Here
}

/** The modules of a workspace and one more, as the command line takes them: what it is not given it switches off. */
export const withModule = (
  { modules }: Pick<Here['workspace'], 'modules'>,
  module: Here['workspace']['modules'][number],
): string => [...modules, module].join(',')

/** Whether `role` is at least `lowest`. */
export const reaches = (role: Role, lowest: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(lowest)
