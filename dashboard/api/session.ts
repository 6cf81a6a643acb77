/** Reads the signed-in account, and the workspaces it can open. */
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { DashboardApi } from '../../sdk/api.ts'
import { MAX_RETRIES } from './cache.ts'
import { ApiError, isPassing } from './errors.ts'
import { callDashboard } from './request.ts'
import { recordAccount, shownAccount } from './shown-account.ts'

export type Role = NonNullable<DashboardApi['GET /session']['reply']['member']>['role']
const ROLES: readonly Role[] = ['viewer', 'agent', 'admin']

export type Session = DashboardApi['GET /session']['reply']

/** A session as pages of a workspace see it. */
export type WorkspaceSession = Session & {
  member: NonNullable<Session['member']>
  workspace: NonNullable<Session['workspace']>
}

/** Reads the session of `workspace`; undefined if no account is signed in. */
export const sessionQuery = (workspace: string | undefined) =>
  queryOptions({
    queryKey: ['session', workspace ?? null],
    queryFn: async (): Promise<Session | null> => {
      try {
        const session = await callDashboard('GET /session', { workspace })
        recordAccount(session.account.id, session.workspaces.length)
        return session
      } catch (error) {
        // `onSessionEnd` sends an account that was signed in to the sign-in; the router does so for new
        // visitors.
        if (error instanceof ApiError && error.code === 'unauthorized' && shownAccount() === undefined)
          return null
        throw error
      }
    },
    staleTime: 60_000,
    // Without a network the page shows so, instead of waiting.
    networkMode: 'always',
    retry: (count, error) => navigator.onLine && isPassing(error) && count < MAX_RETRIES,
  })

/** Returns the session inside a workspace, whose pages open only for a member. */
export function useWorkspaceSession(workspace: string): WorkspaceSession {
  const { data, error } = useSuspenseQuery(sessionQuery(workspace))
  // A former member lost access: data that was read before must not be shown.
  if (error instanceof ApiError && error.status === 403) throw error
  return data as WorkspaceSession
}

/**
 * Returns the modules of a workspace plus one, as the CLI takes them: it turns off all modules that are not
 * in the list.
 */
export const withModule = (
  { modules }: Pick<WorkspaceSession['workspace'], 'modules'>,
  module: WorkspaceSession['workspace']['modules'][number],
): string => [...modules, module].join(',')

/** Returns whether `role` is at least `lowest`. */
export const hasRole = (role: Role, lowest: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(lowest)
