import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Source } from '../../sdk/api.ts'
import { useWorkspaceSession } from '../api/session.ts'
import { teamQuery } from './queries.ts'
import { sourceName } from './source.ts'

/** Returns a function that names sources for the signed-in member. */
export function useSourceNames(workspace: string): (source: Source) => string {
  const { member } = useWorkspaceSession(workspace)
  const { data: team } = useQuery(teamQuery)
  return useCallback((source) => sourceName(source, member.id, team ?? []), [member.id, team])
}
