import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'
import { setWorkspaceNow } from '../kit/time.tsx'

const SHOWN = 50
/**
 * One call moves the clock for at most 80 seconds of real time, and may first wait for another user's move.
 */
const MOVE_TIMEOUT_MS = 120_000

/** Reads the messages between the business and a customer, newest first. */
export const phoneQuery = (phone: string) =>
  queryOptions({
    queryKey: ['message', 'list', 'phone', phone],
    queryFn: async () => (await call('GET /messages', { query: { phone, limit: SHOWN } })).messages,
  })

/** Reads the sandbox's time, which all times on these pages follow. */
export const clockQuery = queryOptions({
  queryKey: ['clock', 'one', 'sandbox'],
  queryFn: async () => {
    const { now } = await call('GET /sandbox/clock')
    setWorkspaceNow(now)
    return now
  },
})

/**
 * Moves the clock. When this resolves, all work that became due on the way is done. If one call can't do all
 * of it, further calls move the clock the rest of the way.
 */
export async function advanceClock(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; ) {
    const body = { advanceSeconds: left }
    const { now, remainingSeconds } = await call('POST /sandbox/clock', { body, timeoutMs: MOVE_TIMEOUT_MS })
    setWorkspaceNow(now)
    queryClient.setQueryData(clockQuery.queryKey, now)
    // Stops if a call makes no progress.
    left = remainingSeconds < left ? remainingSeconds : 0
  }
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [kind] }) => kind !== 'session' && kind !== 'clock',
  })
}
