import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryClient } from '../api/cache.ts'
import { onFrame } from '../api/live.ts'
import { paced } from '../api/paced.ts'
import { type Here, reaches } from '../api/session.ts'
import { clockQuery } from '../sandbox/queries.ts'

const AGAIN_MS = 20_000
/** However much changes, it is read no oftener. */
const PACE_MS = 1_500

/** Has every time on the pages go by the sandbox's clock. Whoever moves it changes something: then it is read again. */
export function useSandboxClock({ workspace, member }: Here): void {
  const isUsed = workspace.sandbox && reaches(member.role, 'agent')
  // While it is being moved it says where it is, not where it will stop.
  useQuery({ ...clockQuery, enabled: isUsed, refetchInterval: AGAIN_MS })
  useEffect(() => {
    if (!isUsed) return
    const read = paced(PACE_MS, () => queryClient.invalidateQueries({ queryKey: clockQuery.queryKey }))
    // A tab that nobody sees reads it when it is seen.
    const look = () => document.visibilityState === 'visible' && read([])
    const end = onFrame(({ changed }) => changed && look())
    document.addEventListener('visibilitychange', look)
    return () => {
      end()
      document.removeEventListener('visibilitychange', look)
    }
  }, [isUsed])
}
