import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'
import { setWorkspaceNow } from '../kit/time.tsx'

const SHOWN = 50
/** The server moves it for 80 seconds at most, and may wait for somebody else's move before. */
const MOVE_TIMEOUT_MS = 120_000

/** What was said between the business and a customer, newest first. */
export const phoneQuery = (phone: string) =>
  queryOptions({
    queryKey: ['message', 'list', 'phone', phone],
    queryFn: async () => (await call('GET /messages', { query: { phone, limit: SHOWN } })).messages,
  })

/** The time of the sandbox; what shows times on these pages goes by it. */
export const clockQuery = queryOptions({
  queryKey: ['clock', 'one', 'sandbox'],
  queryFn: async () => {
    const { now } = await call('GET /sandbox/clock')
    setWorkspaceNow(now)
    return now
  },
})

/**
 * Moves the clock; what fell due on the way has happened when this resolves. Where more falls due than one call does, the rest of the way
 * is asked for again.
 */
export async function advanceClock(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; ) {
    const body = { advanceSeconds: left }
    const { now, remainingSeconds } = await call('POST /sandbox/clock', { body, timeoutMs: MOVE_TIMEOUT_MS })
    setWorkspaceNow(now)
    queryClient.setQueryData(clockQuery.queryKey, now)
    // One that comes no further is not asked for ever.
    left = remainingSeconds < left ? remainingSeconds : 0
  }
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [kind] }) => kind !== 'session' && kind !== 'clock',
  })
}
