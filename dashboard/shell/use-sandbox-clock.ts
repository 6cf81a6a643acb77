import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryClient } from '../api/cache.ts'
import { onFrame } from '../api/live.ts'
import { type Here, reaches } from '../api/session.ts'
import { clockQuery } from '../sandbox/queries.ts'

/** Has every time on the pages go by the sandbox's clock. Whoever moves it changes something: then it is read again. */
export function useSandboxClock({ workspace, member }: Here): void {
  const isUsed = workspace.sandbox && reaches(member.role, 'agent')
  useQuery({ ...clockQuery, enabled: isUsed })
  useEffect(() => {
    if (!isUsed) return
    return onFrame(({ changed }) => {
      if (changed) void queryClient.invalidateQueries({ queryKey: clockQuery.queryKey })
    })
  }, [isUsed])
}
