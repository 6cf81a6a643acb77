import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryClient } from '../api/cache.ts'
import { onFrame } from '../api/live.ts'
import type { WorkspaceSession } from '../api/session.ts'
import { throttle } from '../api/throttle.ts'
import { clockQuery } from '../sandbox/queries.ts'

const AGAIN_MS = 20_000
/** The clock is read at most this often, even during many changes. */
const PACE_MS = 1_500

/**
 * Makes all times on the pages follow the sandbox's clock. Moving the clock changes data, and each change
 * reads the clock again.
 */
export function useSandboxClock({ workspace }: WorkspaceSession): void {
  const isUsed = workspace.sandbox
  // While it is being moved, the clock reports its current time, not its final time.
  useQuery({ ...clockQuery, enabled: isUsed, refetchInterval: AGAIN_MS })
  useEffect(() => {
    if (!isUsed) return
    const readClock = throttle(PACE_MS, () =>
      queryClient.invalidateQueries({ queryKey: clockQuery.queryKey }),
    )
    // A hidden tab reads the clock when it becomes visible.
    const readIfVisible = () => document.visibilityState === 'visible' && readClock([])
    const end = onFrame(({ changed }) => changed && readIfVisible())
    document.addEventListener('visibilitychange', readIfVisible)
    return () => {
      end()
      document.removeEventListener('visibilitychange', readIfVisible)
    }
  }, [isUsed])
}
